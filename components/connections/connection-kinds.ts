import type { ProviderKind } from "@/db/enums";
import type { Connection } from "@/lib/domain/connections/schema";
import { phrases, t } from "@/lib/ground/texts/t";

interface ProviderWords {
  name: string;
  hint: string;
  keyHint: string;
  /** What its webhook proves itself with, and where to find that; null: nothing to enter. */
  secret: { label: string; hint: string } | null;
  /** What is to be done with the webhook's address. */
  webhook: string;
}

export const providers: Record<ProviderKind, ProviderWords> = phrases({
  ses: {
    name: "Amazon SES",
    hint: "Over its API; verified domains become known to it by themselves",
    keyHint:
      "From IAM, with the right to send, and to manage identities: then domains become known to SES by themselves.",
    secret: null,
    webhook:
      "At AWS, make an SNS topic in the same region, with a subscription over HTTPS to this address and without raw message delivery: the subscription confirms itself. Then let SES publish to the topic: by an event destination of the configuration set, with deliveries, hard bounces, complaints, delivery delays and rejects, or by the feedback notifications of each domain.",
  },
  resend: {
    name: "Resend",
    hint: "Over its API",
    keyHint: "From API Keys, with permission to send.",
    secret: {
      label: "Signing secret",
      hint: "From the webhook’s page at Resend; it begins with whsec_. You can add it later.",
    },
    webhook:
      "At Resend, add this address under Webhooks with the events delivered, delivery delayed, bounced, complained, failed and suppressed, then enter its signing secret under Edit.",
  },
  postmark: {
    name: "Postmark",
    hint: "Over its API",
    keyHint: "The server’s API token, from the server’s API Tokens tab.",
    secret: null,
    webhook:
      "At Postmark, add this address under Webhooks of each message stream with Delivery, Bounce, Spam Complaint and Subscription Change. The password in it proves that a report is Postmark’s: keep it to yourself.",
  },
  mailgun: {
    name: "Mailgun",
    hint: "Over its API; mail keeps this project’s own DKIM signature",
    keyHint: "An API key of the account, or a sending key of the domain.",
    secret: {
      label: "HTTP webhook signing key",
      hint: "From API Security at Mailgun. You can add it later.",
    },
    webhook:
      "At Mailgun, add this address under Webhooks of the domain for delivered, permanent failure, temporary failure, spam complaints and unsubscribes, and enter the account’s HTTP webhook signing key under Edit.",
  },
  sendgrid: {
    name: "SendGrid",
    hint: "Over its API",
    keyHint: "From API Keys, with the permission Mail Send.",
    secret: {
      label: "Verification key",
      hint: "From Event Webhooks at SendGrid, once its signature is enabled. You can add it later.",
    },
    webhook:
      "At SendGrid, add this address under Mail Settings, Event Webhooks with all deliverability events and unsubscribes, enable the signed event webhook, and enter its verification key under Edit.",
  },
});

/** Where a connection's mail goes, in a few words. */
export function placeOf(connection: Connection): string {
  switch (connection.kind) {
    case "smtp": {
      const { host, port, user } = connection;
      const server = `${host}:${port}`;
      return user === null ? server : t("{server}, as {user}", { server, user });
    }
    case "mx":
      return connection.tls === "required"
        ? t("Straight to receivers, only over verified TLS")
        : t("Straight to receivers");
    case "mailgun": {
      const { sendingDomain, region } = connection;
      return region === "eu"
        ? t("Mailgun in the EU, {domain}", { domain: sendingDomain })
        : `Mailgun, ${sendingDomain}`;
    }
    case "ses": {
      const { region, configurationSet } = connection;
      return configurationSet === null
        ? t("Amazon SES in {region}", { region })
        : t("Amazon SES in {region}, configuration set {configurationSet}", {
            region,
            configurationSet,
          });
    }
    case "postmark": {
      const { messageStream, campaignStream } = connection;
      return t("Postmark, streams {messageStream} and {campaignStream}", {
        messageStream,
        campaignStream,
      });
    }
    default:
      return providers[connection.kind].name;
  }
}
