import { sql, type Column, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { emails, subscribers } from "@/db/schema";
import { normalizeAddress } from "@/lib/mail/address";
import { containing } from "@/lib/ground/paging/like";
import { decodeId } from "@/lib/ground/ids/ids";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { dataConditions } from "./data-conditions";
import type { FieldConditions } from "./field-conditions";
import {
  isoInstant,
  type campaignOutcomes,
  type SegmentFilter,
  type SegmentOperator,
  type SegmentScalar,
} from "./schema";

const e = alias(emails, "e");
const s = alias(subscribers, "s");

const always = sql`true`;
const never = sql`false`;

/**
 * A filter as a condition on `contacts c`, never null, every value a parameter. `projectId` (uuid) bounds
 * what it reads beside contacts; the caller bounds these.
 */
export function compileFilter(filter: SegmentFilter, projectId: string): SQL {
  const { and, or, field, op, value } = filter;
  const group = and ?? or;
  if (group) {
    if (group.length === 0) return and ? always : never;
    const conditions = group.map((part) => compileFilter(part, projectId));
    return sql`(${sql.join(conditions, and ? sql` and ` : sql` or `)})`;
  }
  if (field === undefined || op === undefined) throw new Error("A filter was not checked.");
  return condition(fieldConditions(field, projectId), op, value);
}

function condition(
  field: FieldConditions,
  op: SegmentOperator,
  value: SegmentScalar | SegmentScalar[] | undefined,
): SQL {
  if (op === "exists") return value === false ? sql`not (${field.exists()})` : field.exists();
  const values = [value ?? []].flat();
  const first = values[0];
  if (first === undefined) throw new Error("A filter was not checked.");
  switch (op) {
    case "eq":
    case "in":
      return field.equals(values);
    case "neq":
      return sql`not (${field.equals(values)})`;
    case "contains":
      return field.contains(first);
    case "not_contains":
      return sql`not (${field.contains(first)})`;
    case "gt":
      return field.compares("gt", first);
    case "lt":
      return field.compares("lt", first);
  }
}

function fieldConditions(field: string, projectId: string): FieldConditions {
  const [root, ...path] = field.split(".");
  if (root === "data") return dataConditions(path);
  if (root === "campaign") return campaignConditions(decodeId("campaign", path[0] ?? ""));
  const conditionsOf = {
    email: () => addressConditions,
    firstName: () => textConditions(c.firstName),
    lastName: () => textConditions(c.lastName),
    subscribed: () => subscribedConditions,
    tags: () => tagConditions,
    createdAt: () => instantConditions(c.createdAt),
    updatedAt: () => instantConditions(c.updatedAt),
    list: () => listConditions,
    lastOpenedAt: () => lastConditions(e.openedAt, projectId),
    lastClickedAt: () => lastConditions(e.clickedAt, projectId),
    lastSentAt: () => lastConditions(e.sentAt, projectId),
  }[field];
  if (!conditionsOf) throw new Error("A filter was not checked.");
  return conditionsOf();
}

const array = (values: readonly string[], type: SQL) =>
  sql`array[${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )}]::${type}[]`;

const anyOf = (conditions: SQL[]) =>
  conditions.length === 0 ? never : sql`(${sql.join(conditions, sql` or `)})`;

function textConditions(column: Column): FieldConditions {
  return {
    equals: (values) => sql`${column} = any(${array(values.map(String), sql`text`)})`,
    contains(value) {
      const pattern = containing(String(value));
      // The search index holds both names and the address, and trigrams of letters and digits.
      return /[\p{L}\p{N}]{3}/u.test(String(value))
        ? sql`(${column} ilike ${pattern}
            and (${c.email} || ' ' || ${c.firstName} || ' ' || ${c.lastName}) ilike ${pattern})`
        : sql`${column} ilike ${pattern}`;
    },
    compares: () => never,
    exists: () => sql`${column} <> ''`,
  };
}

const addressConditions: FieldConditions = {
  ...textConditions(c.email),
  equals: (values) =>
    sql`lower(${c.email}) in (${sql.join(
      values.map((value) => sql`lower(${normalizeAddress(String(value)) ?? String(value)})`),
      sql`, `,
    )})`,
};

const subscribedConditions: FieldConditions = {
  equals(values) {
    const texts = new Set(values.map(String));
    return anyOf([
      ...(texts.has("true") ? [sql`${c.consent} = 'subscribed'`] : []),
      ...(texts.has("false") ? [sql`${c.consent} <> 'subscribed'`] : []),
    ]);
  },
  contains: () => never,
  compares: () => never,
  exists: () => always,
};

const tagConditions: FieldConditions = {
  equals: (values) => sql`${c.tags} && ${array(values.map(String), sql`text`)}`,
  contains: (value) => sql`${c.tags} @> ${array([String(value)], sql`text`)}`,
  compares: () => never,
  exists: () => sql`${c.tags} <> '{}'`,
};

/** A millisecond, which is what the API shows of a time: its beginning, and that of the next. */
interface Millisecond {
  from: SQL;
  next: SQL;
  /** False when the value says more than a millisecond: no shown time equals it. */
  exact: boolean;
}

function millisecond(value: SegmentScalar): Millisecond | null {
  const instant = isoInstant(String(value));
  if (instant === null) return null;
  const time = Date.parse(instant);
  // Postgres knows no year 0 and no sign before a year.
  const literal = (at: number) => {
    const text = new Date(at).toISOString().replace(/^\+0*/, "");
    return sql`${text < "0001" ? "0001-01-01T00:00Z" : text}::timestamptz`;
  };
  const exact = !/\.\d{3}\d*[1-9]/.test(instant);
  return { from: literal(time), next: literal(time + 1), exact };
}

const within = (column: Column | SQL, values: readonly SegmentScalar[]) =>
  anyOf(
    values.flatMap((value) => {
      const shown = millisecond(value);
      return shown?.exact ? [sql`${column} >= ${shown.from} and ${column} < ${shown.next}`] : [];
    }),
  );

const later = (column: Column, { next }: Millisecond) => sql`${column} >= ${next}`;
const earlier = (column: Column, { from, next, exact }: Millisecond) =>
  sql`${column} < ${exact ? from : next}`;

function instantConditions(column: Column): FieldConditions {
  return {
    equals: (values) => within(column, values),
    contains: () => never,
    compares(than, value) {
      const shown = millisecond(value);
      if (!shown) return never;
      return than === "gt" ? later(column, shown) : earlier(column, shown);
    },
    exists: () => always,
  };
}

/** The newest of a contact's emails' times of one kind; missing when there is none. */
function lastConditions(column: Column, projectId: string): FieldConditions {
  const ofContact = sql`${emails} e
    where ${e.projectId} = ${projectId} and ${e.contactId} = ${c.id}`;
  const has = (condition: SQL) => sql`exists (select from ${ofContact} and ${condition})`;
  return {
    equals: (values) =>
      sql`coalesce((select ${within(sql`max(${column})`, values)} from ${ofContact}), false)`,
    contains: () => never,
    compares(than, value) {
      const shown = millisecond(value);
      if (!shown) return never;
      // The last is earlier when there is one and none is not.
      return than === "gt"
        ? has(later(column, shown))
        : sql`(${has(earlier(column, shown))} and not ${has(sql`not ${earlier(column, shown)}`)})`;
    },
    exists: () => has(sql`${column} is not null`),
  };
}

/** On a list is who is subscribed to it. */
const memberships = (condition: SQL) => sql`exists (select from ${subscribers} s
  where ${s.contactId} = ${c.id} and ${s.status} = 'subscribed' and ${condition})`;

const listConditions: FieldConditions = {
  equals: (values) =>
    anyOf(
      values.flatMap((value) => {
        const list = decodeId("list", String(value));
        return list ? [memberships(sql`${s.listId} = ${list}`)] : [];
      }),
    ),
  contains: (value) => listConditions.equals([value]),
  compares: () => never,
  exists: () => memberships(always),
};

type Outcome = (typeof campaignOutcomes)[number];
const outcomeColumns: Record<Outcome, Column> = {
  sent: e.sentAt,
  opened: e.openedAt,
  clicked: e.clickedAt,
  bounced: e.bouncedAt,
};

/** A campaign's email to the contact, if there is one. */
function campaignConditions(campaign: string | null): FieldConditions {
  const email = (condition: SQL) =>
    campaign === null
      ? never
      : sql`exists (select from ${emails} e
          where ${e.campaignId} = ${campaign} and ${e.contactId} = ${c.id} and ${condition})`;
  const conditions: FieldConditions = {
    equals: (values) =>
      email(anyOf(values.map((value) => sql`${outcomeColumns[value as Outcome]} is not null`))),
    contains: (value) => conditions.equals([value]),
    compares: () => never,
    exists: () => email(always),
  };
  return conditions;
}
