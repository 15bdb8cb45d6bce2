import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { columns, insertSelected } from "@/db/names";
import {
  contacts,
  emails,
  inboundEmails,
  inboundRoutes,
  projectEvents,
  webhooks,
} from "@/db/schema";
import { personOf } from "@/lib/domain/contact-states/merged";
import type { InboundAttachment, OriginChecks } from "@/db/schema/inbound";
import { findTakenEmails } from "@/lib/domain/emails/message-ids";
import { findRelayedEmails } from "@/lib/domain/emails/relayed-messages";
import { ownedBy } from "@/lib/ground/by-id";
import { coalesceFor } from "@/lib/ground/coalesce";
import { AppError } from "@/lib/ground/errors";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { toldEvents } from "@/lib/ground/events/emit";
import { announce } from "@/lib/ground/queue/announce";
import { sha256 } from "@/lib/ground/secrets";
import { storableText } from "@/lib/ground/storable-text";
import type { ReceivedMail } from "@/lib/mail/incoming/incoming";
import { patternFor } from "./patterns";

/** What a session delivers to one project. */
export interface Delivered {
  /** uuid */
  projectId: string;
  /** The project's routes. */
  patterns: readonly string[];
  /** The project's addresses among the envelope's recipients. */
  recipients: readonly string[];
  /** Empty for bounces. */
  envelopeFrom: string;
  raw: Buffer;
}

/** RFC 5321, section 6.3: no route to a mailbox is that long. */
const mostHops = 100;
/** The same message for the same addresses may arrive twice for good reasons, but never four times. */
const mostRepeats = 3;
const mostAnswered = 10;

const goingInCircles = () =>
  new AppError("VALIDATION_ERROR", "The message is going in circles: it has been here before.");

/** A row to be written, as the statement reads it. */
interface NewMail {
  id: string;
  project_id: string;
  fingerprint: string;
  envelope_from: string;
  recipients: readonly string[];
  from_email: string;
  from_name: string;
  subject: string;
  header_id: string | null;
  in_reply_to: string | null;
  reference_ids: readonly string[];
  /** Our emails that it may be answering (uuids), likeliest first. */
  answers: readonly string[];
  automatic: boolean;
  checks: OriginChecks;
  text: string;
  html: string | null;
  attachments: readonly InboundAttachment[];
  route_patterns: readonly string[];
  unrouted: boolean;
  size: number;
}

interface Waiting {
  mail: NewMail;
  raw: Buffer;
}

interface ResultRow extends Record<string, unknown> {
  id: string;
  loops: boolean;
  told: boolean;
}

/** A reply quotes our own ids; for ids set by a relay's client or by a provider, we know which email has them. */
async function answeredBy(
  db: Database,
  projectId: string,
  { inReplyTo, references }: ReceivedMail["mail"],
): Promise<string[]> {
  const ids = [...(inReplyTo === null ? [] : [inReplyTo]), ...references.toReversed()];
  const own = ids.flatMap((id) => decodeId("email", id.split("@", 1)[0] ?? "") ?? []);
  if (own.length > 0) return own.slice(0, mostAnswered);
  const [email, another] =
    inReplyTo === null ? [] : await findRelayedEmails(db, projectId, inReplyTo);
  if (email !== undefined) return another === undefined ? [email] : [];
  return findTakenEmails({ db, projectId }, ids.slice(0, mostAnswered));
}

async function toRow(
  db: Database,
  { projectId, patterns, recipients, envelopeFrom, raw }: Delivered,
  { mail, checks }: ReceivedMail,
): Promise<NewMail> {
  const sorted = recipients.toSorted();
  const chosen = sorted.map((address) => patternFor(patterns, address));
  return {
    id: newId(projectId),
    project_id: projectId,
    fingerprint: sha256(Buffer.concat([sha256(raw), Buffer.from(sorted.join("\n"))])).toString(
      "hex",
    ),
    envelope_from: storableText(envelopeFrom).slice(0, 320),
    recipients: sorted,
    from_email: mail.from.email,
    from_name: mail.from.name,
    subject: mail.subject,
    header_id: mail.headerId,
    in_reply_to: mail.inReplyTo,
    reference_ids: mail.references,
    answers: await answeredBy(db, projectId, mail),
    automatic: mail.automatic || envelopeFrom === "",
    checks,
    text: mail.text,
    html: mail.html,
    attachments: mail.attachments,
    route_patterns: [...new Set(chosen.filter((pattern) => pattern !== null))],
    unrouted: chosen.includes(null),
    size: raw.length,
  };
}

/** For the mail in `given`: who wrote it, what it answers, and whether it has arrived too often. */
const withOrigin = sql`
  select given.*, ${contacts.id} as sender_id, answered.email_id, answered.contact_id as answered_by,
    (select count(*) from ${inboundEmails}
      where ${inboundEmails.projectId} = given.project_id
        and ${inboundEmails.headerId} = given.header_id
        and ${inboundEmails.recipients} && given.recipients
        and ${inboundEmails.fingerprint} <> decode(given.fingerprint, 'hex')) >= ${sql.raw(String(mostRepeats))} as loops
  from given
    left join ${contacts} on ${contacts.projectId} = given.project_id
      and lower(${contacts.email}) = lower(given.from_email)
    left join lateral (
      select ${emails.id} as email_id, ${personOf(emails.contactId)} as contact_id
      from unnest(given.answers) with ordinality as answer(id, rank)
        join ${emails} on ${emails.id} = answer.id and ${ownedBy(emails.projectId, sql`given.project_id`)}
      order by answer.rank limit 1
    ) answered on true`;

/**
 * Who is notified of a mail: the endpoints of its routes or, if one of its recipients has no route, all that
 * listen.
 */
const hears = sql`${webhooks.projectId} = told.project_id and ${webhooks.enabled} and exists (
  select from taken where taken.id = told.id and (
    ${webhooks.id} in (select ${inboundRoutes.webhookId} from ${inboundRoutes}
      where ${inboundRoutes.projectId} = taken.project_id
        and ${inboundRoutes.pattern} = any(taken.route_patterns))
    or taken.unrouted and ${webhooks.events} && array['*', 'email.received']))`;

/** Stores mail of several sessions in one statement, and notifies the right endpoints. */
async function keep(db: Database, waiting: Waiting[]): Promise<(true | Error)[]> {
  // In the order of their keys, so that two statements with the same mail do not wait for each other.
  const sorted = waiting.toSorted((left, right) =>
    left.mail.fingerprint < right.mail.fingerprint ? -1 : 1,
  );
  // Base64, since the driver would serialize bytea as text of twice the size.
  const rows = await retryConflicts(() =>
    executePrepared<ResultRow>(
      db,
      sql`
      with given as materialized (
        select mail.*, entry.raw from unnest(
          ${sql.param(sorted.map(({ mail }) => JSON.stringify(mail)))}::text[],
          ${sql.param(sorted.map(({ raw }) => raw.toString("base64")))}::text[]
        ) with ordinality as entry(mail, raw, position)
        cross join lateral jsonb_to_record(entry.mail::jsonb) as mail(
          id uuid, project_id uuid, fingerprint text, envelope_from text, recipients text[],
          from_email text, from_name text, subject text, header_id text, in_reply_to text,
          reference_ids text[], answers uuid[], automatic boolean, checks jsonb, text text, html text,
          attachments jsonb, route_patterns text[], unrouted boolean, size int)
        order by entry.position
      ), known as materialized (${withOrigin}
      ), taken as (
        ${insertSelected(inboundEmails, {
          id: sql`id`,
          projectId: sql`project_id`,
          envelopeFrom: sql`envelope_from`,
          recipients: sql`recipients`,
          fromEmail: sql`from_email`,
          fromName: sql`from_name`,
          subject: sql`subject`,
          headerId: sql`header_id`,
          inReplyTo: sql`in_reply_to`,
          references: sql`reference_ids`,
          emailId: sql`email_id`,
          automatic: sql`automatic`,
          checks: sql`checks`,
          text: sql`text`,
          html: sql`html`,
          attachments: sql`attachments`,
          routePatterns: sql`route_patterns`,
          unrouted: sql`unrouted`,
          size: sql`size`,
          fingerprint: sql`decode(fingerprint, 'hex')`,
          contactId: sql`coalesce(sender_id, answered_by)`,
          raw: sql`decode(raw, 'base64')`,
        })}
        from known where not loops
        on conflict do nothing
        returning ${columns(
          ...[inboundEmails.id, inboundEmails.projectId, inboundEmails.routePatterns],
          ...[inboundEmails.unrouted, inboundEmails.createdAt],
        )}
      ), ${toldEvents(
        sql`${insertSelected(projectEvents, {
          id: sql`id`,
          projectId: sql`project_id`,
          createdAt: sql`created_at`,
          event: sql`'email.received'`,
          subjectId: sql`id`,
          data: sql`'{}'::jsonb`,
        })} from taken`,
        { kept: sql`kept`, deliveries: sql`deliveries`, hears },
      )}
      select known.id, known.loops, exists (select from deliveries) as told from known`,
    ),
  );
  if (rows.some(({ told }) => told)) announce(db, "webhooks_due");
  const loops = new Set(rows.filter((row) => row.loops).map(({ id }) => id));
  return waiting.map(({ mail }) => (loops.has(mail.id) ? goingInCircles() : true));
}

/** One mail's fault must not refuse its neighbours. */
async function keepGroup(db: Database, waiting: Waiting[]): Promise<(true | Error)[]> {
  try {
    return await keep(db, waiting);
  } catch (error) {
    if (waiting.length === 1) throw error;
    const settled = await Promise.allSettled(waiting.map((one) => keep(db, [one])));
    return settled.map((one) =>
      one.status === "fulfilled" ? (one.value[0] ?? true) : (one.reason as Error),
    );
  }
}

const keepShared = coalesceFor(keepGroup, {
  concurrency: 2,
  largestBatch: 64,
  weigh: ({ raw }: Waiting) => raw.length,
  largestWeight: 8 * 1024 * 1024,
});

/**
 * Stores a mail for a project and notifies its webhooks; resolves after the commit. Mail that arrives twice is
 * stored once. Throws VALIDATION_ERROR for mail that goes in circles.
 */
export async function takeInbound(
  db: Database,
  delivered: Delivered,
  received: ReceivedMail,
): Promise<void> {
  if (received.mail.hops > mostHops) throw goingInCircles();
  const mail = await toRow(db, delivered, received);
  const result = await keepShared(db, { mail, raw: delivered.raw });
  if (result instanceof Error) throw result;
}
