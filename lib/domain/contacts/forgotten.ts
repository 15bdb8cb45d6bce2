import { sql, type SQL } from "drizzle-orm";
import { assignments, columns, fixed, insertSelected, newIdOf } from "@/db/names";
import { forgottenAddresses, suppressions } from "@/db/schema";
import { oldestSecret, sign } from "@/lib/ground/secrets";

/**
 * What remains of an address that was deleted for good: a keyed hash, from which nobody without
 * APP_SECRET can tell the address, and which differs between projects.
 */
export function forgottenHash(projectId: string, email: string): string {
  return sign("forgotten-address", `${projectId} ${email.toLowerCase()}`, 32, oldestSecret());
}

/** A subquery for a lateral join: the forgotten address of a hash, looked up by its whole key. */
export function forgottenAddress(projectId: SQL, hash: SQL): SQL {
  return sql`(select ${columns(forgottenAddresses.hash, forgottenAddresses.suppressed)}
    from ${forgottenAddresses}
    where ${forgottenAddresses.projectId} = ${projectId} and ${forgottenAddresses.hash} = ${hash}
    limit 1)`;
}

/**
 * SQL of CTEs that give addresses that come back what they were suppressed for when they were deleted.
 *
 * @param returned a relation with `project_id`, `email` and `forgotten`, the hash, of contacts just made
 */
export function restoredSuppressions(returned: string): SQL {
  const came = sql.identifier(returned);
  return fixed(sql`restored as (
      ${insertSelected(suppressions, {
        id: newIdOf(sql`${came}.project_id`),
        projectId: sql`${came}.project_id`,
        email: sql`${came}.email`,
        reason: sql`forgotten.suppressed`,
      })}
      from ${came} cross join lateral
        ${forgottenAddress(sql`${came}.project_id`, sql`${came}.forgotten`)} forgotten
      where forgotten.suppressed is not null
      on conflict do nothing
    ), cleared as (
      update ${forgottenAddresses} set ${assignments(forgottenAddresses, { suppressed: sql`null` })}
      from ${came} where ${forgottenAddresses.projectId} = ${came}.project_id
        and ${forgottenAddresses.hash} = ${came}.forgotten
        and ${forgottenAddresses.suppressed} is not null
    )`);
}
