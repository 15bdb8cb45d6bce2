import { eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { installation } from "@/db/schema";
import { equalSecrets, sign } from "./secrets";

/**
 * Whether APP_SECRET is the one this database was first used with, which is written down then. With
 * another one, DKIM keys and tokens could not be opened, and new ones not by anybody else.
 */
export async function confirmAppSecret(db: Executor): Promise<boolean> {
  const key = "appSecretFingerprint";
  const fingerprint = sign("fingerprint", "APP_SECRET");
  await db.insert(installation).values({ key, value: fingerprint }).onConflictDoNothing();
  const [kept] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, key));
  return kept !== undefined && equalSecrets(kept.value, fingerprint);
}
