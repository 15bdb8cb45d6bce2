import type { Database } from "@/db/client";
import { AppError } from "@/lib/ground/errors";
import { keyContext, keyRates } from "@/lib/domain/api-keys/acting";
import { findKeyIdentity } from "@/lib/domain/api-keys/authenticate";
import type { Credential } from "./credential";

/** Reads `Authorization: Bearer <key>`. Throws MISSING_AUTH or INVALID_API_KEY. */
export async function keyCredential(db: Database, request: Request): Promise<Credential> {
  const header = request.headers.get("authorization");
  if (!header) {
    throw new AppError(
      "MISSING_AUTH",
      "The Authorization header is missing. Send `Authorization: Bearer sk_live_...`.",
    );
  }
  const key = /^Bearer +(\S+)\s*$/i.exec(header)?.[1];
  if (!key) {
    throw new AppError(
      "INVALID_API_KEY",
      "The Authorization header does not hold `Bearer` and an API key. Send `Authorization: Bearer sk_live_...`.",
    );
  }
  const identity = await findKeyIdentity(db, key);
  if (!identity) {
    throw new AppError("INVALID_API_KEY", "The API key is unknown or was revoked.");
  }
  return { context: keyContext(identity), isSession: false, rules: keyRates(identity) };
}
