import { sql } from "drizzle-orm";
import type { ReactElement } from "react";
import { render } from "react-email";
import type { Transaction } from "@/db/client";
import type { ListContact } from "@/db/schema/lists";
import { confirmationSubject, ListConfirmation } from "@/emails/list-confirmation";
import { departureSubject, ListDeparture } from "@/emails/list-departure";
import { ListWelcome, welcomeSubject } from "@/emails/list-welcome";
import { normalizeAddress } from "@/lib/mail/address";
import { acceptUnits } from "@/lib/domain/emails/accept";
import { AppError, isAppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { contactToken, trackingUrls } from "@/lib/mail/tracking/tokens";
import { postalAddress } from "@/lib/mail/content/postal-address";

/** A second confirmation, or notification, of the same membership waits this long. */
const quietMinutes = { confirmation: 10, unsubscribeNotification: 60 } as const;

export interface MailOptions {
  /** Ends in the captured mailbox, as all that a test key causes. */
  testMode: boolean;
}

interface Row extends Record<string, unknown> {
  project_id: string;
  contact_id: string;
  list_id: string;
  list: string;
  from_email: string;
  from_name: string;
  remind_message: string | null;
  list_contact: ListContact;
  postal_address: string;
  email: string;
  first_name: string;
  last_name: string;
  /** What the list's mail is signed with; null: the project has no verified domain. */
  domain: string | null;
}

/** The membership's own domain when it is verified, else the project's oldest, the built-in one last. */
async function findMembership(tx: Transaction, subscriberId: string): Promise<Row> {
  const [row] = await tx.execute<Row>(sql`
    select s.project_id, s.contact_id, s.list_id, l.name as list, l.from_email, l.from_name,
      l.remind_message, l.contact as list_contact, p.postal_address, c.email, c.first_name, c.last_name, (
        select d.name from domains d
        where d.project_id = s.project_id and d.status = 'VERIFIED'
        order by d.name = lower(substring(l.from_email from '[^@]+$')) desc, d.built_in, d.id
        limit 1
      ) as domain
    from subscribers s join lists l on l.id = s.list_id join contacts c on c.id = s.contact_id
      join projects p on p.id = s.project_id
    where s.id = ${subscriberId}`);
  if (!row) throw new Error("A list's mail was asked for without a membership.");
  return row;
}

function senderOf(row: Row & { domain: string }) {
  const own = row.from_email.toLowerCase().endsWith(`@${row.domain}`);
  return {
    from: {
      email: own ? row.from_email : `no-reply@${row.domain}`,
      name: row.from_name || row.list,
    },
    replyTo: own ? null : normalizeAddress(row.from_email),
  };
}

/**
 * Queues one mail of a list in the caller's transaction. Throws DOMAIN_NOT_VERIFIED (no domain of the
 * project is) and PAYMENT_REQUIRED.
 */
async function queue(
  tx: Transaction,
  row: Row,
  { testMode }: MailOptions,
  mail: {
    to: { email: string; name: string };
    subject: string;
    letter: ReactElement;
    headers?: Record<string, string>;
    metadata: Record<string, string>;
  },
): Promise<void> {
  const { domain } = row;
  if (domain === null) {
    throw new AppError(
      "DOMAIN_NOT_VERIFIED",
      `The list ${row.list} writes to this person, and no domain of this project is verified to send from.`,
    );
  }
  const [accepted] = await acceptUnits(tx, [
    {
      projectId: row.project_id,
      testMode,
      messages: [
        {
          ...senderOf({ ...row, domain }),
          to: [mail.to],
          subject: mail.subject,
          html: await render(mail.letter),
          text: await render(mail.letter, { plainText: true }),
          headers: { "Auto-Submitted": "auto-generated", ...mail.headers },
          metadata: mail.metadata,
          // Names are people's words: what looks like Liquid in them stays text.
          liquid: false,
          source: "LIST",
          templateId: null,
          templateUuid: null,
          data: null,
          attachments: [],
          subscribed: null,
          scheduledAt: null,
          trackOpens: false,
          trackClicks: false,
        },
      ],
    },
  ]);
  if (accepted instanceof Error) throw accepted;
}

/** A mail that must not undo what it tells of: refused, it is left out. */
async function queueIfPossible(...args: Parameters<typeof queue>): Promise<void> {
  try {
    await queue(...args);
  } catch (error) {
    if (!isAppError(error)) throw error;
    log.warn({ code: error.code, listId: args[1].list_id }, "a list's mail was not sent");
  }
}

/** Whether a mail like this one went to the address within the quiet time. */
async function sentLately(
  tx: Transaction,
  row: Row,
  to: string,
  metadata: { mail: keyof typeof quietMinutes; subscriberId: string },
): Promise<boolean> {
  const [found] = await tx.execute(sql`
    select 1 from contacts c join emails e on e.contact_id = c.id
      join messages m on m.id = e.message_id
    where c.project_id = ${row.project_id} and lower(c.email) = lower(${to})
      and e.created_at > app_now() - make_interval(mins => ${quietMinutes[metadata.mail]})
      and e.source = 'LIST' and m.metadata @> ${JSON.stringify(metadata)}::jsonb
    limit 1`);
  return found !== undefined;
}

/** The list's postal address, else the project's. */
function addressOf(row: Row): string[] {
  const own = postalAddress(row.list_contact);
  return own.length > 0 ? own : row.postal_address.split("\n").filter((line) => line.trim());
}

const nameOf = (row: Row) => `${row.first_name} ${row.last_name}`.trim();

/**
 * Asks a member (uuid) to confirm; resolves to false, and asks nothing, when that was done in the last
 * ten minutes. The caller holds the contact's lock. Throws DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED.
 */
export async function sendConfirmation(
  tx: Transaction,
  subscriberId: string,
  options: MailOptions,
): Promise<boolean> {
  const row = await findMembership(tx, subscriberId);
  const metadata = {
    mail: "confirmation",
    subscriberId: encodeId("subscriber", subscriberId),
  } as const;
  if (await sentLately(tx, row, row.email, metadata)) return false;
  await queue(tx, row, options, {
    to: { email: row.email, name: nameOf(row) },
    subject: confirmationSubject(row.list),
    letter: (
      <ListConfirmation
        list={row.list}
        email={row.email}
        url={trackingUrls.confirm(subscriberId)}
        reason={row.remind_message ?? ""}
        sender={addressOf(row)}
      />
    ),
    metadata,
  });
  return true;
}

/** Greets a new member (uuid), with one-click unsubscribe (RFC 8058). */
export async function sendWelcome(
  tx: Transaction,
  subscriberId: string,
  options: MailOptions,
): Promise<void> {
  const row = await findMembership(tx, subscriberId);
  const token = contactToken(row.contact_id, row.list_id);
  await queueIfPossible(tx, row, options, {
    to: { email: row.email, name: nameOf(row) },
    subject: welcomeSubject(row.list),
    letter: (
      <ListWelcome
        list={row.list}
        name={row.first_name}
        email={row.email}
        preferencesUrl={trackingUrls.preferences(token)}
        reason={row.remind_message ?? ""}
        sender={addressOf(row)}
      />
    ),
    headers: {
      "List-Unsubscribe": `<${trackingUrls.unsubscribe(token)}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
    metadata: { mail: "welcome", subscriberId: encodeId("subscriber", subscriberId) },
  });
}

/** Tells who keeps the list (its contact, else its sender) that a member (uuid) left; once an hour at most. */
export async function notifyUnsubscribe(
  tx: Transaction,
  subscriberId: string,
  options: MailOptions,
): Promise<void> {
  const row = await findMembership(tx, subscriberId);
  const to = normalizeAddress(row.list_contact.email ?? "") ?? normalizeAddress(row.from_email);
  const metadata = {
    mail: "unsubscribeNotification",
    subscriberId: encodeId("subscriber", subscriberId),
  } as const;
  if (to === null || (await sentLately(tx, row, to, metadata))) return;
  await queueIfPossible(tx, row, options, {
    to: { email: to, name: row.list_contact.company ?? "" },
    subject: departureSubject(row.list, row.email),
    letter: <ListDeparture list={row.list} email={row.email} name={nameOf(row)} />,
    metadata,
  });
}
