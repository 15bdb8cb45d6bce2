import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { domains } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import type { DomainRow } from "./domains";

/** Longer than the longest look-up; a worker that dies in one costs this much delay. */
export const leaseSeconds = 120;
const claimSize = 10;

export type ClaimedDomain = { row: DomainRow; lease: string };

/** Leases due checks: one statement, so that any number of workers take each once. */
export async function claimDue(db: Database): Promise<ClaimedDomain[]> {
  const due = db
    .select({ id: domains.id })
    .from(domains)
    .where(
      and(lte(domains.nextCheckAt, now), eq(domains.builtIn, false), worksHere(domains.projectId)),
    )
    .orderBy(asc(domains.nextCheckAt))
    .limit(claimSize)
    .for("update", { skipLocked: true });
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
