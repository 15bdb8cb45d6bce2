import { sql, type SQL } from "drizzle-orm";
import { isTrouble, type EmailEventName, type EmailSource, type EmailStatus } from "@/db/enums";
import { withinDates } from "@/lib/ground/paging/date-bounds";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursorParts } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { contactVariables } from "@/lib/mail/content/liquid";
import { renderOne } from "@/lib/mail/content/rendering";
import { messageIdOf } from "@/lib/mail/message/message-id";
import {
  publicEmailSource,
  storedEmailSource,
  type EmailQuery,
  type EmailRecord,
  type EmailSummary,
} from "./schema";

interface SummaryRow extends Record<string, unknown> {
  id: string;
  status: EmailStatus;
  source: EmailSource;
  recipient: string | null;
  opens: number;
  clicks: number;
  sent_at: string | null;
  created_at: string;
  /** created_at to the microsecond, as the cursor needs it. */
  created_key: string;
  /** What this person got, once it was rendered. */
  own_subject: string | null;
  message_subject: string;
  liquid: boolean;
  data: Record<string, unknown> | null;
  contact_id: string | null;
  contact_email: string | null;
  first_name: string | null;
  last_name: string | null;
  tags: string[] | null;
  contact_data: Record<string, unknown> | null;
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
  e.id, e.status, e.source, e.recipient, e.opens, e.clicks, e.sent_at, e.created_at,
  to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_key,
  e.subject as own_subject, m.subject as message_subject, m.liquid, m.data,
  c.id as contact_id, c.email as contact_email, c.first_name, c.last_name, c.tags,
  c.data as contact_data`;

const tables = sql`
  emails e join messages m on m.id = e.message_id left join contacts c on c.id = e.contact_id`;

function iso(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}

/** The subject this person gets: what was sent, or for mail that waits, what would be sent now. */
async function subjectOf(ctx: Context, row: SummaryRow): Promise<string> {
  if (row.own_subject !== null || !row.liquid) return row.own_subject ?? row.message_subject;
  const variables = contactVariables(
    {
      email: row.recipient ?? "",
      firstName: row.first_name ?? "",
      lastName: row.last_name ?? "",
      tags: row.tags ?? [],
      data: row.contact_data ?? {},
    },
    row.data ?? {},
  );
  try {
    const template = { source: row.message_subject, kind: "subject", path: "subject" } as const;
    return (await renderOne(ctx.projectId, template, variables)).rendered;
  } catch {
    // Data can take a template over its bounds; the record is still to be seen.
    return row.message_subject;
  }
}

async function toSummary(ctx: Context, row: SummaryRow): Promise<EmailSummary> {
  return {
    id: encodeId("email", row.id),
    subject: await subjectOf(ctx, row),
    status: row.status,
    sentAt: iso(row.sent_at),
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

/** The log, newest first. */
export async function listEmails(ctx: Context, query: EmailQuery): Promise<Page<EmailSummary>> {
  requireRole(ctx, "viewer");
  const conditions = [
    sql`e.project_id = ${ctx.projectId}`,
    ...withinDates(sql`e.created_at`, query),
  ];
  if (query.status) {
    const column = isTrouble(query.status) ? sql`e.trouble` : sql`e.status`;
    conditions.push(sql`${column} = ${query.status}`);
  }
  if (query.source) conditions.push(sql`e.source = ${storedEmailSource(query.source)}`);
  if (query.search) {
    // The contacts' trigram index finds the people; the log is keyed by contact.
    const pattern = containing(query.search);
    conditions.push(sql`e.contact_id in (
      select id from contacts
      where project_id = ${ctx.projectId} and email ilike ${pattern}
        and (email || ' ' || first_name || ' ' || last_name) ilike ${pattern})`);
  }
  if (query.cursor !== undefined) {
    const [at = "", id = ""] = readCursorParts(query.cursor, 2);
    const uuid = decodeId("email", id);
    if (!uuid || Number.isNaN(Date.parse(at))) {
      throw invalid("cursor", "is not a cursor of this list");
    }
    conditions.push(sql`(e.created_at, e.id) < (${at}::timestamptz, ${uuid}::uuid)`);
  }
  const rows = await ctx.db.execute<SummaryRow>(sql`
    select ${summaryColumns} from ${tables}
    where ${sql.join(conditions, sql` and `)}
    order by e.created_at desc, e.id desc
    limit ${query.limit + 1}`);
  const page = pageOf(
    [...rows],
    query.limit,
    (row) => toSummary(ctx, row),
    (row) => [row.created_key, encodeId("email", row.id)],
  );
  return { ...page, data: await Promise.all(page.data) };
}

/** One email with its events, oldest first. Throws NOT_FOUND. */
export async function getEmail(ctx: Context, id: string): Promise<EmailRecord> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("email", id);
  if (!uuid) throw notFound();
  const [row] = await ctx.db.execute<RecordRow>(sql`
    select ${summaryColumns}, r.header_id, m.from_email, m.from_name, m.template_id, m.metadata, e.campaign_id,
      e.delivered_at, e.opened_at, e.clicked_at, e.bounced_at, e.complained_at,
      case when e.status = 'PENDING' and e.attempts = 0 and e.lease_id is null
        and e.due_at > e.created_at then e.due_at end as scheduled_at,
      coalesce((
        select jsonb_agg(jsonb_build_object('name', v.name, 'data', v.data, 'at', v.created_at)
          order by v.created_at, v.id)
        from email_events v where v.email_id = e.id), '[]') as events
    from ${tables} left join relayed_messages r on r.message_id = e.message_id
    where e.project_id = ${ctx.projectId} and e.id = ${uuid}`);
  if (!row) throw notFound();
  return {
    ...(await toSummary(ctx, row)),
    from: row.from_email,
    fromName: row.from_name,
    deliveredAt: iso(row.delivered_at),
    openedAt: iso(row.opened_at),
    clickedAt: iso(row.clicked_at),
    bouncedAt: iso(row.bounced_at),
    complainedAt: iso(row.complained_at),
    scheduledAt: iso(row.scheduled_at),
    template: row.template_id
      ? { id: encodeId("template", row.template_id), subject: row.message_subject }
      : null,
    messageId: row.header_id ?? messageIdOf(row.id, row.from_email),
    campaignId: row.campaign_id ? encodeId("campaign", row.campaign_id) : null,
    metadata: row.metadata ?? {},
    events: [
      // Accepting is the row itself; a row of its own for it would double the cost of accepting.
      { name: "queued" as const, data: {}, createdAt: new Date(row.created_at).toISOString() },
      ...row.events.map((event) => ({
        name: event.name,
        data: event.data,
        createdAt: new Date(event.at).toISOString(),
      })),
    ],
  };
}
