import { sign } from "@/lib/ground/secrets";

/**
 * What remains of an address that was deleted for good: a keyed hash, from which nobody without
 * APP_SECRET can tell the address, and which differs between projects.
 */
export function forgottenHash(projectId: string, email: string): string {
  return sign("forgotten-address", `${projectId} ${email.toLowerCase()}`, 32);
}
