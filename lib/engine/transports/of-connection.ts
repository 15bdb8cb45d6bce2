import type { sendingConnections } from "@/db/schema";
import { completeSettings } from "@/lib/domain/connections/settings";
import { unseal } from "@/lib/ground/secrets";
import { env } from "@/lib/ground/env/env";
import { MxTransport } from "./mx/mx-transport";
import { mailgun } from "@/lib/mail/providers/mailgun";
import { postmark } from "@/lib/mail/providers/postmark";
import { ProviderTransport } from "@/lib/mail/providers/provider-transport";
import { resend } from "@/lib/mail/providers/resend";
import { sendgrid } from "@/lib/mail/providers/sendgrid";
import { ses } from "@/lib/mail/providers/ses";
import { smtpConnection } from "./smtp-connection";
import type { Transport } from "@/lib/mail/transport";

/** The part of a sending connection that says how mail is handed over. */
export type ConnectionRow = Pick<
  typeof sendingConnections.$inferSelect,
  "kind" | "settings" | "secretSealed"
>;

/** The transport of a project's sending connection. */
export function transportOf(row: ConnectionRow): Transport {
  const settings = completeSettings(row.kind, row.settings);
  const secret = unseal(row.secretSealed);
  switch (settings.kind) {
    case "smtp":
      return smtpConnection(settings, secret);
    case "mx":
      return new MxTransport({
        hostname: env().MAIL_HOSTNAME,
        connections: settings.sessions,
        tls: settings.tls,
      });
    case "ses": {
      const { region, accessKeyId, configurationSet, sessions } = settings;
      const key = { id: accessKeyId, secret };
      return new ProviderTransport(ses({ region, key, configurationSet }), sessions);
    }
    case "resend":
      return new ProviderTransport(resend(secret), settings.sessions);
    case "postmark":
      return new ProviderTransport(postmark(secret, settings), settings.sessions);
    case "mailgun":
      return new ProviderTransport(mailgun(secret, settings), settings.sessions);
    case "sendgrid":
      return new ProviderTransport(sendgrid(secret), settings.sessions);
  }
}
