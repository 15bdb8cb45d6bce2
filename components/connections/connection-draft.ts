import type { ConnectionKind } from "@/db/enums";
import type { Connection, ConnectionUpdate } from "@/lib/domain/connections/schema";
import { t } from "@/lib/ground/texts/t";

/** A form's fields for connections of every kind, under the names that the API gives them and their faults. */
export interface Draft {
  kind: ConnectionKind;
  name: string;
  host: string;
  port: string;
  tls: "implicit" | "required" | "opportunistic" | "off";
  user: string;
  password: string;
  apiKey: string;
  webhookSecret: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  configurationSet: string;
  topicArn: string;
  sendingDomain: string;
  messageStream: string;
  campaignStream: string;
  sessions: string;
  /** Empty: no limit. */
  messagesPerMinute: string;
  standard: boolean;
  /** Empty: none. */
  fallbackId: string;
}

/** As the form calls its fields. */
export const labels = (): Record<keyof Draft, string> => ({
  ...{ kind: t("Sends through"), name: t("Name"), host: t("Host"), port: t("Port") },
  ...{ tls: t("Encryption"), user: t("User name"), password: t("Password") },
  ...{ apiKey: t("API key"), webhookSecret: t("Secret"), region: t("Region") },
  ...{ accessKeyId: t("Access key ID"), secretAccessKey: t("Secret access key") },
  ...{ configurationSet: t("Configuration set"), topicArn: t("SNS topic") },
  ...{ sendingDomain: t("Sending domain"), messageStream: t("Stream of all other mail") },
  ...{ campaignStream: t("Stream of campaigns"), sessions: t("At once") },
  ...{ messagesPerMinute: t("Emails a minute to one host") },
  ...{ standard: t("Standard connection"), fallbackId: t("Fallback") },
});

export const emptyDraft: Draft = {
  ...{ kind: "smtp", name: "", host: "", port: "587", tls: "required", user: "", password: "" },
  ...{ apiKey: "", webhookSecret: "", region: "", sendingDomain: "" },
  ...{ accessKeyId: "", secretAccessKey: "", configurationSet: "", topicArn: "" },
  ...{ messageStream: "outbound", campaignStream: "broadcast" },
  ...{ sessions: "5", messagesPerMinute: "", standard: false, fallbackId: "" },
};

/** Where the choices for a kind begin, once it is chosen. */
export function choicesFor(kind: ConnectionKind): Partial<Draft> {
  switch (kind) {
    case "smtp":
      return { kind, tls: "required" };
    case "mx":
      return { kind, tls: "opportunistic" };
    case "mailgun":
      return { kind, region: "us" };
    case "ses":
      return { kind, region: "" };
    default:
      return { kind };
  }
}

export function draftOf(connection: Connection): Draft {
  const common = {
    ...emptyDraft,
    kind: connection.kind,
    name: connection.name,
    sessions: String(connection.sessions),
    standard: connection.standard,
    fallbackId: connection.fallbackId ?? "",
  };
  switch (connection.kind) {
    case "smtp": {
      const { host, port, tls, user } = connection;
      return { ...common, host, port: String(port), tls, user: user ?? "" };
    }
    case "mx": {
      const { tls, messagesPerMinute } = connection;
      return { ...common, tls, messagesPerMinute: messagesPerMinute?.toString() ?? "" };
    }
    case "mailgun": {
      const { region, sendingDomain } = connection;
      return { ...common, region, sendingDomain };
    }
    case "ses": {
      const { region, accessKeyId, configurationSet, topicArn } = connection;
      const optional = { configurationSet: configurationSet ?? "", topicArn: topicArn ?? "" };
      return { ...common, ...optional, region, accessKeyId };
    }
    case "postmark": {
      const { messageStream, campaignStream } = connection;
      return { ...common, messageStream, campaignStream };
    }
    default:
      return common;
  }
}

/** Secrets are sent only if something was entered, as they are never shown. */
const entered = (secrets: Record<string, string>) =>
  Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret !== ""));

/** The part of the draft that belongs to its kind, as the API takes it. */
export function inputOf(draft: Draft) {
  const { kind, name, standard, fallbackId, sessions } = draft;
  const common = {
    ...{ kind, name, standard },
    sessions: Number(sessions),
    fallbackId: fallbackId || null,
  };
  const { apiKey, webhookSecret } = draft;
  switch (kind) {
    case "smtp": {
      const { host, port, tls, user, password } = draft;
      const smtp = { host, port: Number(port), tls, user: user.trim() || null };
      return { ...common, ...smtp, ...entered({ password }) };
    }
    case "mx": {
      const perMinute = draft.messagesPerMinute.trim();
      const messagesPerMinute = perMinute === "" ? null : Number(perMinute);
      return { ...common, tls: draft.tls, messagesPerMinute };
    }
    case "mailgun": {
      const { region, sendingDomain } = draft;
      return { ...common, region, sendingDomain, ...entered({ apiKey, webhookSecret }) };
    }
    case "ses": {
      const { region, accessKeyId, secretAccessKey } = draft;
      const configurationSet = draft.configurationSet.trim() || null;
      const optional = { configurationSet, topicArn: draft.topicArn.trim() || null };
      return { ...common, ...optional, region, accessKeyId, ...entered({ secretAccessKey }) };
    }
    case "postmark": {
      const { messageStream, campaignStream } = draft;
      return { ...common, messageStream, campaignStream, ...entered({ apiKey }) };
    }
    case "resend":
    case "sendgrid":
      return { ...common, ...entered({ apiKey, webhookSecret }) };
  }
}

/** What a change says, as the draft has it: numbers as typed, nothing as an empty text. */
export function writtenBy(change: ConnectionUpdate): Partial<Draft> {
  const told = Object.entries(change).map(([name, value]) => [
    name,
    typeof value === "boolean" ? value : String(value ?? ""),
  ]);
  return Object.fromEntries(told) as Partial<Draft>;
}
