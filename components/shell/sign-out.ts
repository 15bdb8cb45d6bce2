const load = () => import("next-auth/react");

/** What signing out needs, before somebody asks for it. */
export const signingOut = { load: () => load().catch(() => null) };

/** Ends the session and opens the sign-in page. */
export async function signOut(): Promise<void> {
  try {
    const client = await load();
    await client.signOut({ callbackUrl: "/sign-in" });
  } catch {
    // The page is older than the server, or the server is away: the page anew says which.
    location.reload();
  }
}
