import { inArray, lte, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { domains } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import type { DomainRow } from "./domains";

/** Longer than the longest look-up; a worker that dies in one costs this much delay. */
export const leaseSeconds = 120;
const claimSize = 10;

export type ClaimedDomain = { row: DomainRow; lease: string };

/** As many as several workers could claim at once: a worker passes over those that others are just taking. */
const looked = 10 * claimSize;

/** SQL: the due checks, those first that are the longest due of their project. */
const inTurn = sql`(
    select ${domains.id} as id,
      row_number() over (partition by ${domains.projectId} order by ${domains.nextCheckAt}) as turn
    from ${domains}
    where ${lte(domains.nextCheckAt, now)} and not ${domains.builtIn} and ${worksHere(domains.projectId)}
    order by turn, ${domains.nextCheckAt} limit ${looked}
  ) waiting`;

/**
 * Leases due checks: one statement, so that any number of workers take each once. Projects take turns, as each check
 * may wait half a minute for name servers that the project chose.
 */
export async function claimDue(db: Database): Promise<ClaimedDomain[]> {
  const due = sql`(
    select ${domains.id} from ${domains} join ${inTurn} on waiting.id = ${domains.id}
    where ${lte(domains.nextCheckAt, now)}
    order by waiting.turn, ${domains.nextCheckAt} limit ${claimSize}
    for update of ${domains} skip locked)`;
  const claimed = await db
    .update(domains)
    .set({ nextCheckAt: sql`app_now() + make_interval(secs => ${leaseSeconds})` })
    .where(inArray(domains.id, due))
    .returning({ id: domains.id, lease: sql<string>`${domains.nextCheckAt}::text` });
  const leases = new Map(claimed.map(({ id, lease }) => [id, lease]));
  if (leases.size === 0) return [];
  const rows = await db
    .select()
    .from(domains)
    .where(inArray(domains.id, [...leases.keys()]));
  return rows.flatMap((row) => {
    const lease = leases.get(row.id);
    return lease === undefined ? [] : [{ row, lease }];
  });
}
