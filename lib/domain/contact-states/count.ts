import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { consents, type Consent, type SuppressionReason } from "@/db/enums";
import { contacts, suppressions } from "@/db/schema";
import { c, isAmong } from "./contact-alias";
import { contactStates, type ContactState, type Excluded } from "./schema";
import { isPaused, stateOf } from "./state";
import { ofSuppressedDomain, suppressesAddress } from "./suppressed";

/** Some contacts, counted by whether campaigns reach them. */
export interface StateCounts {
  total: number;
  reachable: number;
  excluded: Excluded;
}

const everybodyOf = (projectId: string) => sql`${c.projectId} = ${projectId}`;

/** SQL: rows that add up to everybody of the project by consent and pause, counted in indexes without reading anybody. */
function countEverybody(projectId: string): SQL {
  const paused = (sign: SQL, isNow: SQL) => sql`
    select ${c.consent}, ${isNow}, null, ${sign}count(*)::int
    from ${contacts} c where ${everybodyOf(projectId)} and ${c.pausedUntil} > app_now() group by 1`;
  return sql`
    select asked.consent, false as paused, null as suppressed, (
      select count(*)::int from ${contacts} c
      where ${everybodyOf(projectId)} and ${c.consent} = asked.consent) as count
    from unnest(${sql.param(consents)}::text[]) as asked(consent)
    union all ${paused(sql`+`, sql`true`)}
    union all ${paused(sql`-`, sql`false`)}`;
}

/** Which contacts to count. */
export interface Chosen {
  /** On `contacts c`; it names the project. */
  condition: SQL;
  /** The condition reads so much besides contacts that it is to be met only once. */
  once?: boolean;
}

const chosenOnce = ({ condition }: Chosen) => sql`
  with chosen as materialized (
    select ${c.id}, ${c.consent}, ${isPaused} as paused from ${contacts} c where ${condition}
  )
  select consent, paused, null as suppressed, count(*)::int as count from chosen group by 1, 2`;

const chosenEach = ({ condition }: Chosen) => sql`
  select ${c.consent}, ${isPaused} as paused, null as suppressed, count(*)::int as count
  from ${contacts} c where ${condition} group by 1, 2`;

/**
 * Counts contacts of the project; null: everybody. Suppressed addresses and domains are few
 * among many contacts: these are counted separately and subtracted, instead of being looked up for each contact. Each
 * address is looked up by its key: joined, all contacts were read for each one while there were no statistics.
 */
export async function countByState(
  executor: Executor,
  projectId: string,
  chosen: Chosen | null,
): Promise<StateCounts> {
  const [counted, condition] = !chosen
    ? [countEverybody(projectId), everybodyOf(projectId)]
    : chosen.once
      ? [
          chosenOnce(chosen),
          sql`${everybodyOf(projectId)} and ${isAmong(sql`select id from chosen`)}`,
        ]
      : [chosenEach(chosen), chosen.condition];
  const rows = await executor.execute<{
    consent: Consent;
    paused: boolean;
    suppressed: SuppressionReason | null;
    count: number;
  }>(sql`
    ${counted}
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
