import { env } from "@/lib/ground/env/env";
import { openClient, type Database } from "./client";
import { isPooled } from "./pooler";

/** Stops listening, without waiting for a database that may be gone. */
type StopListening = () => Promise<void>;

/**
 * Calls a channel's function when Postgres notifies on it, and once whenever listening begins: at
 * first, and after a lost connection is made again, so that what came meanwhile is looked for. Over
 * DATABASE_DIRECT_URL if that is given; null: there is a pooler in between, which passes nothing on.
 */
export async function listen(
  db: Database,
  channels: Readonly<Record<string, () => void>>,
): Promise<StopListening | null> {
  const direct = env().DATABASE_DIRECT_URL;
  if (direct === undefined && (await isPooled(db.$client))) return null;
  const client = direct === undefined ? db.$client : openClient(direct, { max: 1 });
  for (const [channel, call] of Object.entries(channels)) {
    await client.listen(channel, call, call);
  }
  // When it uses the pool, it ends with the pool.
  return () => (client === db.$client ? Promise.resolve() : client.end({ timeout: 0 }));
}
