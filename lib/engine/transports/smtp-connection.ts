import type { SmtpSettings } from "@/lib/domain/connections/smtp-settings";
import { env } from "@/lib/ground/env/env";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { SmtpTransport } from "./smtp-client/smtp-transport";

/** The transport to a mail server that a project brings; its host is dialled only if it is public. */
export function smtpConnection(settings: SmtpSettings, password: string): SmtpTransport {
  const { host, port, tls, user, sessions } = settings;
  const secret = user !== null && !isLoopback(host);
  const stated = tls === "implicit" ? "required" : tls;
  return new SmtpTransport({
    host,
    port,
    implicitTls: tls === "implicit",
    tls: secret ? "required" : stated,
    // Without a password to protect, refusing TLS would only mean sending without it.
    verifyCertificate: stated === "required" || secret,
    user,
    password,
    connections: sessions,
    hostname: env().MAIL_HOSTNAME,
    guarded: true,
  });
}
