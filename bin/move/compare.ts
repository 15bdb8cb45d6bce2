import type postgres from "postgres";
import { isOf, literal, quoted, selected, type OtherIds, type Planned } from "./plan";

/** Rows of a table as two numbers: their count, and the sum of their hashes. */
interface Sum {
  name: string;
  rows: number;
  sum: string;
}

interface Sides {
  projectId: string;
  people: OtherIds;
  from: postgres.TransactionSql;
  to: postgres.TransactionSql;
}

const noOtherIds: OtherIds = new Map();

/** How many rows there are, and the tables in which they differ. */
interface Comparison {
  rows: number;
  differing: Planned[];
}

/**
 * Compares the project's rows of the tables, as the source's snapshot and the target's transaction see them; `part`
 * is SQL of which of a table's. One statement on each side, since the project may be closed meanwhile.
 */
export async function compare(
  { projectId, people, from, to }: Sides,
  tables: readonly Planned[],
  part: (table: Planned) => string,
): Promise<Comparison> {
  const sums = (others: OtherIds) =>
    tables
      .map(
        (table) => `
        select ${literal(table.name)} as name, count(*)::float8 as rows,
          coalesce(sum(hashtextextended(copied::text, 0)::numeric), 0)::text as sum
        from (select ${selected(table, others)} from ${quoted(table.name)}
          where ${isOf(table, projectId)} and ${part(table)}) copied`,
      )
      .join(" union all ");
  const [here, there] = await Promise.all([
    from.unsafe<Sum[]>(sums(people)),
    to.unsafe<Sum[]>(sums(noOtherIds)),
  ]);
  const result: Comparison = { rows: 0, differing: [] };
  for (const table of tables) {
    const sumIn = (side: readonly Sum[]) => side.find(({ name }) => name === table.name);
    const [source, target] = [sumIn(here), sumIn(there)];
    result.rows += source?.rows ?? 0;
    if (source?.rows !== target?.rows || source?.sum !== target?.sum) result.differing.push(table);
  }
  return result;
}

/** Those of the tables that have rows of the project at all. */
export async function withRows(
  from: postgres.TransactionSql,
  tables: readonly Planned[],
  projectId: string,
  part: (table: Planned) => string,
): Promise<Planned[]> {
  const rows = await from.unsafe<{ name: string }[]>(
    tables
      .map(
        (table) => `select ${literal(table.name)} as name where exists (
          select from ${quoted(table.name)} where ${isOf(table, projectId)} and ${part(table)})`,
      )
      .join(" union all "),
  );
  const names = new Set(rows.map(({ name }) => name));
  return tables.filter(({ name }) => names.has(name));
}
