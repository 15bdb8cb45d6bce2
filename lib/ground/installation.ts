import { eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { installation } from "@/db/schema";
import { equalSecrets, sign } from "./secrets";

/**
 * Whether APP_SECRET is the one this database was first used with; that first use records it. Another
 * secret could not open the DKIM keys and tokens, and nobody else could open what it seals.
 */
export async function confirmAppSecret(db: Executor): Promise<boolean> {
  const key = "appSecretFingerprint";
  const fingerprint = sign("fingerprint", "APP_SECRET");
  await db.insert(installation).values({ key, value: fingerprint }).onConflictDoNothing();
  const [recorded] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, key));
  return recorded !== undefined && equalSecrets(recorded.value, fingerprint);
}
