import { env } from "@/lib/ground/env/env";
import { labelOf, parseProvider } from "@/lib/ground/providers/settings";
import { installationProvider } from "@/lib/mail/providers/of-settings";
import { isMx, parseMx, parseSmtpUrl } from "@/lib/mail/smtp-server-url";
import { InstallationProvider } from "./installation-provider";
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
  const settings = parseProvider(MAIL_TRANSPORT);
  const provider = installationProvider();
  if (settings && provider) return new InstallationProvider(provider, labelOf(settings));
  return new SmtpTransport(parseSmtpUrl(MAIL_TRANSPORT, MAIL_HOSTNAME));
}
