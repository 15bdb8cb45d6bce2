import { executePrepared, type Executor } from "@/db/client";
import type { EmailSource } from "@/db/enums";
import type { ChangedBy } from "@/lib/domain/contacts/consent-changes";
import { AppError, isAppError } from "@/lib/ground/errors";
import { newId } from "@/lib/ground/ids/ids";
import {
  acceptStatement,
  type AcceptRow,
  type UnitMessage,
  type UnitRecipient,
} from "./accept-statement";
import type { NormalizedSend } from "./normalize";

/** One message to be accepted, with the content that goes out and its recipients. */
export interface AcceptMessage extends Omit<NormalizedSend, "subject"> {
  subject: string;
  templateUuid: string | null;
  /** uuid that the email of its one recipient gets; absent: a new one. Its own links are made with it. */
  emailId?: string;
  /** False for what must not be read as Liquid. */
  liquid: boolean;
  /** Received as a finished message, which is its one attachment; absent for messages composed here. */
  relayed?: { headerId: string | null; client: string };
  /** Mail of campaigns is written by the campaigns' engine. */
  source: Exclude<EmailSource, "CAMPAIGN">;
}

/** One request: accepted or refused as a whole. */
export interface AcceptUnit {
  projectId: string;
  testMode: boolean;
  /** The caller, who is named in the history of people whom a message subscribes or unsubscribes. */
  by: ChangedBy;
  messages: AcceptMessage[];
}

/** DOMAIN_NOT_VERIFIED with the domain it is about; the caller, who knows the field, adds the rest. */
class SenderNotVerified extends AppError {
  constructor(readonly senderDomain: string) {
    super(
      "DOMAIN_NOT_VERIFIED",
      `The sender domain ${senderDomain} is not verified in this project.`,
    );
  }
}

/** The domain that acceptUnits refused a unit for; null for any other error. */
export function refusedSenderDomain(error: unknown): string | null {
  const refused = isAppError(error) && error.code === "DOMAIN_NOT_VERIFIED";
  return refused && "senderDomain" in error ? (error as SenderNotVerified).senderDomain : null;
}

export interface AcceptedEmail {
  /** Position of its message in the unit. */
  index: number;
  /** uuid */
  emailId: string;
  /** Empty: the recipient is no contact, and was not to become one. */
  contactId: string;
  contactEmail: string;
}

export interface Accepted {
  emails: AcceptedEmail[];
  /** uuid per message of the unit. */
  messageIds: string[];
  acceptedAt: Date;
}

/**
 * Accepts units in one statement: contacts, messages, emails, events and the month's count. Once that is committed,
 * workers are to be told (announce). A unit that is refused leaves nothing behind and does not affect the others.
 * Resolves to what was accepted or the unit's error (DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED). With `newContacts` false,
 * recipients who are no contacts do not become any.
 */
export async function acceptUnits(
  executor: Executor,
  units: AcceptUnit[],
  { newContacts = true }: { newContacts?: boolean } = {},
): Promise<(Accepted | Error)[]> {
  const messages: UnitMessage[] = units.flatMap((unit, unitIndex) =>
    unit.messages.map((message, index) => ({
      id: newId(unit.projectId),
      unit,
      unitIndex,
      index,
      message,
    })),
  );
  const recipients: UnitRecipient[] = messages.flatMap((entry) =>
    entry.message.to.map((person) => ({
      id: entry.message.emailId ?? newId(entry.unit.projectId),
      entry,
      person,
    })),
  );
  const statement = acceptStatement(messages, recipients, { newContacts });
  // A cached plan assumes ten rows. Beyond a few dozen, its nested loops cost more than planning again: 6,400
  // emails took 1,100 ms with the cached plan and 300 ms with their own.
  const rows =
    recipients.length <= 32
      ? await executePrepared<AcceptRow>(executor, statement)
      : await executor.execute<AcceptRow>(statement);

  const results: (Accepted | Error)[] = units.map((_, unitIndex) => ({
    emails: [],
    messageIds: messages.filter((entry) => entry.unitIndex === unitIndex).map((entry) => entry.id),
    acceptedAt: new Date(rows[0]?.at ?? 0),
  }));
  for (const row of rows) {
    if (row.email !== null) continue;
    if (row.unverified !== null) {
      results[row.unit] = new SenderNotVerified(row.unverified);
    } else if (row.limited !== null) {
      results[row.unit] = new AppError(
        "PAYMENT_REQUIRED",
        `The project's limit of ${row.limited} emails a month is reached.`,
      );
    }
  }
  for (const row of rows) {
    if (row.email === null) continue;
    const recipient = recipients[row.email];
    const result = results[row.unit];
    if (!recipient || !result || result instanceof Error) continue;
    result.emails[row.email] = {
      index: recipient.entry.index,
      emailId: recipient.id,
      contactId: row.contact_id ?? "",
      contactEmail: row.contact_email ?? "",
    };
  }
  for (const [unitIndex, result] of results.entries()) {
    if (result instanceof Error) continue;
    // Rows come in any order; positions put them into the caller's.
    result.emails = result.emails.filter(Boolean);
    const expected = recipients.filter(({ entry }) => entry.unitIndex === unitIndex).length;
    if (result.emails.length !== expected) {
      results[unitIndex] = new Error(`Accepted ${result.emails.length} of ${expected} emails.`);
    }
  }
  return results;
}
