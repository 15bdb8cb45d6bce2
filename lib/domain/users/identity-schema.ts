import { z } from "zod";
import { t } from "@/lib/ground/texts/t";

/** An account at the identity provider that signs its person in. */
export const identity = z
  .object({
    id: z.string(),
    provider: z.string().meta({ description: "What people call it, or its host name." }),
    email: z.string().meta({ description: "The address it had when it was last used." }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
  })
  .meta({ id: "Identity" });
export type Identity = z.infer<typeof identity>;

export const identityList = z
  .object({
    provider: z.string().nullable().meta({
      description: "What people call the provider that signs in here; null: there is none.",
    }),
    data: z.array(identity),
  })
  .meta({ id: "Identities" });
export type IdentityList = z.infer<typeof identityList>;

/** What can keep somebody who comes back from the provider from being signed in. */
export const identityProblems = [
  "away",
  "refused",
  "cancelled",
  "expired",
  "unverified",
  "foreign",
  "taken",
  "unknown",
  "often",
] as const;
export type IdentityProblem = (typeof identityProblems)[number];

const sentences: Record<IdentityProblem, (provider: string) => string> = {
  away: (provider) =>
    t(
      "Signing in with {provider} does not work at the moment: it cannot be reached. Try again in a few minutes.",
      { provider },
    ),
  refused: (provider) =>
    t(
      "Signing in with {provider} did not work: its answer could not be accepted. Try again. If it goes on, whoever runs this installation finds the reason in its log.",
      { provider },
    ),
  cancelled: (provider) => t("You were not signed in with {provider}.", { provider }),
  expired: () =>
    t("This sign-in took too long, was used before or was begun in another browser. Begin again."),
  unverified: (provider) =>
    t(
      "You are not signed in: with {provider}, your email address is not confirmed. Have it confirmed there, or sign in another way.",
      { provider },
    ),
  foreign: (provider) =>
    t(
      "You are not signed in: your address is not one of those that sign in with {provider} here. Choose another account there, or sign in another way.",
      { provider },
    ),
  taken: (provider) =>
    t(
      "You are not signed in: the account with your address belongs to another person or account at {provider}. Sign in another way and unlink that one in Settings, or ask whoever runs this installation.",
      { provider },
    ),
  unknown: () =>
    t(
      "There is no account for your address. Accounts are made by invitation here: ask whoever runs this installation, usually your company’s IT, to invite your address.",
    ),
  often: () => t("Too many attempts. Try again in a quarter of an hour."),
};

/** The sentence for a problem that the address of the page names; null for anything else. */
export function identityProblemSentence(problem: unknown, provider: string): string | null {
  const named = identityProblems.find((one) => one === problem);
  return named ? sentences[named](provider) : null;
}
