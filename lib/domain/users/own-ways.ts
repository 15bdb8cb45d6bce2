import { env } from "@/lib/ground/env/env";
import { AppError } from "@/lib/ground/errors";

/** The domain of an address, in lower case. */
export const mailDomainOf = (email: string): string =>
  email
    .slice(email.lastIndexOf("@") + 1)
    .trim()
    .toLowerCase();

/** Whether people with this address sign in at the identity provider alone. */
export function signsInAtProviderOnly(email: string): boolean {
  const { OIDC_ONLY, OIDC_DOMAINS } = env();
  return OIDC_ONLY && OIDC_DOMAINS.includes(mailDomainOf(email));
}

/** Why people who sign in at the identity provider alone may not come another way: NOT_ALLOWED; null for all others. */
export function refusalOfOwnWays(email: string): AppError | null {
  if (!signsInAtProviderOnly(email)) return null;
  return new AppError(
    "NOT_ALLOWED",
    `People at ${mailDomainOf(email)} sign in with ${env().OIDC_NAME}, and in no other way.`,
  );
}

/**
 * Throws NOT_ALLOWED for people who sign in at the identity provider alone: a way in of our own would stay open to
 * those whose account has been ended there. It goes by the address, so it says nothing about who has an account.
 */
export function requireOwnWays(email: string): void {
  const refusal = refusalOfOwnWays(email);
  if (refusal) throw refusal;
}
