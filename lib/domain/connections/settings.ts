import type { ConnectionKind } from "@/db/enums";
import type { ConnectionSettings } from "@/db/schema/connections";
import { env } from "@/lib/ground/env/env";
import { invalid } from "@/lib/ground/errors";
import { awsRegion, regionOfTopic } from "@/lib/ground/providers/aws-schema";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { connectionInputs, type ConnectionUpdate } from "./schema";
import {
  checkSmtp,
  completeSmtp,
  usualSessions,
  type ChosenSettings,
  type SmtpSettings,
} from "./smtp-settings";

/** The settings of a connection, as its kind defines them. */
export type CompleteSettings =
  | ({ kind: "smtp" } & SmtpSettings)
  | ({ kind: "mx"; tls: "opportunistic" | "required" } & Sessions &
      Required<Pick<ConnectionSettings, "messagesPerMinute">>)
  | ({ kind: "resend" | "sendgrid" } & Sessions)
  | ({ kind: "postmark" } & Sessions &
      Required<Pick<ConnectionSettings, "messageStream" | "campaignStream">>)
  | ({ kind: "mailgun" } & Sessions &
      Required<Pick<ConnectionSettings, "sendingDomain">> & { region: "us" | "eu" })
  | ({ kind: "ses" } & Sessions & Required<Pick<ConnectionSettings, SesSetting>>);
type SesSetting = "region" | "accessKeyId" | "configurationSet" | "topicArn";
type Sessions = Required<Pick<ConnectionSettings, "sessions">>;

/**
 * `chosen` over `before`, and over the usual settings where there were none. Fields of other kinds are ignored. Throws
 * VALIDATION_ERROR for TLS that mail to receivers cannot have.
 */
export function completeSettings(
  kind: ConnectionKind,
  chosen: ChosenSettings,
  before: ChosenSettings = {},
): CompleteSettings {
  const sessions = chosen.sessions ?? before.sessions ?? usualSessions;
  switch (kind) {
    case "smtp":
      return { kind, ...completeSmtp(chosen, before) };
    case "mx":
      return {
        kind,
        sessions,
        messagesPerMinute: completePace(chosen, before),
        tls: tlsOfReceivers(chosen.tls ?? before.tls),
      };
    case "ses":
      return { kind, sessions, ...completeSes(chosen, before) };
    case "resend":
    case "sendgrid":
      return { kind, sessions };
    case "postmark":
      return {
        kind,
        sessions,
        messageStream: chosen.messageStream ?? before.messageStream ?? "outbound",
        campaignStream: chosen.campaignStream ?? before.campaignStream ?? "broadcast",
      };
    case "mailgun":
      return {
        kind,
        sessions,
        region: mailgunRegion(chosen.region ?? before.region),
        sendingDomain: chosen.sendingDomain ?? before.sendingDomain ?? "",
      };
  }
}

/** As the row keeps them: the kind has a column of its own. */
export function storedSettings({ kind: _, ...settings }: CompleteSettings): ConnectionSettings {
  return settings;
}

/** Throws VALIDATION_ERROR for settings that must not be used. */
export function checkSettings(settings: CompleteSettings): void {
  if (settings.kind === "smtp") checkSmtp(settings);
  if (settings.kind === "mx") checkMx();
}

function completePace(
  { messagesPerMinute: chosen }: ChosenSettings,
  { messagesPerMinute: known = null }: ChosenSettings,
): number | null {
  return chosen === undefined ? known : chosen;
}

function tlsOfReceivers(tls: ConnectionSettings["tls"] = "opportunistic") {
  if (tls === "opportunistic" || tls === "required") return tls;
  throw invalid("tls", "is neither opportunistic nor required");
}

/** Whether this installation lets its projects send from its own addresses, straight to receivers. */
export const mayUseMx = (): boolean => env().MX_CONNECTIONS && !isLoopback(env().MAIL_HOSTNAME);

/** As checkSettings, and for a kind that may not be added here; connections that are there go on. */
export function checkNew(settings: CompleteSettings): void {
  if (settings.kind === "mx" && !env().MX_CONNECTIONS) {
    throw invalid(
      "kind",
      "is switched off on this installation: its operator allows mx with MX_CONNECTIONS=1",
    );
  }
  checkSettings(settings);
}

function mailgunRegion(region = "us"): "us" | "eu" {
  if (region === "us" || region === "eu") return region;
  throw invalid("region", "is neither us nor eu");
}

/** Another region has topics of its own. */
function completeSes(chosen: ChosenSettings, before: ChosenSettings) {
  const region = chosen.region ?? before.region ?? "";
  if (!awsRegion.test(region)) throw invalid("region", "is no region of AWS, such as eu-central-1");
  const known = region === before.region ? before.topicArn : null;
  const topicArn = (chosen.topicArn === undefined ? known : chosen.topicArn) ?? null;
  if (topicArn !== null && regionOfTopic(topicArn) !== region) {
    throw invalid("topicArn", `is not a topic in ${region}: SES publishes in its own region`);
  }
  const { configurationSet = before.configurationSet ?? null } = chosen;
  const accessKeyId = chosen.accessKeyId ?? before.accessKeyId ?? "";
  return { region, accessKeyId, configurationSet, topicArn };
}

function checkMx(): void {
  if (!isLoopback(env().MAIL_HOSTNAME)) return;
  const why = "needs a MAIL_HOSTNAME: receivers refuse mail from a machine without a public name";
  throw invalid("kind", why);
}

/** Throws VALIDATION_ERROR for a field that connections of this kind do not have. */
export function checkFields(kind: ConnectionKind, input: ConnectionUpdate): void {
  const fields = { ...connectionInputs[kind].shape, basedOn: true };
  const foreign = Object.keys(input).find((field) => !(field in fields));
  if (foreign) throw invalid(foreign, `is no field of a connection of the kind ${kind}`);
}
