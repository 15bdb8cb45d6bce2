import { sql, type Column, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { emails } from "@/db/schema";
import { c, isAmong } from "@/lib/domain/contact-states/contact-alias";
import type { campaignOutcomes } from "./condition-schema";
import { noConditions, type FieldConditions } from "./field-conditions";
import { earlier, later, millisecond, within } from "./instants";
import type { SegmentScalar } from "./schema";
import { ownedBy } from "@/lib/ground/by-id";

/** What people did with their mail, as conditions on `contacts c`. */
const e = alias(emails, "e");
const never = sql`false`;

/** When an email was last looked at; null if never. */
const seenAt = sql`greatest(${e.openedAt}, ${e.clickedAt})`;

const times = {
  lastOpenedAt: e.openedAt,
  lastClickedAt: e.clickedAt,
  lastSentAt: e.sentAt,
  lastSeenAt: seenAt,
} as const;

export const isLastTime = (field: string): field is keyof typeof times =>
  Object.hasOwn(times, field);

const ofContact = (projectId: string) => sql`${emails} e
    where ${e.contactId} = ${c.id} and ${ownedBy(e.projectId, projectId)}`;

/** A condition on the contacts in question, so that no more of their mail is read than needed. */
export type Asked = (contactId: SQL) => SQL;

/**
 * The project's mail to those asked about, as \`e\`. Read before it is grouped (that is what \`offset 0\` says):
 * through the index by contact it would come sorted, but from all over the table, which takes six times as long.
 */
export const mailOf = (projectId: string, asked: Asked = () => sql`true`) => sql`(
      select ${e.contactId}, ${e.sentAt}, ${e.openedAt}, ${e.clickedAt} from ${emails} e
      where ${e.projectId} = ${projectId} and ${e.contactId} is not null and ${asked(sql`${e.contactId}`)}
      offset 0
    ) e`;

/** The newest time of one kind among a contact's emails; missing when there is none. */
export function lastConditions(
  field: keyof typeof times,
  projectId: string,
  asked: Asked,
): FieldConditions {
  const column: Column | SQL = times[field];
  const has = (condition: SQL) =>
    isAmong(sql`
      select ${e.contactId} from ${mailOf(projectId, asked)} where ${condition} group by ${e.contactId}`);
  return {
    ...noConditions,
    equals: (values) =>
      sql`coalesce((select ${within(sql`max(${column})`, values)} from ${ofContact(projectId)}), false)`,
    compares(than, value) {
      const shown = millisecond(value);
      if (!shown) return never;
      // The last is earlier when there is one and none is not.
      return than === "gt"
        ? has(later(column, shown))
        : sql`(${has(earlier(column, shown))} and not ${has(sql`not ${earlier(column, shown)}`)})`;
    },
    since: (instant) => has(sql`${column} >= ${instant}`),
    before: (instant) =>
      sql`(${has(sql`${column} < ${instant}`)} and not ${has(sql`${column} >= ${instant}`)})`,
    exists: () => has(sql`${column} is not null`),
  };
}

type Outcome = (typeof campaignOutcomes)[number];
const arrived = sql`${e.sentAt} is not null and ${e.bouncedAt} is null`;
const outcomes: Record<Outcome, SQL> = {
  sent: sql`${e.sentAt} is not null`,
  delivered: sql`${e.deliveredAt} is not null`,
  opened: sql`${e.openedAt} is not null`,
  clicked: sql`${e.clickedAt} is not null`,
  bounced: sql`${e.bouncedAt} is not null`,
  complained: sql`${e.complainedAt} is not null`,
  unsubscribed: sql`${e.unsubscribedAt} is not null`,
  // Somebody who clicks without loading pictures has read it.
  not_opened: sql`${arrived} and ${e.openedAt} is null and ${e.clickedAt} is null`,
  not_clicked: sql`${arrived} and ${e.clickedAt} is null`,
};

/** A campaign's email to the contact, if there is one. */
export function campaignConditions(campaign: string | null): FieldConditions {
  const email = (condition: SQL) =>
    campaign === null
      ? never
      : sql`exists (select from ${emails} e
          where ${e.campaignId} = ${campaign} and ${e.contactId} = ${c.id} and ${condition})`;
  const conditions: FieldConditions = {
    ...noConditions,
    equals: (values) =>
      email(
        sql`(${sql.join(
          values.map((value) => sql`(${outcomes[value as Outcome]})`),
          sql` or `,
        )})`,
      ),
    contains: (value) => conditions.equals([value]),
    exists: () => email(sql`true`),
  };
  return conditions;
}

/** Days that engagement looks back. */
export const engagementDays = 180;
/** When they begin, worked out once: for each of five million emails it takes two seconds. */
const periodBegins = sql`(select app_now() - make_interval(days => ${sql.raw(String(engagementDays))}))`;
/** SQL: the email `e` was sent in them. */
export const recent = sql`${e.sentAt} > ${periodBegins}`;

/**
 * SQL of 0 to 100, null without mail in the period: up to 50 for how recently somebody looked (halved every 30
 * days), 30 for the share of mail they opened, 20 for the share in which they clicked.
 */
const scoreOf = (sent: SQL, opened: SQL, clicked: SQL, lastSeen: SQL) => sql`round(
  (50 * coalesce(power(0.5::float8, case when ${lastSeen} <= app_now()
    then least(100, extract(epoch from app_now() - ${lastSeen})::float8 / 2592000) end), 0))::numeric
  + 30.0 * ${opened} / nullif(${sent}, 0) + 20.0 * ${clicked} / nullif(${sent}, 0))::int`;

/** Aggregates over a contact's mail `e` of the period. */
const engagementFigures = {
  sent: sql`count(*) filter (where ${recent})`,
  opened: sql`count(*) filter (where ${recent} and ${seenAt} is not null)`,
  clicked: sql`count(*) filter (where ${recent} and ${e.clickedAt} is not null)`,
  lastSeen: sql`max(${seenAt})`,
  firstSent: sql`min(${e.sentAt})`,
};

const { sent, opened, clicked, lastSeen, firstSent } = engagementFigures;

/** What is counted in a contact's mail; null when there is none to count. Looked up by contact. */
const measures = {
  engagementScore: scoreOf(sent, opened, clicked, lastSeen),
  inactiveDays: sql`floor(extract(epoch from app_now() - coalesce(${lastSeen}, ${firstSent})) / 86400)`,
  ignoredEmails: sql`case when count(${e.sentAt}) > 0 then ${sent} - ${opened} end`,
} as const;
export type Measure = keyof typeof measures;
export const isMeasure = (field: string): field is Measure => Object.hasOwn(measures, field);

/** What a contact's mail adds up to, for a statement that reads one contact; `ids`: the uuids its mail is under. */
export const measuredOf = (projectId: string, ids: readonly string[]) => sql`
  select ${measures.engagementScore} as score, ${measures.inactiveDays}::int as inactive_days,
    (${measures.ignoredEmails})::int as ignored, (${sent})::int as sent, (${opened})::int as opened,
    (${clicked})::int as clicked, ${lastSeen} as last_seen_at, ${firstSent} as first_sent_at,
    max(${e.openedAt}) as last_opened_at, max(${e.clickedAt}) as last_clicked_at,
    max(${e.sentAt}) as last_sent_at
  from ${emails} e where ${e.contactId} = any(${sql.param(ids)}::uuid[])
    and ${ownedBy(e.projectId, projectId)}`;

/** Conditions on what one contact's mail adds up to, in a statement that groups it by contact. */
export function sumConditions(field: Measure): FieldConditions {
  const measure = measures[field];
  const compared = (sign: SQL, value: SegmentScalar) => {
    const number = typeof value === "boolean" || value === "" ? NaN : Number(value);
    return Number.isFinite(number) ? sql`${measure} ${sign} ${String(number)}::numeric` : never;
  };
  return {
    ...noConditions,
    equals: (values) =>
      sql`(${sql.join(
        values.map((value) => compared(sql`=`, value)),
        sql` or `,
      )})`,
    compares: (than, value) => compared(than === "gt" ? sql`>` : sql`<`, value),
    exists: () => sql`${measure} is not null`,
  };
}

/**
 * Contacts whose mail adds up to that, as a set that they are looked up in: a look-up of mail for each contact takes
 * ten times as long for a whole project. `asked` bounds it when only some contacts are needed.
 */
export const withSum = (condition: SQL, projectId: string, asked: Asked) =>
  isAmong(sql`
    select ${e.contactId} from ${mailOf(projectId, asked)}
    group by ${e.contactId} having ${condition}`);

export function measureConditions(
  field: Measure,
  projectId: string,
  asked: Asked,
): FieldConditions {
  const sum = sumConditions(field);
  return {
    ...noConditions,
    equals: (values) => withSum(sum.equals(values), projectId, asked),
    compares: (than, value) => withSum(sum.compares(than, value), projectId, asked),
    exists: () => withSum(sum.exists(), projectId, asked),
  };
}
