import { sql, type SQL } from "drizzle-orm";
import { normalizeAddress } from "@/lib/contacts/address";
import { containing } from "@/lib/contacts/rows";
import { decodeId } from "@/lib/ids";
import { dataConditions } from "./data-conditions";
import type { FieldConditions } from "./field-conditions";
import {
  isoInstant,
  type campaignOutcomes,
  type SegmentFilter,
  type SegmentOperator,
  type SegmentScalar,
} from "./schema";

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
  const known = {
    email: () => addressConditions,
    firstName: () => textConditions(sql`c.first_name`),
    lastName: () => textConditions(sql`c.last_name`),
    subscribed: () => subscribedConditions,
    tags: () => tagConditions,
    createdAt: () => instantConditions(sql`c.created_at`),
    updatedAt: () => instantConditions(sql`c.updated_at`),
    list: () => listConditions,
    lastOpenedAt: () => lastConditions(sql`e.opened_at`, projectId),
    lastClickedAt: () => lastConditions(sql`e.clicked_at`, projectId),
    lastSentAt: () => lastConditions(sql`e.sent_at`, projectId),
  }[field];
  if (!known) throw new Error("A filter was not checked.");
  return known();
}

const array = (values: readonly string[], type: SQL) =>
  sql`array[${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )}]::${type}[]`;

const sign = { gt: sql`>`, lt: sql`<` };

const anyOf = (conditions: SQL[]) =>
  conditions.length === 0 ? never : sql`(${sql.join(conditions, sql` or `)})`;

function textConditions(column: SQL): FieldConditions {
  return {
    equals: (values) => sql`${column} = any(${array(values.map(String), sql`text`)})`,
    contains(value) {
      const pattern = containing(String(value));
      // The search index holds both names and the address, and trigrams of letters and digits.
      return /[\p{L}\p{N}]{3}/u.test(String(value))
        ? sql`(${column} ilike ${pattern}
            and (c.email || ' ' || c.first_name || ' ' || c.last_name) ilike ${pattern})`
        : sql`${column} ilike ${pattern}`;
    },
    compares: () => never,
    exists: () => sql`${column} <> ''`,
  };
}

const addressConditions: FieldConditions = {
  ...textConditions(sql`c.email`),
  equals: (values) =>
    sql`lower(c.email) in (${sql.join(
      values.map((value) => sql`lower(${normalizeAddress(String(value)) ?? String(value)})`),
      sql`, `,
    )})`,
};

const subscribedConditions: FieldConditions = {
  equals(values) {
    const texts = new Set(values.map(String));
    return anyOf([
      ...(texts.has("true") ? [sql`c.consent = 'subscribed'`] : []),
      ...(texts.has("false") ? [sql`c.consent <> 'subscribed'`] : []),
    ]);
  },
  contains: () => never,
  compares: () => never,
  exists: () => always,
};

const tagConditions: FieldConditions = {
  equals: (values) => sql`c.tags && ${array(values.map(String), sql`text`)}`,
  contains: (value) => sql`c.tags @> ${array([String(value)], sql`text`)}`,
  compares: () => never,
  exists: () => sql`c.tags <> '{}'`,
};

function instants(values: readonly SegmentScalar[]): string[] {
  return values.flatMap((value) => isoInstant(String(value)) ?? []);
}

/** What the API shows has milliseconds: so has what is compared. */
const shown = (column: SQL) => sql`date_trunc('milliseconds', ${column})`;

function instantConditions(column: SQL): FieldConditions {
  return {
    equals: (values) => {
      const given = instants(values);
      return given.length === 0
        ? never
        : sql`${shown(column)} = any(${array(given, sql`timestamptz`)})`;
    },
    contains: () => never,
    compares: (than, value) => {
      const [given] = instants([value]);
      return given ? sql`${shown(column)} ${sign[than]} ${given}::timestamptz` : never;
    },
    exists: () => always,
  };
}

/** The newest of a contact's emails' times of one kind; missing when there is none. */
function lastConditions(column: SQL, projectId: string): FieldConditions {
  const has = (condition: SQL) => sql`exists (select from emails e
    where e.project_id = ${projectId} and e.contact_id = c.id and ${condition})`;
  return {
    equals(values) {
      const given = instants(values);
      if (given.length === 0) return never;
      return sql`coalesce((select ${shown(sql`max(${column})`)} from emails e
        where e.project_id = ${projectId} and e.contact_id = c.id)
          = any(${array(given, sql`timestamptz`)}), false)`;
    },
    contains: () => never,
    compares(than, value) {
      const [given] = instants([value]);
      if (!given) return never;
      const compared = has(sql`${shown(column)} ${sign[than]} ${given}::timestamptz`);
      // The last is before a moment when there is one and none is at it or after it.
      return than === "lt"
        ? sql`(${compared} and not ${has(sql`${shown(column)} >= ${given}::timestamptz`)})`
        : compared;
    },
    exists: () => has(sql`${column} is not null`),
  };
}

/** On a list is who is subscribed to it. */
const memberships = (condition: SQL) => sql`exists (select from subscribers s
  where s.contact_id = c.id and s.status = 'subscribed' and ${condition})`;

const listConditions: FieldConditions = {
  equals: (values) =>
    anyOf(
      values.flatMap((value) => {
        const list = decodeId("list", String(value));
        return list ? [memberships(sql`s.list_id = ${list}`)] : [];
      }),
    ),
  contains: (value) => listConditions.equals([value]),
  compares: () => never,
  exists: () => memberships(always),
};

type Outcome = (typeof campaignOutcomes)[number];
const outcomeColumns: Record<Outcome, SQL> = {
  sent: sql`e.sent_at`,
  opened: sql`e.opened_at`,
  clicked: sql`e.clicked_at`,
  bounced: sql`e.bounced_at`,
};

/** A campaign's email to the contact, if there is one. */
function campaignConditions(campaign: string | null): FieldConditions {
  const email = (condition: SQL) =>
    campaign === null
      ? never
      : sql`exists (select from emails e
          where e.campaign_id = ${campaign} and e.contact_id = c.id and ${condition})`;
  const conditions: FieldConditions = {
    equals: (values) =>
      email(anyOf(values.map((value) => sql`${outcomeColumns[value as Outcome]} is not null`))),
    contains: (value) => conditions.equals([value]),
    compares: () => never,
    exists: () => email(always),
  };
  return conditions;
}
