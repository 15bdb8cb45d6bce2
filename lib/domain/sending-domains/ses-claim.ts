import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  sql,
  type SQL,
} from "drizzle-orm";
import type { Database } from "@/db/client";
import { assignments, columns, excluded, insertSelected } from "@/db/names";
import { domains, sendingConnections, sesIdentities } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { sha256 } from "@/lib/ground/secrets";
import { installationAccount, sesWays } from "./ses-ways";

/** Each takes up to six requests, of ten seconds at most. */
const claimSize = 4;
const leaseSeconds = 300;
/** After this long, one that cannot be deleted stays in its account. */
const longestLeaveDays = 7;

export type SesIdentityRow = typeof sesIdentities.$inferSelect;

/** An identity to look after, with what is needed for it. */
export interface ClaimedIdentity {
  row: SesIdentityRow;
  lease: string;
  domain: typeof domains.$inferSelect | null;
  connection: typeof sendingConnections.$inferSelect | null;
  /** It was to leave so long ago that it may as well stay there. */
  overdue: boolean;
}

const overdue = sql<boolean>`coalesce(${sesIdentities.leavingSince}
  < app_now() - make_interval(days => ${longestLeaveDays}), false)`;

const anew = {
  leavingSince: sql`null`,
  attempts: sql`0`,
  answer: sql`null`,
  fault: sql`null`,
  checkedAt: sql`null`,
  checks: sql`'{}'`,
  nextCheckAt: now,
};

/** The other installation looks after those of a project that goes there. */
const isOfResting = sql`exists (select from ${domains}
  where ${domains.id} = ${sesIdentities.domainId} and not (${worksHere(domains.projectId)}))`;

/**
 * Writes down which accounts at SES are to know which domains: verified ones, which one project at most has, so that
 * nobody registers what others own. Those that no mail goes through any more are to leave.
 */
export async function bringUpToDate(db: Database): Promise<void> {
  const { connectionId, region, name, domainId, leavingSince } = sesIdentities;
  await db.execute(sql`
    with ways as (${sesWays(sql`${domains.status} = 'VERIFIED' and ${worksHere(domains.projectId)}`)})
    ${insertSelected(sesIdentities, {
      id: sql`gen_random_uuid()`,
      connectionId: sql`ways.connection_id`,
      region: sql`ways.region`,
      name: sql`ways.name`,
      domainId: sql`ways.domain_id`,
      nextCheckAt: now,
    })}
    from ways
    on conflict (${columns(connectionId, region, name)}) do update
    set ${assignments(sesIdentities, { ...anew, domainId: excluded(domainId) })}
    where ${domainId} is distinct from ${excluded(domainId)} or ${leavingSince} is not null`);
  await db.execute(sql`
    with ways as (${sesWays(sql`true`)})
    update ${sesIdentities}
    set ${assignments(sesIdentities, { leavingSince: now, nextCheckAt: now, attempts: sql`0` })}
    where ${leavingSince} is null and not ${isOfResting} and not exists (select from ways
      where ways.domain_id = ${domainId} and ways.region = ${region}
        and ways.connection_id is not distinct from ${connectionId})`);
}

/** The installation's account and key that this process last asked with. */
let askedWith: string | null = null;

/**
 * Has all that the installation's key was denied asked about now, however long that was to wait: with another key, and
 * with each start of the program, which is how the rights of this machine change.
 */
export async function askWithNewKey(db: Database): Promise<void> {
  const account = installationAccount();
  const key = account && sha256(JSON.stringify(account)).toString("hex");
  if (key === askedWith) return;
  if (account) await askDeniedSoon(db);
  askedWith = key;
}

async function askDeniedSoon(db: Database): Promise<void> {
  const { connectionId, fault, nextCheckAt } = sesIdentities;
  await db
    .update(sesIdentities)
    .set({ nextCheckAt: now, attempts: 0 })
    .where(and(isNull(connectionId), sql`${fault} ->> 'kind' = 'denied'`, gt(nextCheckAt, now)));
}

/** Leases what is due: one statement, so that any number of workers take each once. */
export async function claimIdentities(db: Database): Promise<ClaimedIdentity[]> {
  const due = db
    .select({ id: sesIdentities.id })
    .from(sesIdentities)
    .where(and(lte(sesIdentities.nextCheckAt, now), not(isOfResting)))
    .orderBy(asc(sesIdentities.nextCheckAt))
    .limit(claimSize)
    .for("update", { skipLocked: true });
  const claimed = await db
    .update(sesIdentities)
    .set({ nextCheckAt: sql`app_now() + make_interval(secs => ${leaseSeconds})` })
    .where(inArray(sesIdentities.id, due))
    .returning({ id: sesIdentities.id, lease: sql<string>`${sesIdentities.nextCheckAt}::text` });
  const leases = new Map(claimed.map(({ id, lease }) => [id, lease]));
  if (leases.size === 0) return [];
  const rows = await db
    .select({ row: sesIdentities, domain: domains, connection: sendingConnections, overdue })
    .from(sesIdentities)
    .leftJoin(domains, eq(domains.id, sesIdentities.domainId))
    .leftJoin(sendingConnections, eq(sendingConnections.id, sesIdentities.connectionId))
    .where(inArray(sesIdentities.id, [...leases.keys()]));
  return rows.flatMap((found) => {
    const lease = leases.get(found.row.id);
    return lease === undefined ? [] : [{ ...found, lease }];
  });
}

const held = ({ row, lease }: ClaimedIdentity): SQL | undefined =>
  and(eq(sesIdentities.id, row.id), sql`${sesIdentities.nextCheckAt} = ${lease}::timestamptz`);

type Changes = Partial<Record<keyof SesIdentityRow, unknown>>;

/** Writes down what came of it; false: somebody else took over, or it is gone. */
export async function noteIdentity(
  db: Database,
  claimed: ClaimedIdentity,
  changes: Changes,
): Promise<boolean> {
  const rows = await db
    .update(sesIdentities)
    .set(changes as Partial<SesIdentityRow>)
    .where(held(claimed))
    .returning({ id: sesIdentities.id });
  return rows.length > 0;
}

/** Forgets one that has left, unless it is needed again meanwhile. */
export async function forgetIdentity(db: Database, claimed: ClaimedIdentity): Promise<void> {
  await db.delete(sesIdentities).where(and(held(claimed), isNotNull(sesIdentities.leavingSince)));
}

/** Whether mail leaves through the name in the same region by another connection, perhaps to the same account. */
export async function isUsedElsewhere(
  db: Database,
  { id, name, region }: SesIdentityRow,
): Promise<boolean> {
  const [other] = await db
    .select({ id: sesIdentities.id })
    .from(sesIdentities)
    .where(
      and(
        eq(sesIdentities.name, name),
        eq(sesIdentities.region, region),
        ne(sesIdentities.id, id),
        isNull(sesIdentities.leavingSince),
      ),
    )
    .limit(1);
  return other !== undefined;
}
