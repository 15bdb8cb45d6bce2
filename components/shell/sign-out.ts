/** Ends the session and opens the sign-in page. */
export async function signOut(): Promise<void> {
  const { signOut: end } = await import("next-auth/react");
  await end({ callbackUrl: "/sign-in" });
}
