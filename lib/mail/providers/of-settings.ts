import { awsKeyOf, parseProvider, type ProviderSettings } from "@/lib/ground/providers/settings";
import { env } from "@/lib/ground/env/env";
import { mailgun } from "./mailgun";
import { postmark } from "./postmark";
import type { Provider } from "./provider";
import { installationMail } from "./provider-mail";
import { ProviderTransport } from "./provider-transport";
import { resend } from "./resend";
import { sendgrid } from "./sendgrid";
import { ses } from "./ses";

type OwnKey = Exclude<ProviderSettings, { kind: "ses" }>;

/** The provider that an API key is for. */
export function providerOf(settings: OwnKey, key: string): Provider {
  switch (settings.kind) {
    case "resend":
      return resend(key);
    case "postmark":
      return postmark(key, settings);
    case "mailgun":
      return mailgun(key, settings);
    case "sendgrid":
      return sendgrid(key);
  }
}

/** The transport of MAIL_TRANSPORT where that names a provider; null: it names something else. */
export function installationProvider(): ProviderTransport | null {
  const { MAIL_TRANSPORT, MAIL_TRANSPORT_KEY: key = "" } = env();
  const settings = parseProvider(MAIL_TRANSPORT);
  if (settings === null) return null;
  const provider =
    settings.kind === "ses" ? ses({ ...settings, key: awsKeyOf(key) }) : providerOf(settings, key);
  return new ProviderTransport(provider, settings.sessions, installationMail);
}
