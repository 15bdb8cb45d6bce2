import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { emails, messages } from "@/db/schema";
import { isAmong } from "@/lib/domain/contact-states/contact-alias";
import { decodeId } from "@/lib/ground/ids/ids";
import type { CountField } from "./condition-schema";
import type { Asked } from "./email-conditions";
import { afterLast, firstMoment, periodStart } from "./instants";
import type { SegmentFilter } from "./schema";

const e = alias(emails, "e");
const m = alias(messages, "m");

/** When it happened to an email; machines that fetch pictures and follow links leave no time. */
const times = {
  sentEmails: e.sentAt,
  openedEmails: e.openedAt,
  clickedEmails: e.clickedAt,
  bouncedEmails: e.bouncedAt,
} as const;

/** The emails `e` of the project that a condition counts. What a test key sent reached nobody. */
function counted(field: CountField, filter: SegmentFilter, projectId: string): SQL {
  const at = times[field];
  const { days, hours, from, to, campaign } = filter;
  const conditions = [sql`${e.projectId} = ${projectId}`, sql`${at} is not null`];
  if ((days ?? hours) !== undefined) conditions.push(sql`${at} >= ${periodStart(filter)}`);
  if (from !== undefined) conditions.push(sql`${at} >= ${firstMoment(from)}`);
  if (to !== undefined) conditions.push(sql`${at} < ${afterLast(to)}`);
  if (campaign !== undefined) {
    conditions.push(sql`${e.campaignId} = ${decodeId("campaign", campaign)}`);
  }
  conditions.push(sql`${e.messageId} in (select unnest(array(
      select ${m.id} from ${messages} m where ${m.projectId} = ${projectId} and ${m.test}))) is not true`);
  return sql.join(conditions, sql` and `);
}

/**
 * A number of emails to each contact `c`, of those `asked` about: counted for all of them together, read before they
 * are grouped as in `mailOf`. Whoever got none is in no group, and so has zero.
 */
export function countCondition(
  field: CountField,
  filter: SegmentFilter,
  projectId: string,
  asked: Asked,
): SQL {
  const amount = Number(filter.value);
  const having = (condition: SQL) =>
    isAmong(sql`
      select ${e.contactId} from (
        select ${e.contactId} from ${emails} e
        where ${counted(field, filter, projectId)} and ${e.contactId} is not null and ${asked(sql`${e.contactId}`)}
        offset 0
      ) e
      group by ${e.contactId} having ${condition}`);
  if (filter.op === "at_least") return having(sql`count(*) >= ${amount}::int`);
  if (filter.op === "at_most") return sql`not ${having(sql`count(*) > ${amount}::int`)}`;
  return amount === 0 ? sql`not ${having(sql`true`)}` : having(sql`count(*) = ${amount}::int`);
}

/** How many emails a condition counts for one contact, as a scalar; `id` is the contact's uuid. */
export const countOf = (field: CountField, filter: SegmentFilter, projectId: string, id: string) =>
  sql`(select count(*)::int from ${emails} e
    where ${e.contactId} = ${id} and ${counted(field, filter, projectId)})`;
