import { sql, type SQL } from "drizzle-orm";
import { isTrouble } from "@/db/enums";
import { campaigns, contacts, emails, hourlyFigures } from "@/db/schema";
import { byIds, ownedBy } from "@/lib/ground/by-id";
import type { Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { withinDates } from "@/lib/ground/paging/date-bounds";
import { containing } from "@/lib/ground/paging/like";
import { findNamedEmails } from "./message-ids";
import { mostRecipients } from "./send-schema";
import { storedEmailSource, type EmailQuery, type LogEvent } from "./schema";

/** What a row shows once it has happened, and the figure that counts it. */
const happened: Record<LogEvent, { seen: SQL; figure: SQL }> = {
  sent: { seen: sql`${emails.sentAt} is not null`, figure: sql`${hourlyFigures.sent}` },
  delivered: {
    seen: sql`${emails.deliveredAt} is not null`,
    figure: sql`${hourlyFigures.delivered}`,
  },
  opened: { seen: sql`${emails.openedAt} is not null`, figure: sql`${hourlyFigures.opened}` },
  clicked: { seen: sql`${emails.clickedAt} is not null`, figure: sql`${hourlyFigures.clicked}` },
  unsubscribed: {
    seen: sql`${emails.unsubscribedAt} is not null`,
    figure: sql`${hourlyFigures.unsubscribed}`,
  },
  bounced: { seen: sql`${emails.trouble} = 'BOUNCED'`, figure: sql`${hourlyFigures.bounced}` },
  complained: {
    seen: sql`${emails.trouble} = 'COMPLAINED'`,
    figure: sql`${hourlyFigures.complained}`,
  },
  failed: { seen: sql`${emails.trouble} = 'FAILED'`, figure: sql`${hourlyFigures.failed}` },
};

/**
 * What has happened to an email. Where no figure counts any such email the log is not read at all: it would
 * be read to its end in vain.
 */
function eventConditions(ctx: Context, event: LogEvent, campaignId: string | null): SQL[] {
  const { seen, figure } = happened[event];
  const ofCampaign = campaignId ? sql` and ${hourlyFigures.campaignId} = ${campaignId}` : sql``;
  return [
    seen,
    sql`exists (select from ${hourlyFigures}
      where ${hourlyFigures.projectId} = ${ctx.projectId}${ofCampaign} and ${figure} > 0)`,
  ];
}

/** Keeps to the stretch of the log in which the campaign wrote its emails. Throws NOT_FOUND. */
async function campaignConditions(ctx: Context, campaignId: string): Promise<SQL[]> {
  const [row] = await ctx.db.execute<{ begun: string | null; done: string | null }>(sql`
    select ${campaigns.startedAt} as begun, ${campaigns.audienceDoneAt} + interval '1 minute' as done
    from ${campaigns}
    where ${campaigns.projectId} = ${ctx.projectId} and ${campaigns.id} = ${campaignId}`);
  if (!row) throw notFound();
  return [
    sql`${emails.campaignId} = ${campaignId}`,
    sql`${emails.createdAt} >= ${row.begun}::timestamptz`,
    ...(row.done === null ? [] : [sql`${emails.createdAt} < ${row.done}::timestamptz`]),
  ];
}

/** Few emails, by their ids. */
async function namedConditions(ctx: Context, messageId: string): Promise<SQL[]> {
  const uuids = await findNamedEmails(ctx, messageId, mostRecipients);
  return [byIds(emails, ctx.projectId, uuids)];
}

/** As many people's mail is looked up and sorted; of more, the log is read until a page is full. */
const fewPeople = 200;

/** Mail to people with this in their address, found by the trigrams of their index. */
async function searchConditions({ db, projectId }: Context, search: string): Promise<SQL[]> {
  const pattern = containing(search);
  const found = sql`
    select ${contacts.id} from ${contacts}
    where ${contacts.projectId} = ${projectId} and ${contacts.email} ilike ${pattern}
      and (${contacts.email} || ' ' || ${contacts.firstName} || ' ' || ${contacts.lastName})
        ilike ${pattern}`;
  // Materialized: for the sake of the limit, people would be read in another order until there are enough.
  const people = await db.execute<{ id: string }>(sql`
    with found as materialized (${found}) select id from found limit ${fewPeople + 1}`);
  return people.length <= fewPeople
    ? [
        sql`${emails.contactId} = any(${sql.param(people.map(({ id }) => id))}::uuid[])`,
        ownedBy(emails.projectId, projectId),
      ]
    : [
        sql`${emails.projectId} = ${projectId}`,
        sql`${emails.contactId} in (select unnest(array(${found}))) is true`,
      ];
}

/** Where the log is read: by ids, by people, or all of the project's. */
async function placeConditions(ctx: Context, query: EmailQuery): Promise<SQL[]> {
  const { messageId, search } = query;
  const searched = search ? await searchConditions(ctx, search) : [];
  if (messageId) return [...(await namedConditions(ctx, messageId)), ...searched];
  return search ? searched : [sql`${emails.projectId} = ${ctx.projectId}`];
}

/** The conditions of a query of the log, all but its cursor. Throws NOT_FOUND for the campaign. */
export async function logConditions(ctx: Context, query: EmailQuery): Promise<SQL[]> {
  const conditions = [
    ...(await placeConditions(ctx, query)),
    ...withinDates(sql`${emails.createdAt}`, query),
  ];
  const campaignId = query.campaignId === undefined ? null : decodeId("campaign", query.campaignId);
  if (query.campaignId !== undefined) {
    if (!campaignId) throw notFound();
    conditions.push(...(await campaignConditions(ctx, campaignId)));
  }
  if (query.event) conditions.push(...eventConditions(ctx, query.event, campaignId));
  if (query.status) {
    const column = isTrouble(query.status) ? sql`${emails.trouble}` : sql`${emails.status}`;
    conditions.push(sql`${column} = ${query.status}`);
  }
  if (query.source) conditions.push(sql`${emails.source} = ${storedEmailSource(query.source)}`);
  return conditions;
}
