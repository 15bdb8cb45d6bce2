import { env } from "@/lib/ground/env";
import type { Transport } from "@/lib/engine/sending/outcome";
import { parseSmtpUrl } from "./smtp/server";
import { SmtpTransport } from "./smtp/transport";

/** The transport of MAIL_TRANSPORT; null: `capture`, nothing leaves the house. */
export function createTransport(): Transport | null {
  const { MAIL_TRANSPORT, MAIL_HOSTNAME } = env();
  if (MAIL_TRANSPORT === "capture") return null;
  return new SmtpTransport(parseSmtpUrl(MAIL_TRANSPORT, MAIL_HOSTNAME));
}
