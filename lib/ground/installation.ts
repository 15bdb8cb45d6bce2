import { eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { installation } from "@/db/schema";
import { acceptedSecrets, equalSecrets, sign } from "./secrets";

/** The key of the sealed certificate of the SMTP servers. */
export const smtpCertificateKey = "smtpRelayCertificate";

const key = "appSecretFingerprint";
const fingerprintOf = (secret?: string) => sign("fingerprint", "APP_SECRET", 16, secret);

/**
 * Whether one of the accepted secrets is the one this database is sealed with; its first use records APP_SECRET.
 * Another one could not open the DKIM keys and tokens, and nobody else could open what it seals.
 */
export async function confirmAppSecret(db: Executor): Promise<boolean> {
  const fingerprint = fingerprintOf();
  await db.insert(installation).values({ key, value: fingerprint }).onConflictDoNothing();
  const [recorded] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, key));
  return acceptedSecrets().some(
    (secret) => recorded !== undefined && equalSecrets(recorded.value, fingerprintOf(secret)),
  );
}

/** Records that everything in the database is sealed with APP_SECRET: programs without it no longer start. */
export async function recordAppSecret(db: Executor): Promise<void> {
  await db.update(installation).set({ value: fingerprintOf() }).where(eq(installation.key, key));
}
