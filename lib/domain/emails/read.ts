import { sql } from "drizzle-orm";
import type { EmailEventName, EmailSource, EmailStatus } from "@/db/enums";
import { contacts, emailEvents, emailQueue, emails, messages, relayedMessages } from "@/db/schema";
import { personOf } from "@/lib/domain/contact-states/merged";
import { byId, byIds } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, writeCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { isoTime } from "@/lib/ground/iso-time";
import { messageIdOf } from "@/lib/mail/message/message-id";
import { logConditions } from "./log-conditions";
import { askedContent, emailHas, type AskedContent } from "./log-content";
import { behind, cursorAt, placeOf, timeKey, type LogPlace } from "./log-place";
import type { LogQuery } from "./log-schema";
import { looksUpEach, walkLog, type Walked } from "./log-walk";
import type { EmailPage, EmailRecord, EmailSummary } from "./schema";
import { publicEmailSource } from "./terms";
import { subjectColumns, subjectsOf, type SubjectRow } from "./subjects";

interface SummaryRow extends SubjectRow {
  id: string;
  status: EmailStatus;
  source: EmailSource;
  opens: number;
  clicks: number;
  sent_at: string | null;
  created_at: string;
  /** created_at to the microsecond, as the cursor needs it. */
  created_key: string;
  contact_id: string | null;
  contact_email: string | null;
}

interface RecordRow extends SummaryRow {
  /** The Message-ID that a relay's client gave it. */
  header_id: string | null;
  from_email: string;
  from_name: string;
  template_id: string | null;
  campaign_id: string | null;
  metadata: Record<string, string> | null;
  delivered_at: string | null;
  opened_at: string | null;
  clicked_at: string | null;
  bounced_at: string | null;
  complained_at: string | null;
  scheduled_at: string | null;
  events: { name: EmailEventName; data: Record<string, unknown>; at: string }[];
}

const summaryColumns = sql`
  ${emails.id}, ${emails.status}, ${emails.source},
  ${emails.opens}, ${emails.clicks}, ${emails.sentAt}, ${emails.createdAt},
  ${timeKey(sql`${emails.createdAt}`)} as created_key,
  ${contacts.id} as contact_id, ${contacts.email} as contact_email, ${subjectColumns}`;

const tables = sql`
  ${emails} join ${messages} on ${messages.id} = ${emails.messageId}
    left join ${contacts} on ${contacts.id} = ${personOf(emails.contactId)}`;

function toSummary(row: SummaryRow, subject: string): EmailSummary {
  return {
    id: encodeId("email", row.id),
    subject,
    status: row.status,
    sentAt: isoTime(row.sent_at),
    contact:
      row.contact_id && row.contact_email
        ? { id: encodeId("contact", row.contact_id), email: row.contact_email }
        : null,
    source: publicEmailSource(row.source),
    opens: row.opens,
    clicks: row.clicks,
    createdAt: new Date(row.created_at).toISOString(),
  };
}

/** What a query asks of each email by itself, whoever got it. */
const asksOfEmails = ({ status, event, source, campaignId, provider }: LogQuery) =>
  [status, event, source, campaignId, provider].some((asked) => asked !== undefined);

/**
 * The emails of a page as found by walking the log, or null where it is to be read to its end at once. That takes longer the
 * longer the log is, so it is for those who go on after an answer that came soon, and for many people's mail, of which a page
 * is found soon as a rule; what stands in messages, or is asked of people's mail, would take too long.
 */
async function walked(
  ctx: Context,
  query: LogQuery,
  content: AskedContent | null,
  place: LogPlace | null,
): Promise<Walked | null> {
  const asks = asksOfEmails(query);
  if (query.messageId || !(content || asks || query.search)) return null;
  const found = await walkLog(ctx, query, content, place, query.limit + 1);
  const readsToEnd =
    content === null && !looksUpEach(query) && (query.search ? !asks : place !== null);
  return found.reached !== null && readsToEnd ? null : found;
}

/**
 * The log, newest first. Throws NOT_FOUND for a campaign or template that the project never had, VALIDATION_ERROR for a
 * variant or link without a campaign.
 */
export async function listEmails(ctx: Context, query: LogQuery): Promise<EmailPage> {
  requireRole(ctx, "viewer");
  const place = placeOf(query.cursor);
  const content = await askedContent(ctx, query);
  const walk = await walked(ctx, query, content, place);
  const conditions = walk
    ? [
        byIds(
          emails,
          ctx.projectId,
          walk.found.map(({ id }) => id),
        ),
      ]
    : [
        ...(await logConditions(ctx, query)),
        ...(content ? [emailHas(content)] : []),
        ...(place ? [behind(place)] : []),
      ];
  const rows =
    walk?.found.length === 0
      ? []
      : await ctx.db.execute<SummaryRow>(sql`
    select ${summaryColumns} from ${tables}
    where ${sql.join(conditions, sql` and `)}
    order by ${emails.createdAt} desc, ${emails.id} desc
    limit ${query.limit + 1}`);
  const subjects = await subjectsOf(ctx, rows.slice(0, query.limit));
  const page = pageOf(
    [...rows],
    query.limit,
    (row) => toSummary(row, subjects.get(row) ?? ""),
    (row) => [row.created_key, encodeId("email", row.id)],
  );
  if (!walk) return page;
  if (!walk.reached) {
    // Mail that was deleted since it was found ends no page early.
    const last = walk.found.length > query.limit ? walk.found[query.limit - 1] : undefined;
    return last && !page.nextCursor ? { ...page, nextCursor: cursorAt(last) } : page;
  }
  return {
    ...page,
    nextCursor: cursorAt(walk.reached),
    searchedTo: new Date(walk.reached.at).toISOString(),
  };
}

/** The cursor of listEmails that continues after an email; throws VALIDATION_ERROR for `path` where there is none. */
export async function cursorAfterEmail(ctx: Context, id: string, path: string): Promise<string> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("email", id);
  const [row] = uuid
    ? await ctx.db.execute<{ created_key: string }>(sql`
        select ${timeKey(sql`${emails.createdAt}`)} as created_key
        from ${emails} where ${byId(emails, ctx.projectId, uuid)}`)
    : [];
  if (!row) throw invalid(path, "is not the id of an email of this project");
  return writeCursor(row.created_key, id);
}

/** One email with its events, oldest first. Throws NOT_FOUND. */
export async function getEmail(ctx: Context, id: string): Promise<EmailRecord> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("email", id);
  const [email] = uuid ? await readEmails(ctx, [uuid]) : [];
  if (!email) throw notFound();
  return email;
}

/** The records of a page of emails, in its order; those deleted meanwhile are left out. */
export async function listEmailRecords(ctx: Context, query: LogQuery): Promise<Page<EmailRecord>> {
  const { data, ...page } = await listEmails(ctx, query);
  const records = await readEmails(
    ctx,
    data.flatMap(({ id }) => decodeId("email", id) ?? []),
  );
  const byId = new Map(records.map((record) => [record.id, record]));
  return { ...page, data: data.flatMap(({ id }) => byId.get(id) ?? []) };
}

async function readEmails(ctx: Context, uuids: readonly string[]): Promise<EmailRecord[]> {
  if (uuids.length === 0) return [];
  const rows = await ctx.db.execute<RecordRow>(sql`
    select ${summaryColumns}, ${relayedMessages.headerId}, ${messages.fromEmail},
      ${messages.fromName}, ${messages.templateId}, ${messages.metadata}, ${emails.campaignId},
      ${emails.deliveredAt}, ${emails.openedAt}, ${emails.clickedAt}, ${emails.bouncedAt},
      ${emails.complainedAt},
      case when ${emails.status} = 'PENDING' and ${emailQueue.attempts} = 0
        and ${emailQueue.leaseId} is null and ${emailQueue.dueAt} > ${emails.createdAt}
        and ${emailQueue.dueAt} < 'infinity'
        then ${emailQueue.dueAt} end as scheduled_at,
      coalesce((
        select jsonb_agg(jsonb_build_object(
            'name', ${emailEvents.name}, 'data', ${emailEvents.data}, 'at', ${emailEvents.createdAt})
          order by ${emailEvents.createdAt}, ${emailEvents.id})
        from ${emailEvents} where ${emailEvents.emailId} = ${emails.id}), '[]') as events
    from ${tables}
      left join ${relayedMessages} on ${relayedMessages.messageId} = ${emails.messageId}
      left join ${emailQueue} on ${emailQueue.emailId} = ${emails.id}
    where ${byIds(emails, ctx.projectId, uuids)}`);
  const subjects = await subjectsOf(ctx, rows);
  return rows.map((row) => toRecord(row, subjects.get(row) ?? ""));
}

function toRecord(row: RecordRow, subject: string): EmailRecord {
  return {
    ...toSummary(row, subject),
    from: row.from_email,
    fromName: row.from_name,
    deliveredAt: isoTime(row.delivered_at),
    openedAt: isoTime(row.opened_at),
    clickedAt: isoTime(row.clicked_at),
    bouncedAt: isoTime(row.bounced_at),
    complainedAt: isoTime(row.complained_at),
    scheduledAt: isoTime(row.scheduled_at),
    template: row.template_id
      ? { id: encodeId("template", row.template_id), subject: row.message_subject }
      : null,
    messageId: row.header_id ?? messageIdOf(row.id, row.from_email),
    campaignId: row.campaign_id ? encodeId("campaign", row.campaign_id) : null,
    metadata: row.metadata ?? {},
    events: [
      // Acceptance is the row itself; recording it as a separate event would double the cost of accepting.
      { name: "queued" as const, data: {}, createdAt: new Date(row.created_at).toISOString() },
      ...row.events.map((event) => ({
        name: event.name,
        data: event.data,
        createdAt: new Date(event.at).toISOString(),
      })),
    ],
  };
}
