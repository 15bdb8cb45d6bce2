import { env } from "@/lib/ground/env/env";
import { isMx, parseMx, parseSmtpUrl } from "@/lib/mail/smtp-server-url";
import { MxTransport } from "./mx/mx-transport";
import { SmtpTransport } from "./smtp-client/smtp-transport";
import type { Transport } from "@/lib/mail/transport";

/** The transport of MAIL_TRANSPORT; null: `capture`, nothing leaves this machine. */
export function createTransport(): Transport | null {
  const { MAIL_TRANSPORT, MAIL_HOSTNAME } = env();
  if (MAIL_TRANSPORT === "capture") return null;
  if (isMx(MAIL_TRANSPORT)) {
    return new MxTransport({ hostname: MAIL_HOSTNAME, ...parseMx(MAIL_TRANSPORT) });
  }
  return new SmtpTransport(parseSmtpUrl(MAIL_TRANSPORT, MAIL_HOSTNAME));
}
