import type { ConnectionKind } from "@/db/enums";
import type { ConnectionSettings } from "@/db/schema/connections";
import { invalid } from "@/lib/ground/errors";
import { connectionInputs, type ConnectionUpdate } from "./schema";
import {
  checkSmtp,
  completeSmtp,
  usualSessions,
  type ChosenSettings,
  type SmtpSettings,
} from "./smtp-settings";

/** The settings of a connection, as its kind has them. */
export type CompleteSettings =
  | ({ kind: "smtp" } & SmtpSettings)
  | ({ kind: "resend" | "sendgrid" } & Sessions)
  | ({ kind: "postmark" } & Sessions &
      Required<Pick<ConnectionSettings, "messageStream" | "campaignStream">>)
  | ({ kind: "mailgun" } & Sessions &
      Required<Pick<ConnectionSettings, "region" | "sendingDomain">>);
type Sessions = Required<Pick<ConnectionSettings, "sessions">>;

/** `chosen` over `before`, and over the usual settings where there were none. Fields of other kinds are passed over. */
export function completeSettings(
  kind: ConnectionKind,
  chosen: ChosenSettings,
  before: ChosenSettings = {},
): CompleteSettings {
  const sessions = chosen.sessions ?? before.sessions ?? usualSessions;
  switch (kind) {
    case "smtp":
      return { kind, ...completeSmtp(chosen, before) };
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
        region: chosen.region ?? before.region ?? "us",
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
}

/** Throws VALIDATION_ERROR for a field that connections of this kind do not have. */
export function checkFields(kind: ConnectionKind, input: ConnectionUpdate): void {
  const fields = { ...connectionInputs[kind].shape, basedOn: true };
  const foreign = Object.keys(input).find((field) => !(field in fields));
  if (foreign) throw invalid(foreign, `is no field of a connection of the kind ${kind}`);
}
