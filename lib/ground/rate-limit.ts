import { and, eq, gt, sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { assignments, columns, excluded, insertSelected, plusExcluded } from "@/db/names";
import { rateLimits } from "@/db/schema";
import { coalesceFor } from "./coalesce";
import { networkOf } from "./net/addresses/network";

/** How much of its limit a subject has used after this request. */
export interface RateState {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends. */
  resetsAt: number;
  /** Whole seconds until then, at least 1. */
  retryAfterSeconds: number;
}

/** A fixed window that starts with the subject's first request. */
export interface RateRule {
  /** `send:<key>`, `api:<key>`, or a caller's ... */
  subject: string;
  limit: number;
  windowSeconds: number;
}

interface Row extends Record<string, unknown> {
  subject: string;
  used: number;
  resets_at: number;
  seconds_left: number;
}

/**
 * The subject of a limit on one caller: IPv4 by its address, IPv6 by its /64, of which one customer of a provider
 * has all 2^64 addresses.
 */
export function callerSubject(kind: string, address: string): string {
  return `${kind}:${networkOf(address)}`;
}

async function takeMany(db: Database, rules: RateRule[]): Promise<RateState[]> {
  const counts = new Map<string, { count: number; windowSeconds: number }>();
  for (const { subject, windowSeconds } of rules) {
    const entry = counts.get(subject);
    if (entry) entry.count++;
    else counts.set(subject, { count: 1, windowSeconds });
  }
  // Sorted by key: two processes that update the same subjects must not deadlock.
  const subjects = [...counts.keys()].sort();
  const rows = await executePrepared<Row>(
    db,
    sql`
    ${insertSelected(rateLimits, {
      subject: sql`s.subject`,
      resetsAt: sql`app_now() + make_interval(secs => s.seconds)`,
      used: sql`s.count`,
    })}
    from unnest(
      ${sql.param(subjects)}::text[],
      ${sql.param(subjects.map((subject) => counts.get(subject)?.windowSeconds ?? 0))}::int[],
      ${sql.param(subjects.map((subject) => counts.get(subject)?.count ?? 0))}::int[]
    ) as s(subject, seconds, count)
    on conflict (${columns(rateLimits.subject)}) do update set ${assignments(rateLimits, {
      used: sql`case when ${rateLimits.resetsAt} <= app_now()
        then ${excluded(rateLimits.used)} else ${plusExcluded(rateLimits.used)} end`,
      resetsAt: sql`case when ${rateLimits.resetsAt} <= app_now()
        then ${excluded(rateLimits.resetsAt)} else ${rateLimits.resetsAt} end`,
    })}
    returning ${rateLimits.subject}, ${rateLimits.used},
      ceil(extract(epoch from ${rateLimits.resetsAt}))::int as resets_at,
      greatest(1, ceil(extract(epoch from ${rateLimits.resetsAt} - app_now())))::int
        as seconds_left`,
  );
  const states = new Map(rows.map((row) => [row.subject, row]));
  const counted = new Map<string, number>();
  return rules.map(({ subject, limit }) => {
    const row = states.get(subject);
    if (!row) throw new Error("The rate limit statement lost a subject.");
    const nth = (counted.get(subject) ?? 0) + 1;
    counted.set(subject, nth);
    const position = row.used - (counts.get(subject)?.count ?? 0) + nth;
    return {
      allowed: position <= limit,
      limit,
      remaining: Math.max(0, limit - position),
      resetsAt: row.resets_at,
      retryAfterSeconds: row.seconds_left,
    };
  });
}

/**
 * Counts one request against a rule. One upsert decides, by the database's clock, so that the limit is
 * exact over any number of processes; requests that arrive together share the statement.
 */
export const takeFromRate = coalesceFor(takeMany, { concurrency: 1, largestBatch: 1000 });

/** Takes back what was counted for something that then did not happen. */
export async function giveBackToRate(db: Database, subject: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ used: sql`${rateLimits.used} - 1` })
    .where(and(eq(rateLimits.subject, subject), gt(rateLimits.used, 0)));
}
