import type postgres from "postgres";
import { sqlState } from "@/db/errors";
import { briefly } from "./fence";
import { quoted } from "./plan";

const monthsOf = (client: postgres.Sql) => client<{ name: string; bounds: string }[]>`
  select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
  from pg_inherits part join pg_class c on c.oid = part.inhrelid
  where part.inhparent = 'email_events'::regclass order by 1`;

/**
 * Gives the target each month of events that the source has. Events without a month of their own fall into the
 * default partition, all of which Postgres reads whenever a month is added, while nobody else may.
 */
export async function alignMonths(source: postgres.Sql, target: postgres.Sql): Promise<void> {
  const present = new Set((await monthsOf(target)).map(({ name }) => name));
  const [table] = await target<{ owner: string }[]>`
    select quote_ident(pg_get_userbyid(relowner)) as owner from pg_class
    where oid = 'email_events'::regclass`;
  if (!table) throw new Error("The target has no table of events.");
  for (const { name, bounds } of await monthsOf(source)) {
    if (present.has(name)) continue;
    try {
      await briefly(target, async (tx) => {
        await tx.unsafe(`create table ${quoted(name)}
          (like email_events including defaults including constraints)`);
        await tx.unsafe(`alter table ${quoted(name)} replica identity full`);
        // The command's user may be another one than the programs', who change the table with the next migration.
        await tx.unsafe(`alter table ${quoted(name)} owner to ${table.owner}`);
        await tx.unsafe(`alter table email_events attach partition ${quoted(name)} ${bounds}`);
      });
    } catch (error) {
      // The target has events of that month in the default partition: these join them.
      if (sqlState(error) !== "23514") throw error;
    }
  }
}
