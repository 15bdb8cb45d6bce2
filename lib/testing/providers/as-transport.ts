import { reloadEnv } from "@/lib/ground/env/env";
import { mailgun } from "./mailgun";
import type { PlayedProvider } from "./played-provider";
import type { playedProviders } from "./played-providers";
import { region, topicArn } from "./sns";

type Kind = keyof typeof playedProviders;

const transports: Record<Kind, string> = {
  ses: `ses://${region}?configuration-set=lettermill&topic=${topicArn}`,
  resend: "resend:",
  postmark: "postmark:",
  mailgun: `mailgun://${String(mailgun.input["sendingDomain"])}?region=eu`,
  sendgrid: "sendgrid:?connections=20",
};
const names = ["MAIL_TRANSPORT", "MAIL_TRANSPORT_KEY", "MAIL_TRANSPORT_WEBHOOK_SECRET"] as const;
const postmarkPassword = "a-password-of-postmark";

export function setSettings(settings: Partial<Record<(typeof names)[number], string>>): void {
  for (const name of names) {
    const value = settings[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  reloadEnv();
}

/** The settings by which a played provider takes the whole installation's mail. */
export function settingsOf(kind: Kind, { input }: PlayedProvider) {
  const { apiKey, accessKeyId, secretAccessKey, webhookSecret } = input as Record<string, string>;
  const secret = kind === "postmark" ? postmarkPassword : webhookSecret;
  return {
    MAIL_TRANSPORT: transports[kind],
    MAIL_TRANSPORT_KEY: apiKey ?? `${accessKeyId}:${secretAccessKey}`,
    ...(secret === undefined ? {} : { MAIL_TRANSPORT_WEBHOOK_SECRET: secret }),
  };
}

/** Where the provider is to call; only Postmark's address holds what proves the call. */
export const installationHook = `http://lettermill:${postmarkPassword}@localhost/hooks/installation`;
