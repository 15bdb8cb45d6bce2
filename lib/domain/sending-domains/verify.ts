// | from            | on                                              | to                                  |
// |-----------------|-------------------------------------------------|-------------------------------------|
// | PENDING, FAILED | a look-up finds every required record           | VERIFIED, looked at daily           |
// | PENDING, FAILED | somebody asks, and a record is wrong or missing | PENDING, checked again for 72 hours |
// | PENDING         | the 72 hours are over                           | FAILED, until somebody asks         |
// | VERIFIED        | DKIM is wrong or missing in 3 daily look-ups    | FAILED, checked again for 72 hours  |
// A silent or failing name server is none of these: it proves nothing and changes nothing.
import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";
import { violatedConstraint } from "@/db/errors";
import { domains } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { noteTeamLetter } from "@/lib/domain/team-letters/note";
import { audit } from "@/lib/ground/audit";
import { requireRole, systemContext, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { emitEvents } from "@/lib/ground/events/emit";
import { alignBuiltInDomains } from "./built-in";
import { claimDue, leaseSeconds, type ClaimedDomain } from "./claim-due";
import { startWithVerification } from "@/lib/domain/warm-up/store";
import { getDomainRow, toDomain, type DomainRow } from "./domains";
import { lookUpRecords, type RecordChecks } from "./lookup";
import { expectedRecords } from "./records";
import type { Domain } from "./schema";
import { askSesSoon } from "./ses-identities";
import { takeIntoUse, takenCheck } from "./tracking-hosts";

const automaticHours = 72;
const missesUntilFailed = 3;

interface Outcome {
  checks: RecordChecks;
  /** Every required record was seen just now, and is right. */
  complete: boolean;
  /** DKIM was seen to be wrong or missing. */
  dkimGone: boolean;
  /** Some server gave no answer. */
  unsure: boolean;
}

/** Whether links lead to the domain's own host after this; null: as before. */
function trackingAfter({ checks: { TRACKING } }: Outcome): boolean | null {
  if (TRACKING?.kind === "unreachable") return null;
  return TRACKING?.ok ?? false;
}

async function lookUp(db: Database, row: DomainRow): Promise<Outcome> {
  const checks = await lookUpRecords(row);
  const required = expectedRecords(row).filter((record) => record.required);
  const { DKIM, TRACKING } = checks;
  const complete = required.every(({ purpose }) => checks[purpose]?.ok && !checks[purpose].kind);
  const { projectId, trackingHost: host } = row;
  // Somebody who does not own the domain could point at the owner's record.
  if (host !== null && TRACKING?.ok && !TRACKING.kind && (complete || row.status === "VERIFIED")) {
    const before = row.checks.TRACKING;
    checks.TRACKING = await takeIntoUse(db, { host, projectId, before }, TRACKING);
  }
  return {
    checks,
    complete,
    dkimGone: DKIM !== undefined && !DKIM.ok && DKIM.kind !== "unreachable",
    unsure: Object.values(checks).some((check) => check.kind === "unreachable"),
  };
}

/** 30 seconds, doubled with each automatic check, two hours at most. */
const backoff = sql`make_interval(secs => least(30 * power(2, least(${domains.checkAttempts}, 12)), 7200))`;
const until = sql`app_now() + make_interval(hours => ${automaticHours})`;

/** The columns that an outcome changes; `complete` may be denied when another project holds the name. */
function changes(before: DomainRow, outcome: Outcome, complete: boolean, automatic: boolean) {
  const tracks = trackingAfter(outcome);
  const since = (verified: SQL) => ({
    // If another host was named meanwhile, that one's look-up is waited for.
    trackingSince: sql`case when ${domains.trackingHost} is distinct from ${before.trackingHost}
        or not ${verified} then null
      when ${tracks}::boolean is null then ${domains.trackingSince}
      when ${tracks}::boolean then coalesce(${domains.trackingSince}, app_now()) end`,
  });
  const seen = { checks: outcome.checks, checkedAt: now };
  if (complete) {
    return {
      ...seen,
      ...since(sql`true`),
      status: "VERIFIED" as const,
      verifiedAt: sql`case when ${domains.status} = 'VERIFIED' then ${domains.verifiedAt} else app_now() end`,
      nextCheckAt: sql`app_now() + ${before.trackingHost === null ? "1 day" : tracks ? "1 hour" : "10 minutes"}::interval`,
      checkUntil: null,
      checkAttempts: 0,
      dkimMisses: 0,
    };
  }
  // A look-up that a person triggers is not one of the daily ones, or three clicks would end a domain.
  const misses = outcome.dkimGone
    ? sql`${domains.dkimMisses} + ${automatic ? 1 : 0}`
    : sql`case when ${outcome.unsure} then ${domains.dkimMisses} else 0 end`;
  const drops = sql`(${domains.status} = 'VERIFIED' and ${misses} >= ${missesUntilFailed})`;
  const stays = sql`(${domains.status} = 'VERIFIED' and not ${drops})`;
  const pause = sql`app_now() + ${outcome.unsure ? "1 hour" : "1 day"}::interval`;
  // Asking again and again must not put the daily look-up off for ever.
  const nextLook = automatic ? pause : sql`coalesce(${domains.nextCheckAt}, ${pause})`;
  const over = sql`coalesce(${domains.checkUntil} <= app_now(), true)`;
  const choose = (verified: SQL, dropped: SQL, ended: SQL, waiting: SQL) =>
    sql`case when ${stays} then ${verified} when ${drops} then ${dropped}
      when ${over} then ${ended} else ${waiting} end`;
  return {
    ...seen,
    ...since(stays),
    status: choose(sql`${domains.status}`, sql`'FAILED'`, sql`'FAILED'`, sql`${domains.status}`),
    verifiedAt: sql`case when ${stays} then ${domains.verifiedAt} end`,
    nextCheckAt: choose(
      nextLook,
      sql`app_now() + interval '30 seconds'`,
      sql`null`,
      sql`least(app_now() + ${backoff}, ${domains.checkUntil})`,
    ),
    checkUntil: choose(sql`null`, until, sql`null`, sql`${domains.checkUntil}`),
    checkAttempts: choose(
      sql`0`,
      sql`0`,
      sql`0`,
      sql`${domains.checkAttempts} + ${automatic ? 1 : 0}`,
    ),
    dkimMisses: choose(misses, sql`0`, sql`0`, sql`0`),
  };
}

/**
 * Writes an outcome down, and who caused it. Returns null when the row is gone or, with a lease, when
 * somebody else took over; throws the unique violation when another project has the name verified.
 */
async function record(
  ctx: Context,
  before: DomainRow,
  outcome: Outcome,
  { complete, lease }: { complete: boolean; lease: string | null },
): Promise<DomainRow | null> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(domains)
      .set(changes(before, outcome, complete, lease !== null))
      .where(
        and(
          eq(domains.projectId, ctx.projectId),
          eq(domains.id, before.id),
          lease === null ? undefined : sql`${domains.nextCheckAt} = ${lease}::timestamptz`,
        ),
      )
      .returning();
    if (!row) return null;
    if (lease === null || row.status !== before.status) {
      await audit(tx, ctx, "verify.domain", encodeId("domain", row.id), {
        name: row.name,
        status: row.status,
      });
    }
    if (row.status === "VERIFIED" && before.verifiedAt === null) {
      await startWithVerification(tx, row.id);
    }
    if (row.status !== before.status && row.status !== "PENDING") {
      const type = row.status === "VERIFIED" ? "domain.verified" : "domain.failed";
      await emitEvents(tx, [{ projectId: ctx.projectId, type, data: await toDomain(tx, row) }]);
      if (row.status === "FAILED") {
        const letter = { subjectId: row.id, name: row.name };
        await noteTeamLetter(tx, ctx.projectId, "domainFailed", letter);
      }
    }
    return row;
  });
}

/** Writes down the part of an outcome that another project's hold on the name or host does not rule out. */
async function recordWhatHolds(
  ctx: Context,
  before: DomainRow,
  outcome: Outcome,
  lease: string | null,
): Promise<{ row: DomainRow | null; nameTaken: boolean }> {
  let { complete, checks } = outcome;
  for (;;) {
    try {
      const row = await record(ctx, before, { ...outcome, checks }, { complete, lease });
      return { row, nameTaken: complete !== outcome.complete };
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === "domains_verified_name" && complete) complete = false;
      else if (constraint === "domains_tracking_host" && checks.TRACKING?.ok) {
        checks = { ...checks, TRACKING: takenCheck };
      } else throw error;
    }
  }
}

function takenError(name: string): AppError {
  return new AppError("CONFLICT", `Another project has verified the domain ${name}.`);
}

/**
 * Looks the domain's records up now and, where they are not all there, again with backoff for 72 hours.
 * Throws NOT_FOUND, CONFLICT when another project has the name verified. Needs admin.
 */
export async function verifyDomain(ctx: Context, id: string): Promise<Domain> {
  requireRole(ctx, "admin");
  const row = await getDomainRow(ctx, id);
  if (row.builtIn) return toDomain(ctx.db, row);
  const [rival] = await ctx.db
    .select({ id: domains.id })
    .from(domains)
    .where(
      and(
        eq(domains.name, row.name),
        eq(domains.status, "VERIFIED"),
        eq(domains.builtIn, false),
        ne(domains.projectId, ctx.projectId),
      ),
    );
  if (rival) throw takenError(row.name);
  // Committed before the network is asked: whatever happens to this process, the checks continue. It also
  // takes the row from an automatic check under way, whose answer would be older than ours.
  const [before] = await ctx.db
    .update(domains)
    .set({
      status: sql`case when ${domains.status} = 'FAILED' then 'PENDING' else ${domains.status} end`,
      nextCheckAt: sql`case when ${domains.status} = 'VERIFIED' then ${domains.nextCheckAt}
        else app_now() + make_interval(secs => ${leaseSeconds}) end`,
      checkUntil: sql`case when ${domains.status} = 'VERIFIED' then ${domains.checkUntil} else ${until} end`,
      checkAttempts: 0,
    })
    .where(and(eq(domains.projectId, ctx.projectId), eq(domains.id, row.id)))
    .returning();
  if (!before) throw notFound();
  const outcome = await lookUp(ctx.db, before);
  const { row: after, nameTaken } = await recordWhatHolds(ctx, before, outcome, null);
  if (nameTaken) throw takenError(before.name);
  if (!after) throw notFound();
  await askSesSoon(ctx.db, after.id);
  return toDomain(ctx.db, after);
}

async function checkOne(db: Database, { row, lease }: ClaimedDomain): Promise<void> {
  const ctx = systemContext(db, row.projectId);
  await recordWhatHolds(ctx, row, await lookUp(db, row), lease);
}

/**
 * Looks up the domains that are due, until none is left or `signal` asks to stop (those begun are
 * finished: at most 30 seconds). Returns how many were looked up.
 */
export async function checkDueDomains(
  db: Database,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  await alignBuiltInDomains(db);
  let checked = 0;
  while (!signal?.aborted) {
    const claimed = await claimDue(db);
    if (claimed.length === 0) break;
    const results = await Promise.allSettled(claimed.map((claim) => checkOne(db, claim)));
    for (const [index, result] of results.entries()) {
      if (result.status === "rejected") {
        const domainId = claimed[index]?.row.id;
        log.error({ domainId, name: (result.reason as Error).name }, "domain check failed");
      }
    }
    checked += claimed.length;
  }
  return checked;
}
