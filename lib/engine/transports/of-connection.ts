import type { sendingConnections } from "@/db/schema";
import { completeSettings } from "@/lib/domain/connections/settings";
import { env } from "@/lib/ground/env/env";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { unseal } from "@/lib/ground/secrets";
import { SmtpTransport } from "./smtp-client/smtp-transport";
import type { Transport } from "./transport";

/** A sending connection as far as it says how mail is handed over. */
export type ConnectionRow = Pick<
  typeof sendingConnections.$inferSelect,
  "kind" | "settings" | "secretSealed"
>;

/** The transport of a project's sending connection; its host is dialled only where it is public. */
export function transportOf({ settings, secretSealed }: ConnectionRow): Transport {
  const { host, port, tls, user, sessions } = completeSettings(settings);
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
    password: unseal(secretSealed),
    connections: sessions,
    hostname: env().MAIL_HOSTNAME,
    guarded: true,
  });
}
