import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readPrivate, writePrivate } from "./data-dir";
import { Fault } from "./fault";

const secrets = z.object({
  appSecret: z.string().min(16),
  cronSecret: z.string().min(16),
  postgresPassword: z.string().min(16),
});
export type Secrets = z.infer<typeof secrets>;

const fileIn = (dataDir: string) => join(dataDir, "secrets.json");
const secret = () => randomBytes(32).toString("base64url");

/** What an earlier start generated; null when there was none. */
export function readSecrets(dataDir: string): Secrets | null {
  const kept = readPrivate(fileIn(dataDir));
  if (kept === null) return null;
  const parsed = secrets.safeParse(kept);
  if (!parsed.success) {
    throw new Fault(`${fileIn(dataDir)} is damaged: restore it from a backup, or remove it.`);
  }
  return parsed.data;
}

/** The installation's secrets, generated once. The caller holds DATA_DIR's lock. */
export function ensureSecrets(dataDir: string): Secrets {
  const kept = readSecrets(dataDir);
  if (kept) return kept;
  const fresh = { appSecret: secret(), cronSecret: secret(), postgresPassword: secret() };
  writePrivate(fileIn(dataDir), fresh);
  return fresh;
}
