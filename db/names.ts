import { getTableColumns, sql, type SQL } from "drizzle-orm";
import { PgDialect, type PgColumn, type PgTable } from "drizzle-orm/pg-core";

/*
 * Names for raw SQL, taken from the schema, so that a renamed column does not compile. A column with
 * its table's name is written directly: ${emails.status}.
 */

/** Columns without their table's name, comma-separated: for an insert's columns or `returning`. */
export function columns(...listed: PgColumn[]): SQL {
  return sql.join(
    listed.map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
}

/** What the conflicting row would have held, in `on conflict do update`. */
export const excluded = (column: PgColumn): SQL => sql`excluded.${sql.identifier(column.name)}`;

/** What `on conflict do update` sets a figure to when it grows by what is inserted. */
export const plusExcluded = (column: PgColumn): SQL => sql`${column} + ${excluded(column)}`;

type Values<Table extends PgTable> = { [Key in keyof Table["$inferInsert"]]?: SQL };

function entriesOf<Table extends PgTable>(table: Table, values: Values<Table>) {
  const tableColumns = getTableColumns(table) as Record<string, PgColumn>;
  return Object.entries(values as Record<string, SQL>).map(([key, value]) => {
    const column = tableColumns[key];
    if (!column) throw new Error(`There is no column for ${key}.`);
    return { name: sql.identifier(column.name), value };
  });
}

/** `insert into t (...) select ...`, each column beside its value; `from ...` follows. */
export function insertSelected<Table extends PgTable>(table: Table, values: Values<Table>): SQL {
  return insertSelectedAs(table, sql``, values);
}

/** The same with another name for the table, for `on conflict do update`. */
export function insertSelectedAs<Table extends PgTable>(
  table: Table,
  name: SQL,
  values: Values<Table>,
): SQL {
  const entries = entriesOf(table, values);
  const names = sql.join(
    entries.map((entry) => entry.name),
    sql`, `,
  );
  const selected = sql.join(
    entries.map((entry) => entry.value),
    sql`, `,
  );
  return sql`insert into ${table}${name} (${names}) select ${selected}`;
}

/** Values for `insertSelected`: the columns with the same names in the source of the select. */
export function sameNamed<Table extends PgTable, Key extends keyof Table["$inferInsert"] & string>(
  table: Table,
  ...keys: Key[]
): Record<Key, SQL> {
  const tableColumns = getTableColumns(table) as Record<string, PgColumn>;
  return Object.fromEntries(
    keys.map((key) => [key, sql`${sql.identifier(tableColumns[key]?.name ?? key)}`]),
  ) as Record<Key, SQL>;
}

/** What follows `set` in an update. */
export function assignments<Table extends PgTable>(table: Table, values: Values<Table>): SQL {
  return sql.join(
    entriesOf(table, values).map(({ name, value }) => sql`${name} = ${value}`),
    sql`, `,
  );
}

/** The id of a new row that a project owns, as newId makes it. */
export const newIdOf = (projectId: SQL): SQL => sql`new_id(${projectId})`;

const dialect = new PgDialect();

/** SQL without values, built once rather than for each statement it is part of. */
export function fixed(query: SQL): SQL {
  const { sql: text, params } = dialect.sqlToQuery(query);
  if (params.length > 0) throw new Error("What has values is not fixed.");
  return sql.raw(text);
}
