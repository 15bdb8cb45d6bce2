import { eq, ne, sql, type SQL } from "drizzle-orm";
import type { Consent, SuppressionReason } from "@/db/enums";
import { columns, fixed } from "@/db/names";
import { contacts } from "@/db/schema";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { encodeId } from "@/lib/ground/ids/ids";
import { containing } from "@/lib/ground/paging/like";
import { addedWithin } from "./added";
import type { ContactListFilter } from "./list-schema";
import type { Contact } from "./schema";
import { isPaused, stateOf, suppressedReason } from "@/lib/domain/contact-states/state";

export interface ContactRow extends Record<string, unknown> {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  consent: Consent;
  tags: string[];
  data: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  /** Why its address is suppressed; null when it is not. Absent when only `contactColumns` are read. */
  suppressed?: SuppressionReason | null;
  paused?: boolean;
}

export const contactColumns = sql`
  ${c.id}, ${c.email}, ${c.firstName}, ${c.lastName}, ${c.consent}, ${c.tags}, ${c.data},
  ${c.createdAt}, ${c.updatedAt}`;

/**
 * A subquery for `cross join lateral`: the project's contact of an address in lower case, locked. Looked up one by
 * one by the whole key, in the order of the rows it is joined to: the planner takes a project without statistics
 * for an empty one, and would read all of its contacts instead.
 */
export function lockedContact(projectId: SQL, key: SQL): SQL {
  return sql`(select ${contacts.id}, ${contacts.consent}, ${contacts.data} from ${contacts}
    where ${contacts.projectId} = ${projectId} and lower(${contacts.email}) = ${key}
    limit 1 for update)`;
}

/**
 * SQL: there was such a contact when the statement began, who may be deleted by now, and what remains of them unseen.
 * By the whole key, as `lockedContact`.
 */
export function wasThere(projectId: SQL, key: SQL): SQL {
  return sql`(select true from ${contacts}
    where ${contacts.projectId} = ${projectId} and lower(${contacts.email}) = ${key} limit 1) is true`;
}

/** What contacts conflict on. */
export const contactKey = fixed(
  sql`${columns(contacts.projectId)}, lower(${columns(contacts.email)})`,
);

/** With the columns that `state` needs, for contacts that are shown. */
export const shownColumns = sql`${contactColumns}, ${suppressedReason} as suppressed,
  ${isPaused} as paused`;

const stateFrom = ({ consent, paused = false }: ContactRow, suppressed: SuppressionReason | null) =>
  stateOf(consent, { suppressed, paused });

export function toContact(row: ContactRow): Contact {
  return {
    id: encodeId("contact", row.id),
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    subscribed: row.consent === "subscribed",
    ...(row.suppressed === undefined ? {} : { state: stateFrom(row, row.suppressed) }),
    tags: row.tags,
    data: row.data,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

/** The conditions of a filter on `contacts c`, all but its state and segment; the project's first. */
export function contactConditions(projectId: string, filter: ContactListFilter): SQL[] {
  const conditions: SQL[] = [eq(c.projectId, projectId)];
  if (filter.search) {
    conditions.push(
      sql`(${c.email} || ' ' || ${c.firstName} || ' ' || ${c.lastName})
        ilike ${containing(filter.search)}`,
    );
  }
  if (filter.subscribed !== undefined) {
    conditions.push(filter.subscribed ? eq(c.consent, "subscribed") : ne(c.consent, "subscribed"));
  }
  if (filter.tag) conditions.push(sql`${c.tags} @> array[${filter.tag}]::text[]`);
  conditions.push(...addedWithin(filter));
  return conditions;
}

/** The newest of the contacts that meet all conditions on `contacts c`; see contactsInOrder. */
export const newestContacts = (
  conditions: SQL[],
  limit: number,
  expected?: number,
  columns: SQL = contactColumns,
): SQL => contactsInOrder(conditions, limit, { by: sql`${c.id} desc`, expected, columns });

/**
 * The first of the contacts that meet all conditions on `contacts c`. `expected`: roughly how many there are, if
 * known. A few among many are looked up and sorted, since walking the list until a page is full would read most of
 * it. `columns`: `shownColumns` where the contacts are shown.
 */
export function contactsInOrder(
  conditions: SQL[],
  limit: number,
  { by, expected = Infinity, columns }: { by: SQL; expected?: number | undefined; columns: SQL },
): SQL {
  const chosen = sql`${contacts} c where ${sql.join(conditions, sql` and `)}`;
  return expected < 20 * limit
    ? sql`select ${columns} from (select c.* from ${chosen} offset 0) c
        order by ${by} limit ${limit}`
    : sql`select ${columns} from ${chosen} order by ${by} limit ${limit}`;
}
