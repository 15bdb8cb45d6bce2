import { valueOf, type Field } from "@/lib/mail/message/raw-message";
import type { ServerWords } from "./address-fault";
import type { ReturnedIds } from "./returned-ids";

/** What, according to a server, became of the mail for one address. */
export interface RecipientStatus {
  /** As given to the reporting server; null: it does not say. */
  recipient: string | null;
  /** relayed: passed on to a server that reports nothing. */
  outcome: "failed" | "delayed" | "delivered" | "relayed";
  words: ServerWords;
}

/** What returned mail says; `reportedBy` names the reporting server. */
export type ReturnedMail =
  | { kind: "status"; statuses: RecipientStatus[]; reportedBy: string | null }
  | ({
      kind: "complaint";
      /** abuse, fraud ... (RFC 5965, section 7.3). */
      type: string;
      reportedBy: string | null;
    } & ReturnedIds)
  /** Written by a mail program for a person who pressed "Unsubscribe". */
  | { kind: "unsubscribe" }
  | { kind: "auto-reply" }
  /** Written by a person, or by something we do not understand. */
  | { kind: "other" };

/** A part of a report, decoded. */
export interface ReportPart {
  type: string;
  text: string;
  /** Where it ends in the message's body. */
  end: number;
}

/** A field's value by its name; null when it is not there. */
export function fieldValue(fields: readonly Field[], name: string): string | null {
  const field = fields.find((one) => one.name === name);
  return field ? valueOf(field) : null;
}

/** `rfc822; ada@example.com`, as reports write addresses and server names, without the type. */
export function withoutType(value: string | null): string | null {
  if (value === null) return null;
  return value.slice(value.indexOf(";") + 1).trim() || null;
}
