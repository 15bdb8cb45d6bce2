import { awsRegion, regionOfTopic } from "@/lib/ground/providers/aws-schema";
import { webhookSecretFault } from "@/lib/ground/providers/webhook-secrets";

/** A provider that takes mail over its API, and how it is used; keys apart. */
export type ProviderSettings = { sessions: number } & (
  | { kind: "ses"; region: string; configurationSet: string | null; topicArn: string | null }
  | { kind: "mailgun"; region: "us" | "eu"; sendingDomain: string }
  | { kind: "postmark"; messageStream: string; campaignStream: string }
  | { kind: "resend" | "sendgrid" }
);
type Kind = ProviderSettings["kind"];

const parametersOf: Record<Kind, string[]> = {
  ses: ["configuration-set", "topic"],
  mailgun: ["region"],
  postmark: ["stream", "campaign-stream"],
  resend: [],
  sendgrid: [],
};
const usualSessions = 10;
const mostSessions = 50;
const isDomain = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;
const isName = /^[\w-]{1,100}$/;

function wrong(why: string): Error {
  return new Error(`MAIL_TRANSPORT: ${why}`);
}

/**
 * Reads `ses://eu-central-1?configuration-set=mail&topic=arn:…`, `mailgun://mg.example.com?region=eu`, `postmark:`,
 * `resend:` and `sendgrid:`, each with `connections` or without. null: MAIL_TRANSPORT names no provider. Throws one
 * sentence that repeats nothing of what may be secret.
 */
export function parseProvider(text: string): ProviderSettings | null {
  const kind = (Object.keys(parametersOf) as Kind[]).find((name) => text.startsWith(`${name}:`));
  if (!kind) return null;
  if (!URL.canParse(text)) throw wrong(`is no address of the form ${kind}:`);
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw wrong("holds no key of a provider: that stands in MAIL_TRANSPORT_KEY.");
  }
  const hosted = kind === "ses" || kind === "mailgun";
  const rest = hosted ? url.pathname.replace(/^\/$/, "") + url.port : url.pathname + url.host;
  if (rest !== "" || url.hash !== "") {
    const form = { ses: "ses://REGION", mailgun: "mailgun://DOMAIN" };
    throw wrong(`is ${hosted ? form[kind] : `${kind}:`}, with parameters behind a ? or without.`);
  }
  const given = url.searchParams;
  const allowed = ["connections", ...parametersOf[kind]];
  for (const name of given.keys()) {
    if (!allowed.includes(name)) throw wrong(`parameters of ${kind} are ${allowed.join(", ")}.`);
  }
  const sessions = Number(given.get("connections") ?? usualSessions);
  if (!Number.isInteger(sessions) || sessions < 1 || sessions > mostSessions) {
    throw wrong(`connections is a number from 1 to ${mostSessions}.`);
  }
  return { sessions, ...settingsOf(kind, url.hostname.toLowerCase(), given) };
}

function settingsOf(kind: Kind, host: string, given: URLSearchParams) {
  switch (kind) {
    case "ses":
      return { kind, ...sesSettings(host, given) };
    case "mailgun": {
      const region = given.get("region") ?? "us";
      if (region !== "us" && region !== "eu") throw wrong("region is us or eu for mailgun.");
      if (!isDomain.test(host)) throw wrong("names no domain: mailgun://mg.example.com.");
      return { kind, region, sendingDomain: host } as const;
    }
    case "postmark": {
      const messageStream = given.get("stream") ?? "outbound";
      const campaignStream = given.get("campaign-stream") ?? "broadcast";
      if (!isName.test(messageStream) || !isName.test(campaignStream)) {
        throw wrong("stream and campaign-stream are ids of message streams at Postmark.");
      }
      return { kind, messageStream, campaignStream };
    }
    case "resend":
    case "sendgrid":
      return { kind };
  }
}

function sesSettings(region: string, given: URLSearchParams) {
  if (!awsRegion.test(region)) throw wrong("names no region of AWS, such as ses://eu-central-1.");
  const configurationSet = given.get("configuration-set");
  if (configurationSet !== null && !/^[\w-]{1,64}$/.test(configurationSet)) {
    throw wrong("configuration-set is no name of a configuration set.");
  }
  const topicArn = given.get("topic");
  if (topicArn !== null && regionOfTopic(topicArn) !== region) {
    throw wrong(`topic is no ARN of an SNS topic in ${region}.`);
  }
  // Only events of a configuration set carry what tells an email of ours from others of the account.
  if (topicArn !== null && configurationSet === null) {
    throw wrong("topic needs the configuration-set that publishes to it.");
  }
  return { region, configurationSet, topicArn };
}

export interface MailSettings {
  MAIL_TRANSPORT: string;
  MAIL_TRANSPORT_KEY?: string | undefined;
  MAIL_TRANSPORT_WEBHOOK_SECRET?: string | undefined;
}

const awsKey = /^(\w{16,128}):(\S+)$/;

/** The key's id and secret; null: the machine's own. */
export function awsKeyOf(key: string): { id: string; secret: string } | null {
  const [, id, secret] = awsKey.exec(key) ?? [];
  return id && secret ? { id, secret } : null;
}

/** Throws one sentence, without any secret, where a provider could not be used with these. */
export function checkProvider(settings: MailSettings): void {
  const provider = parseProvider(settings.MAIL_TRANSPORT);
  if (provider === null) return;
  const { MAIL_TRANSPORT_KEY: key, MAIL_TRANSPORT_WEBHOOK_SECRET: secret } = settings;
  if (provider.kind === "ses") {
    if (key !== undefined && awsKeyOf(key) === null) {
      throw new Error(
        "MAIL_TRANSPORT_KEY: is ACCESS_KEY_ID:SECRET_ACCESS_KEY for ses, or not set: then this machine's own credentials count.",
      );
    }
    if (secret !== undefined) {
      throw new Error(
        "MAIL_TRANSPORT_WEBHOOK_SECRET: is of no use with ses, whose reports are known by the topic in MAIL_TRANSPORT.",
      );
    }
    return;
  }
  if (key === undefined || !/^[\x21-\x7e]+$/.test(key)) {
    throw new Error(`MAIL_TRANSPORT_KEY: is the API key that ${labelOf(provider)} takes mail for.`);
  }
  if (secret === undefined) return;
  const fault = webhookSecretFault(provider.kind, secret);
  if (fault !== null) throw new Error(`MAIL_TRANSPORT_WEBHOOK_SECRET: ${fault}.`);
  if (provider.kind === "postmark" && !/^[\w.~-]{16,200}$/.test(secret)) {
    throw new Error(
      "MAIL_TRANSPORT_WEBHOOK_SECRET: is a password of 16 letters and digits or more, which stands in the address that Postmark calls.",
    );
  }
}

const labels = {
  mailgun: "Mailgun",
  postmark: "Postmark",
  resend: "Resend",
  sendgrid: "SendGrid",
};

/** A provider as people call it. */
export function labelOf(provider: ProviderSettings): string {
  return provider.kind === "ses" ? `Amazon SES in ${provider.region}` : labels[provider.kind];
}
