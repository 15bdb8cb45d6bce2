import { randomInt } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { assignments, columns, excluded, fixed, insertSelectedAs, plusExcluded } from "@/db/names";
import { monthlyUsage, projects } from "@/db/schema";
import { sqlMonth } from "@/db/schema/projects";

/** Transactions take slots at random: a row is held until the commit, and a single one would make them queue. */
const slots = 30;

const used = alias(monthlyUsage, "used");
const limit = fixed(sql`${projects.monthlyEmailLimit}`);
const exceeding = fixed(sql`where ${used.slot} <> 0
  or ${used.emails} + ${excluded(used.emails)} + spread_usage(${used.projectId})
    <= (select ${projects.monthlyEmailLimit} from ${projects} where ${projects.id} = ${used.projectId})
  returning ${used.projectId}`);

/**
 * SQL of an insert that counts emails for the month and returns the `project_id` of those whose limit they
 * fit into; for the others it counts nothing. A project without a limit spreads its count over slots.
 *
 * @param source what is to be counted: a relation with `project_id` and `emails`
 */
export function countForMonth(source: SQL): SQL {
  return sql`${insertSelectedAs(monthlyUsage, sql` as ${used}`, {
    projectId: sql`counted.project_id`,
    month: sqlMonth,
    slot: sql`case when ${limit} is null then ${randomInt(1, slots + 1)}::smallint else 0 end`,
    emails: sql`sum(counted.emails)`,
  })}
    from ${source} counted join ${projects} on ${projects.id} = counted.project_id
    group by counted.project_id, ${limit}
    having ${limit} is null
      or sum(counted.emails) + spread_usage(counted.project_id) <= ${limit}
    order by counted.project_id
    on conflict (${columns(used.projectId, used.month, used.slot)})
      do update set ${assignments(monthlyUsage, { emails: plusExcluded(used.emails) })}
    ${exceeding}`;
}
