import { sql, type Column, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { subscribers } from "@/db/schema";
import { normalizeAddress } from "@/lib/mail/address";
import { containing, endingWith, startingWith } from "@/lib/ground/paging/like";
import { decodeId } from "@/lib/ground/ids/ids";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { dataConditions } from "./data-conditions";
import { isCountField, type SegmentOperator } from "./condition-schema";
import { countCondition } from "./count-conditions";
import { noConditions, type FieldConditions } from "./field-conditions";
import {
  campaignConditions,
  isLastTime,
  isMeasure,
  lastConditions,
  measureConditions,
  sumConditions,
  withSum,
  type Asked,
} from "./email-conditions";
import { earlier, later, millisecond, periodStart, within } from "./instants";
import type { SegmentFilter } from "./schema";

const s = alias(subscribers, "s");

const always = sql`true`;
const never = sql`false`;

/**
 * A filter as a condition on `contacts c`, never null, every value a parameter. `projectId` (uuid) bounds what it
 * reads besides contacts; the caller bounds the contacts, and names them with `asked` when they are few.
 */
export function compileFilter(
  filter: SegmentFilter,
  projectId: string,
  asked: Asked = () => always,
): SQL {
  const { and, or, field, op } = filter;
  const group = and ?? or;
  if (group) {
    if (group.length === 0) return and ? always : never;
    const sums = and ? group.flatMap((part) => sumOf(part) ?? []) : [];
    const others = sums.length > 1 ? group.filter((part) => sumOf(part) === null) : group;
    const conditions = others.map((part) => compileFilter(part, projectId, asked));
    // One reading of the mail for all of them.
    if (sums.length > 1) conditions.push(withSum(sql.join(sums, sql` and `), projectId, asked));
    return sql`(${sql.join(conditions, and ? sql` and ` : sql` or `)})`;
  }
  if (field === undefined || op === undefined) throw new Error("A filter was not checked.");
  if (isCountField(field)) return countCondition(field, filter, projectId, asked);
  return condition(fieldConditions(field, projectId, asked), op, filter);
}

/** What the condition asks of the sum of one contact's mail; null: it asks something else, or that it is not so. */
function sumOf(filter: SegmentFilter): SQL | null {
  const { field, op } = filter;
  return field !== undefined && isMeasure(field) && (op === "gt" || op === "lt" || op === "eq")
    ? condition(sumConditions(field), op, filter)
    : null;
}

/** Whether the filter reads all of the project's mail, unless few contacts are asked about. */
export function asksAboutMail({ and, or, field }: SegmentFilter): boolean {
  const group = and ?? or;
  if (group) return group.some(asksAboutMail);
  return field !== undefined && (isCountField(field) || isMeasure(field) || isLastTime(field));
}

function condition(field: FieldConditions, op: SegmentOperator, filter: SegmentFilter): SQL {
  const { value } = filter;
  if (op === "exists") return value === false ? sql`not (${field.exists()})` : field.exists();
  if (op === "in_last") return field.since(periodStart(filter));
  if (op === "not_in_last") return sql`not (${field.since(periodStart(filter))})`;
  if (op === "before_last") return field.before(periodStart(filter));
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
    case "starts_with":
      return field.startsWith(String(first));
    case "ends_with":
      return field.endsWith(String(first));
    case "gt":
      return field.compares("gt", first);
    case "lt":
      return field.compares("lt", first);
    case "at_least":
    case "at_most":
      throw new Error("A filter was not checked.");
  }
}

function fieldConditions(field: string, projectId: string, asked: Asked): FieldConditions {
  const [root, ...path] = field.split(".");
  if (root === "data") return dataConditions(path);
  if (root === "campaign") return campaignConditions(decodeId("campaign", path[0] ?? ""));
  if (isMeasure(field)) return measureConditions(field, projectId, asked);
  if (isLastTime(field)) return lastConditions(field, projectId, asked);
  const conditionsOf = {
    email: () => addressConditions,
    firstName: () => textConditions(c.firstName),
    lastName: () => textConditions(c.lastName),
    subscribed: () => subscribedConditions,
    tags: () => tagConditions,
    createdAt: () => instantConditions(c.createdAt),
    updatedAt: () => instantConditions(c.updatedAt),
    list: () => listConditions,
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
  // The search index holds both names and the address, and trigrams of letters and digits.
  const like = (pattern: string, part: string) =>
    /[\p{L}\p{N}]{3}/u.test(part)
      ? sql`(${column} ilike ${pattern}
            and (${c.email} || ' ' || ${c.firstName} || ' ' || ${c.lastName}) ilike ${containing(part)})`
      : sql`${column} ilike ${pattern}`;
  return {
    ...noConditions,
    equals: (values) => sql`${column} = any(${array(values.map(String), sql`text`)})`,
    contains: (value) => like(containing(String(value)), String(value)),
    startsWith: (value) => like(startingWith(value), value),
    endsWith: (value) => like(endingWith(value), value),
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
  ...noConditions,
  equals(values) {
    const texts = new Set(values.map(String));
    return anyOf([
      ...(texts.has("true") ? [sql`${c.consent} = 'subscribed'`] : []),
      ...(texts.has("false") ? [sql`${c.consent} <> 'subscribed'`] : []),
    ]);
  },
  exists: () => always,
};

const tagConditions: FieldConditions = {
  ...noConditions,
  equals: (values) => sql`${c.tags} && ${array(values.map(String), sql`text`)}`,
  contains: (value) => sql`${c.tags} @> ${array([String(value)], sql`text`)}`,
  exists: () => sql`${c.tags} <> '{}'`,
};

function instantConditions(column: Column): FieldConditions {
  return {
    ...noConditions,
    equals: (values) => within(column, values),
    compares(than, value) {
      const shown = millisecond(value);
      if (!shown) return never;
      return than === "gt" ? later(column, shown) : earlier(column, shown);
    },
    since: (instant) => sql`${column} >= ${instant}`,
    before: (instant) => sql`${column} < ${instant}`,
    exists: () => always,
  };
}

/** Being on a list means being subscribed to it. */
const memberships = (condition: SQL) => sql`exists (select from ${subscribers} s
  where ${s.contactId} = ${c.id} and ${s.status} = 'subscribed' and ${condition})`;

const listConditions: FieldConditions = {
  ...noConditions,
  equals: (values) =>
    anyOf(
      values.flatMap((value) => {
        const list = decodeId("list", String(value));
        return list ? [memberships(sql`${s.listId} = ${list}`)] : [];
      }),
    ),
  contains: (value) => listConditions.equals([value]),
  exists: () => memberships(always),
};
