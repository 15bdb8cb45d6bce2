import { sql, type SQL } from "drizzle-orm";
import { isTrouble, variantNames } from "@/db/enums";
import { contacts, emails, hourlyFigures } from "@/db/schema";
import { mailToStrangers, strangerOf, strangersMail } from "@/lib/domain/contact-states/strangers";
import { byIds, ownedBy } from "@/lib/ground/by-id";
import { wasHandedOver } from "@/lib/domain/receivers/provider-figures";
import { isAtProvider } from "@/lib/domain/receivers/receiver-of";
import type { Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { withinDates } from "@/lib/ground/paging/date-bounds";
import { containing } from "@/lib/ground/paging/like";
import { campaignStretch, withinStretch, type Stretch } from "./log-stretches";
import { findNamedEmails } from "./message-ids";
import { mostRecipients } from "./send-schema";
import { hasClicked } from "./log-clicks";
import type { LogQuery } from "./log-schema";
import { storedEmailSource, type CountedEvent } from "./terms";

/** What a row shows once it has happened, and the figure that counts it. */
const happened: Record<CountedEvent, { seen: SQL; figure: SQL }> = {
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
  handed_over: { seen: wasHandedOver(emails), figure: sql`${hourlyFigures.sent}` },
  failed: { seen: sql`${emails.trouble} = 'FAILED'`, figure: sql`${hourlyFigures.failed}` },
};

/**
 * SQL: whether any figure counts such an email. Where none does the log is not read at all: it would be read to its end
 * in vain.
 */
function wasCounted(ctx: Context, event: CountedEvent, campaignId: string | null): SQL {
  const ofCampaign = campaignId ? sql` and ${hourlyFigures.campaignId} = ${campaignId}` : sql``;
  return sql`exists (select from ${hourlyFigures}
    where ${hourlyFigures.projectId} = ${ctx.projectId}${ofCampaign} and ${happened[event].figure} > 0)`;
}

/** Few emails, by their ids. */
async function namedConditions(ctx: Context, messageId: string): Promise<SQL[]> {
  const uuids = await findNamedEmails(ctx, messageId, mostRecipients);
  return [byIds(emails, ctx.projectId, uuids)];
}

/** As many people's mail is looked up and sorted; of more, the log is read until a page is full. */
const fewPeople = 200;

/** SQL: the contacts (id) with this in their address, found by the trigrams of their index. */
function peopleWith(projectId: string, search: string): SQL {
  const pattern = containing(search);
  return sql`
    select ${contacts.id} from ${contacts}
    where ${contacts.projectId} = ${projectId} and ${contacts.email} ilike ${pattern}
      and (${contacts.email} || ' ' || ${contacts.firstName} || ' ' || ${contacts.lastName})
        ilike ${pattern}`;
}

/**
 * So much mail to people who were no contacts is looked through for part of an address; where there is more, only what went
 * to the whole address is found.
 */
const mostToStrangers = 5_000;

/** What an address is searched by finds, as uuids. */
export interface FoundByAddress {
  people: string[];
  /** Emails to people who were no contacts. */
  toStrangers: string[];
}

/** null when it finds many people. */
export async function fewFoundByAddress(
  { db, projectId }: Context,
  search: string,
): Promise<FoundByAddress | null> {
  // Materialized: for the sake of the limit, people would be read in another order until there are enough.
  const [row] = await db.execute<{ people: string[]; strangers: string[] }>(sql`
    with found as materialized (${peopleWith(projectId, search)}), mail as materialized (
      ${strangersMail(projectId, mostToStrangers + 1)}
    )
    select array(select id from found limit ${fewPeople + 1}) as people, array(
      select mail.id from mail where mail.recipient ilike ${containing(search)}
        and (select count(*) from mail) <= ${mostToStrangers}
      union (${mailToStrangers(projectId, [search])} limit ${mostToStrangers})) as strangers`);
  if (!row) throw new Error("A select of values returned no row.");
  return row.people.length > fewPeople ? null : { people: row.people, toStrangers: row.strangers };
}

/** SQL: the email went to somebody who was no contact, with this in their address. */
const strangerHas = (search: string) => sql`${strangerOf} ilike ${containing(search)}`;

/** SQL: the same of anybody, for an email that is met on the way. */
export const addressHas = (search: string): SQL => sql`coalesce(
  (select ${contacts.email} ilike ${containing(search)} from ${contacts}
    where ${contacts.id} = ${emails.contactId}), ${strangerHas(search)})`;

async function searchConditions(ctx: Context, search: string): Promise<SQL[]> {
  const found = await fewFoundByAddress(ctx, search);
  const { contactId, id, projectId } = emails;
  if (!found) {
    const people = sql`select unnest(array(${peopleWith(ctx.projectId, search)}))`;
    return [
      sql`${projectId} = ${ctx.projectId}`,
      sql`(${contactId} in (${people}) or ${strangerHas(search)}) is true`,
    ];
  }
  const ofPeople = sql`${contactId} = any(${sql.param(found.people)}::uuid[])`;
  const toStrangers = sql`${id} = any(${sql.param(found.toStrangers)}::uuid[])`;
  return [
    found.toStrangers.length > 0 ? sql`(${ofPeople} or ${toStrangers})` : ofPeople,
    ownedBy(projectId, ctx.projectId),
  ];
}

/** Where the log is read: by ids, by people, or all of the project's. */
async function placeConditions(ctx: Context, query: LogQuery): Promise<SQL[]> {
  const { messageId, search } = query;
  const searched = search ? await searchConditions(ctx, search) : [];
  if (messageId) return [...(await namedConditions(ctx, messageId)), ...searched];
  return search ? searched : [sql`${emails.projectId} = ${ctx.projectId}`];
}

/** What a query asks of each email by itself, wherever it is found. */
export interface RowConditions {
  conditions: SQL[];
  /** Of the campaign that is asked for. */
  stretch: Stretch | null;
  /** SQL: false where it is known that there is none. */
  counted: SQL | null;
  /** uuid */
  campaignId: string | null;
}

/** Throws NOT_FOUND for the campaign, VALIDATION_ERROR for what only a campaign has. */
export async function rowConditions(ctx: Context, query: LogQuery): Promise<RowConditions> {
  const conditions: SQL[] = [];
  const campaignId = query.campaignId === undefined ? null : decodeId("campaign", query.campaignId);
  if (query.campaignId !== undefined && !campaignId) throw notFound();
  const stretch = campaignId ? await campaignStretch(ctx, campaignId) : null;
  if (campaignId) conditions.push(sql`${emails.campaignId} = ${campaignId}`);
  if (query.event) conditions.push(happened[query.event].seen);
  if (query.status) {
    const column = isTrouble(query.status) ? sql`${emails.trouble}` : sql`${emails.status}`;
    conditions.push(sql`${column} = ${query.status}`);
  }
  if (query.source) conditions.push(sql`${emails.source} = ${storedEmailSource(query.source)}`);
  const { variant, link, provider } = query;
  if ((variant || link) && !campaignId) throw invalid("campaignId", "is required with it");
  if (variant) conditions.push(sql`${emails.variant} = ${1 + variantNames.indexOf(variant)}`);
  if (link && campaignId) conditions.push(...hasClicked(ctx.projectId, campaignId, link));
  if (provider) conditions.push(isAtProvider(sql`${emails.recipient}`, provider));
  const counted = query.event ? wasCounted(ctx, query.event, campaignId) : null;
  return { conditions, stretch, counted, campaignId };
}

/** The conditions of a query of the log, all but its content and its cursor. Throws NOT_FOUND for the campaign. */
export async function logConditions(ctx: Context, query: LogQuery): Promise<SQL[]> {
  const place = await placeConditions(ctx, query);
  const { conditions, stretch, counted } = await rowConditions(ctx, query);
  return [
    ...place,
    ...withinDates(sql`${emails.createdAt}`, query),
    ...(stretch ? withinStretch(stretch) : []),
    ...conditions,
    ...(counted ? [counted] : []),
  ];
}
