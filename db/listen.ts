import { env } from "@/lib/ground/env/env";
import { openClient, type Database } from "./client";
import { isPooled } from "./pooler";

/** Ends hearing, without waiting for a database that may be gone. */
type StopListening = () => Promise<void>;

/**
 * Calls what belongs to a channel when Postgres notifies of it, and once when it listens: at first, and
 * after the connection was lost and made again, so that what came meanwhile is looked for. Over
 * DATABASE_DIRECT_URL where that is given; null: a pooler stands between, which passes on nothing.
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
  // Over the pool it ends with the pool.
  return () => (client === db.$client ? Promise.resolve() : client.end({ timeout: 0 }));
}
