import { getProviders, signIn } from "next-auth/react";
import { codeIsNeeded } from "@/lib/domain/users/schema";
import { t } from "@/lib/ground/texts/t";

/**
 * Where signing in leads: to a path on this site by a full page load, which keeps nothing that was fetched before;
 * or to a function, for a page that stays as it is: it gets what comes next, and returns the sentence to show if
 * that fails.
 */
export type SignInTarget = string | ((next: "in" | "code") => Promise<string | null>);

/** The page that asks for the second factor, and then leads to `to`. */
const codePage = (to: string) => `/sign-in/code?to=${encodeURIComponent(to)}`;

/**
 * Signs in and goes to `to`, by way of the second step where it is asked for; returns the sentence to show
 * when neither happens.
 */
export async function signInAndGo(
  provider: "password" | "link" | "code" | "passkey",
  input: Record<string, string>,
  { to, refusal }: { to: SignInTarget; refusal: string },
): Promise<string | null> {
  const problem = await signInWith(provider, input, refusal);
  if (problem !== null && problem !== codeIsNeeded) return problem;
  if (typeof to === "function") return to(problem === null ? "in" : "code");
  window.location.assign(problem === null ? to : codePage(to));
  return null;
}

const unreachable = () => t("The server cannot be reached. Check the connection.");

/** Null, `codeIsNeeded`, or the sentence to show; `refusal` for credentials that are not accepted. */
async function signInWith(
  provider: "password" | "link" | "code" | "passkey",
  input: Record<string, string>,
  refusal: string,
): Promise<string | null> {
  try {
    // Asked by next-auth as well, which leaves for a page of its own, that is not there either, when nobody answers.
    if ((await getProviders()) === null) return unreachable();
    const answer = await signIn(provider, { ...input, redirect: false });
    if (!answer) return unreachable();
    if (answer.ok && !answer.error) return null;
    if (answer.error === codeIsNeeded) return codeIsNeeded;
    return answer.error && answer.error !== "CredentialsSignin" ? answer.error : refusal;
  } catch {
    return unreachable();
  }
}
