import { signIn } from "next-auth/react";

/**
 * Signs in and gives null, or the sentence to show. `link` uses a one-time link up, `password` compares.
 * Browser only.
 */
export async function signInWith(
  provider: "password" | "link",
  input: Record<string, string>,
  refused: string,
): Promise<string | null> {
  try {
    const answer = await signIn(provider, { ...input, redirect: false });
    if (!answer) return "The server cannot be reached. Check the connection.";
    if (answer.ok && !answer.error) return null;
    return answer.error && answer.error !== "CredentialsSignin" ? answer.error : refused;
  } catch {
    return "The server cannot be reached. Check the connection.";
  }
}
