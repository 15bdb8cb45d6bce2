import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { contacts, emails, messages } from "@/db/schema";
import { findContactRow } from "@/lib/domain/contacts/contacts";
import { mailOf, measuredOf, recent } from "@/lib/domain/segments/email-conditions";
import { countByState } from "@/lib/domain/contact-states/count";
import { recordsOf } from "@/lib/domain/contact-states/merged";
import { notSuppressed } from "@/lib/domain/contact-states/suppressed";
import { ownedBy } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { isoTime } from "@/lib/ground/iso-time";
import { SharedReading } from "@/lib/ground/shared-reading";
import { slowRead } from "@/lib/ground/slow-reads";
import { explainScore } from "./explain-score";
import { sunsetDays, type Engagement, type SunsetSuggestions } from "./schema";
import { sunsetEmails } from "./terms";

const e = alias(emails, "e");

interface Row extends Record<string, unknown> {
  score: number | null;
  inactive_days: number | null;
  sent: number;
  opened: number;
  clicked: number;
  last_seen_at: string | null;
  last_sent_at: string | null;
}

/** A contact's mail by the month that it was sent in, for the last twelve; what a test key sent reached nobody. */
async function monthsOf(ctx: Context, ids: readonly string[]): Promise<Engagement["months"]> {
  const start = sql`date_trunc('month', app_now(), 'UTC')`;
  const rows = await ctx.db.execute<Engagement["months"][number]>(sql`
    select to_char(month at time zone 'UTC', 'YYYY-MM') as month, coalesce(figures.sent, 0)::int as sent,
      coalesce(figures.opened, 0)::int as opened, coalesce(figures.clicked, 0)::int as clicked
    from generate_series(0, 11) ago
      cross join lateral (select ${start} - make_interval(months => 11 - ago) as month) of_year
      left join (
        select date_trunc('month', ${e.sentAt}, 'UTC') as sent_month, count(*) as sent,
          count(*) filter (where coalesce(${e.openedAt}, ${e.clickedAt}) is not null) as opened,
          count(*) filter (where ${e.clickedAt} is not null) as clicked
        from ${emails} e
        where ${e.contactId} = any(${sql.param(ids)}::uuid[]) and ${ownedBy(e.projectId, ctx.projectId)}
          and ${e.sentAt} >= ${start} - interval '11 months'
          and (select ${messages.test} from ${messages} where ${messages.id} = ${e.messageId}) is not true
        group by 1
      ) figures on figures.sent_month = of_year.month
    order by ago`);
  return [...rows];
}

/** How a contact (id or address) responds to the project's mail. Throws NOT_FOUND. Needs viewer. */
export async function getEngagement(ctx: Context, contactId: string): Promise<Engagement> {
  requireRole(ctx, "viewer");
  const contact = await findContactRow(ctx.db, ctx, contactId);
  const { ids } = await recordsOf(ctx.db, contact);
  const [[row], months] = await Promise.all([
    ctx.db.execute<Row>(measuredOf(ctx.projectId, ids)),
    monthsOf(ctx, ids),
  ]);
  if (!row) throw new Error("An aggregate returned no row.");
  const figures = {
    score: row.score,
    lastSeenAt: isoTime(row.last_seen_at),
    lastSentAt: isoTime(row.last_sent_at),
    inactiveDays: row.inactive_days,
    sent: row.sent,
    opened: row.opened,
    clicked: row.clicked,
  };
  return { ...figures, explanation: explainScore(figures), months };
}

const longestCountSeconds = 20;

/** Cached by project: counting reads all of its mail, and the answer changes only from day to day. */
const counted = new SharedReading<SunsetSuggestions>({ max: 1_000, ttl: 600_000 });

const countIdle = (ctx: Context): Promise<SunsetSuggestions> =>
  slowRead(ctx, longestCountSeconds, async (tx) => {
    const [row] = await tx.execute<{ counts: number[] }>(sql`
      with idle as materialized (
        select ${e.contactId}, app_now()
            - coalesce(max(greatest(${e.openedAt}, ${e.clickedAt})), min(${e.sentAt})) as since
        from ${mailOf(ctx.projectId)}
        where ${e.sentAt} is not null
        group by ${e.contactId}
        having count(*) filter (where ${recent} and ${e.openedAt} is null and ${e.clickedAt} is null)
          >= ${sunsetEmails}
      )
      select array[${sql.join(
        sunsetDays.map(
          (days) =>
            sql`count(*) filter (where idle.since > make_interval(days => ${days}::int))::int`,
        ),
        sql`, `,
      )}] as counts
      from idle where idle.since > make_interval(days => ${Math.min(...sunsetDays)}::int) and (
        select true from ${contacts}
        where ${contacts.id} = idle.contact_id and ${contacts.consent} = 'subscribed'
          and ${notSuppressed(contacts.projectId, contacts.email)})`);
    const { reachable, excluded } = await countByState(tx, ctx.projectId, null);
    return {
      data: sunsetDays.map((days, index) => ({ days, count: row?.counts[index] ?? 0 })),
      subscribed: reachable + excluded.paused,
    };
  });

/**
 * How many people whom campaigns reach have opened and clicked nothing for months although mail was sent
 * to them: one pass over the project's mail, cached for ten minutes. Needs viewer.
 */
export async function suggestSunset(ctx: Context): Promise<SunsetSuggestions> {
  requireRole(ctx, "viewer");
  return counted.of(ctx.projectId, () => countIdle(ctx));
}
