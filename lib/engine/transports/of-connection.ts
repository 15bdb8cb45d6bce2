import type { sendingConnections } from "@/db/schema";
import { completeSettings } from "@/lib/domain/connections/settings";
import { unsealOrNull } from "@/lib/ground/secrets";
import { env } from "@/lib/ground/env/env";
import { MxTransport } from "./mx/mx-transport";
import { providerOf } from "@/lib/mail/providers/of-settings";
import { ProviderTransport } from "@/lib/mail/providers/provider-transport";
import { ses } from "@/lib/mail/providers/ses";
import { smtpConnection } from "./smtp-connection";
import type { Transport } from "@/lib/mail/transport";
import { Unreadable } from "./unreadable";

/** The part of a sending connection that says how mail is handed over. */
export type ConnectionRow = Pick<
  typeof sendingConnections.$inferSelect,
  "kind" | "settings" | "secretSealed"
>;

/** The transport of a project's sending connection; one that takes nothing when its secret cannot be read. */
export function transportOf(row: ConnectionRow): Transport {
  const settings = completeSettings(row.kind, row.settings);
  const secret = unsealOrNull(row.secretSealed);
  if (secret === null) return new Unreadable(row.kind);
  switch (settings.kind) {
    case "smtp":
      return smtpConnection(settings, secret);
    case "mx":
      return new MxTransport({
        hostname: env().MAIL_HOSTNAME,
        connections: settings.sessions,
        messagesPerMinute: settings.messagesPerMinute,
        tls: settings.tls,
      });
    case "ses": {
      const { region, accessKeyId, configurationSet, sessions } = settings;
      const key = { id: accessKeyId, secret };
      return new ProviderTransport(ses({ region, key, configurationSet }), sessions);
    }
    case "resend":
    case "postmark":
    case "mailgun":
    case "sendgrid":
      return new ProviderTransport(providerOf(settings, secret), settings.sessions);
  }
}
