import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { alias } from "drizzle-orm/pg-core";
import { contacts, emails } from "@/db/schema";
import { limitStatements } from "@/db/time-limit";
import { findContactRow } from "@/lib/domain/contacts/contacts";
import { mailOf, measuredOf } from "@/lib/domain/segments/email-conditions";
import { notSuppressed } from "@/lib/domain/contact-states/suppressed";
import { requireRole, type Context } from "@/lib/ground/context";
import { isoTime } from "@/lib/ground/iso-time";
import { explainScore } from "./explain-score";
import { sunsetDays, sunsetEmails, type Engagement, type SunsetSuggestions } from "./schema";

interface Row extends Record<string, unknown> {
  score: number | null;
  inactive_days: number | null;
  sent: number;
  opened: number;
  clicked: number;
  last_seen_at: string | null;
  last_sent_at: string | null;
}

/** How a contact (id or address) responds to the project's mail. Throws NOT_FOUND. Needs viewer. */
export async function getEngagement(ctx: Context, contactId: string): Promise<Engagement> {
  requireRole(ctx, "viewer");
  const contact = await findContactRow(ctx.db, ctx, contactId);
  const [row] = await ctx.db.execute<Row>(measuredOf(ctx.projectId, contact.id));
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
  return { ...figures, explanation: explainScore(figures) };
}

const e = alias(emails, "e");
const longestCountSeconds = 20;

/** Cached by project: counting reads all of its mail, and the answer changes only from day to day. */
const counted = new LRUCache<string, SunsetSuggestions>({ max: 1_000, ttl: 600_000 });

/**
 * How many people whom campaigns reach have opened and clicked nothing for months although mail was sent
 * to them: one pass over the project's mail, cached for ten minutes. Needs viewer.
 */
export async function suggestSunset(ctx: Context): Promise<SunsetSuggestions> {
  requireRole(ctx, "viewer");
  const remembered = counted.get(ctx.projectId);
  if (remembered) return remembered;
  const suggestions = await ctx.db.transaction(async (tx) => {
    await limitStatements(tx, longestCountSeconds);
    const [row] = await tx.execute<{ counts: number[]; subscribed: number }>(sql`
      with idle as (
        select ${e.contactId}, app_now()
            - coalesce(max(greatest(${e.openedAt}, ${e.clickedAt})), min(${e.sentAt})) as since
        from ${mailOf(ctx.projectId)}
        where ${e.sentAt} is not null
        group by ${e.contactId}
        having count(*) filter (where ${e.sentAt} > app_now() - interval '180 days'
          and ${e.openedAt} is null and ${e.clickedAt} is null) >= ${sunsetEmails}
      ), reachable as (
        select ${contacts.id} from ${contacts}
        where ${contacts.projectId} = ${ctx.projectId} and ${contacts.consent} = 'subscribed'
          and ${notSuppressed(contacts.projectId, contacts.email)}
      )
      select count(*)::int as subscribed, array[${sql.join(
        sunsetDays.map(
          (days) =>
            sql`count(*) filter (where idle.since > make_interval(days => ${days}::int))::int`,
        ),
        sql`, `,
      )}] as counts
      from reachable left join idle on idle.contact_id = reachable.id`);
    return {
      data: sunsetDays.map((days, index) => ({ days, count: row?.counts[index] ?? 0 })),
      subscribed: row?.subscribed ?? 0,
    };
  });
  counted.set(ctx.projectId, suggestions);
  return suggestions;
}
