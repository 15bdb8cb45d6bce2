import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { Consent, SuppressionReason } from "@/db/enums";
import { contacts, suppressions } from "@/db/schema";
import { c } from "./contact-alias";
import { contactStates, type ContactState, type Excluded } from "./schema";
import { isPaused, stateOf } from "./state";
import { ofSuppressedDomain, suppressesAddress } from "./suppressed";

/** Some contacts, counted by whether campaigns reach them. */
export interface StateCounts {
  total: number;
  reachable: number;
  excluded: Excluded;
}

/**
 * Counts the `contacts c` of the project that meet `condition`, which names it. Suppressed addresses and domains are few
 * among many contacts: these are counted separately and subtracted, instead of being looked up for each contact. Each
 * address is looked up by its key: joined, all contacts were read for each one while there were no statistics.
 */
export async function countByState(
  executor: Executor,
  projectId: string,
  condition: SQL,
): Promise<StateCounts> {
  const rows = await executor.execute<{
    consent: Consent;
    paused: boolean;
    suppressed: SuppressionReason | null;
    count: number;
  }>(sql`
    select ${c.consent}, ${isPaused} as paused, null as suppressed, count(*)::int as count
    from ${contacts} c where ${condition} group by 1, 2
    union all
    select ${c.consent}, ${isPaused}, ${suppressions.reason}, count(*)::int
    from ${suppressions} cross join lateral (
      select * from ${contacts} c where ${suppressesAddress(c.projectId, c.email)} limit 1
    ) c
    where ${suppressions.projectId} = ${projectId} and ${condition} group by 1, 2, 3
    union all
    select ${c.consent}, ${isPaused}, 'domain', count(*)::int
    from ${contacts} c
    where ${condition} and ${ofSuppressedDomain(projectId, c.email)} and (
      select true from ${suppressions} where ${suppressesAddress(c.projectId, c.email)}) is null
    group by 1, 2`);
  const counts = Object.fromEntries(contactStates.map((state) => [state, 0])) as Record<
    ContactState,
    number
  >;
  let total = 0;
  for (const { consent, paused, suppressed, count } of rows) {
    counts[stateOf(consent, { suppressed, paused })] += count;
    if (suppressed) counts[stateOf(consent, { suppressed: null, paused })] -= count;
    else total += count;
  }
  const { reachable, ...excluded } = counts;
  return { total, reachable, excluded };
}
