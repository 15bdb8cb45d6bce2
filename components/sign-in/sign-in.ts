import { signIn } from "next-auth/react";

/**
 * Signs in; returns null, or the sentence to show. `refusal` is the one for credentials that are not
 * accepted. Browser only.
 */
export async function signInWith(
  provider: "password" | "link",
  input: Record<string, string>,
  refusal: string,
): Promise<string | null> {
  try {
    const answer = await signIn(provider, { ...input, redirect: false });
    if (!answer) return "The server cannot be reached. Check the connection.";
    if (answer.ok && !answer.error) return null;
    return answer.error && answer.error !== "CredentialsSignin" ? answer.error : refusal;
  } catch {
    return "The server cannot be reached. Check the connection.";
  }
}
