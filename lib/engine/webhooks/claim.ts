import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { assignments } from "@/db/names";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { payloadsOf, type WebhookPayload } from "@/lib/domain/webhooks/payload";
import { switchedOff } from "@/lib/domain/webhooks/waiting-deliveries";

/** A delivery this process may try, until its lease ends. */
export interface ClaimedDelivery {
  /** uuid */
  id: string;
  leaseId: string;
  webhookId: string;
  eventId: string;
  payload: WebhookPayload;
  /** Whom it is about has been deleted for good: the answer may name them, and is not kept. */
  aboutErased: boolean;
  url: string;
  secretSealed: string;
  /** Tries before this one. */
  attempts: number;
  /** Whether the endpoint has not answered successfully since a failure. */
  failing: boolean;
}

interface Row extends Record<string, unknown> {
  id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  subject_id: string | null;
  data: Record<string, unknown>;
  attempts: number;
  created_at: string;
  url: string;
  secret_sealed: string;
  failing: boolean;
}

const { webhookId, dueAt } = webhookDeliveries;
/** Columns of a claimed row and of its endpoint. */
const claimedColumns = sql`${webhookDeliveries.id}, ${webhookId}, ${webhookDeliveries.eventId},
  ${webhookDeliveries.event}, ${webhookDeliveries.subjectId}, ${webhookDeliveries.data},
  ${webhookDeliveries.attempts}, ${webhookDeliveries.createdAt}, ${webhooks.url},
  ${webhooks.secretSealed}, ${webhooks.failingSince} is not null as failing`;

function leased(leaseId: string, leaseSeconds: number) {
  return {
    dueAt: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
    leaseId: sql`${leaseId}::uuid`,
  };
}

async function toClaimed(
  executor: Executor,
  rows: readonly Row[],
  leaseId: string,
): Promise<ClaimedDelivery[]> {
  const told = await payloadsOf(
    executor,
    rows.map((row) => ({
      event: row.event,
      subjectId: row.subject_id,
      data: row.data,
      createdAt: new Date(row.created_at),
    })),
  );
  return rows.flatMap((row, index) => {
    const one = told[index];
    if (!one) return [];
    return [
      {
        id: row.id,
        leaseId,
        webhookId: row.webhook_id,
        eventId: row.event_id,
        ...one,
        url: row.url,
        secretSealed: row.secret_sealed,
        attempts: row.attempts,
        failing: row.failing,
      },
    ];
  });
}

/** How many deliveries each endpoint may be given. */
interface Rooms {
  /** uuid to number, for endpoints that this worker already knows. */
  byWebhook: ReadonlyMap<string, number>;
  /** For the others. */
  others: number;
  /** uuids of those that answer; all others together are given no more than `unproven`. */
  proven: readonly string[];
  unproven: number;
  /** For those that answer together. */
  limit: number;
}

/** SQL: deliveries of the endpoints that meet the condition, as many as each has room for, `most` together. */
const dueOf = (condition: SQL, most: number) => sql`
      (select due.id from ready cross join lateral (
        select ${webhookDeliveries.id} from ${webhookDeliveries}
        where ${webhookId} = ready.id and ${dueAt} is not null and ${dueAt} <= app_now()
        order by ${dueAt} limit ready.room
        for update skip locked
      ) due where ${condition} limit ${most})`;

/**
 * Claims due deliveries for `leaseSeconds`, endpoint by endpoint: one statement that skips through the
 * index from one endpoint to the next, so that none stands before another.
 */
export async function claimDeliveries(
  executor: Executor,
  rooms: Rooms,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const leaseId = newUnownedId();
  const metRooms = [...rooms.byWebhook];
  const rows = await executePrepared<Row>(
    executor,
    sql`
    with recursive lane as (
      (select ${webhookId} from ${webhookDeliveries} where ${dueAt} is not null
       order by ${webhookId} limit 1)
      union all
      select next.webhook_id from lane cross join lateral (
        select ${webhookId} from ${webhookDeliveries}
        where ${dueAt} is not null and ${webhookId} > lane.webhook_id
        order by ${webhookId} limit 1
      ) next
    ), ready as (
      select ${webhooks.id}, coalesce(met.room, ${rooms.others}::int) as room,
        ${webhooks.id} = any(${sql.param(rooms.proven)}::uuid[]) as proven
      from lane join ${webhooks} on ${webhooks.id} = lane.webhook_id and ${webhooks.enabled}
      left join unnest(
        ${sql.param(metRooms.map(([id]) => id))}::uuid[], ${sql.param(metRooms.map(([, room]) => room))}::int[]
      ) as met(id, room) on met.id = ${webhooks.id}
      -- Whose turn it is: when not all fit, each endpoint has the same chance.
      where coalesce(met.room, ${rooms.others}::int) > 0 and ${worksHere(webhooks.projectId)} order by random()
    ), picked as materialized (${dueOf(sql`ready.proven`, rooms.limit)}
      union all ${dueOf(sql`not ready.proven`, rooms.unproven)}
    )
    update ${webhookDeliveries}
    set ${assignments(webhookDeliveries, leased(leaseId, leaseSeconds))}
    from picked, ${webhooks}
    where ${webhookDeliveries.id} = picked.id and ${webhooks.id} = ${webhookId}
    returning ${claimedColumns}`,
  );
  return toClaimed(executor, rows, leaseId);
}

/**
 * Claims one delivery, whether or not it is due or its endpoint is switched on; null when somebody is trying it
 * now.
 */
export async function claimDelivery(
  executor: Executor,
  id: string,
  leaseSeconds: number,
): Promise<ClaimedDelivery | null> {
  const leaseId = newUnownedId();
  const rows = await executePrepared<Row>(
    executor,
    sql`
    update ${webhookDeliveries} set ${assignments(webhookDeliveries, {
      ...leased(leaseId, leaseSeconds),
      status: sql`'PENDING'`,
    })}
    from ${webhooks}
    where ${webhookDeliveries.id} = ${id} and ${webhooks.id} = ${webhookId}
      and (${webhookDeliveries.leaseId} is null or ${dueAt} <= app_now())
    returning ${claimedColumns}`,
  );
  const [claimed] = await toClaimed(executor, rows, leaseId);
  return claimed ?? null;
}

/** The rows that are still held, as `held(id, lease_id)`. */
function heldRows(deliveries: readonly { id: string; leaseId: string }[]): SQL {
  return sql`unnest(${sql.param(deliveries.map((one) => one.id))}::uuid[],
    ${sql.param(deliveries.map((one) => one.leaseId))}::uuid[]) as held(id, lease_id)`;
}

/**
 * Gives back what was not started: due at once, or ended if its webhook has been switched off. The lock waits for
 * anybody who is switching it off, since their clean-up leaves alone what is still held.
 */
export async function releaseDeliveries(
  executor: Executor,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await executePrepared(
    executor,
    sql`with webhook as materialized (
        select ${webhooks.id}, ${webhooks.enabled} from ${webhooks}
        where ${webhooks.id} = any(${sql.param([...new Set(deliveries.map((one) => one.webhookId))].sort())}::uuid[])
        order by ${webhooks.id} for share
      )
      update ${webhookDeliveries} set ${assignments(webhookDeliveries, {
        leaseId: sql`null`,
        dueAt: sql`case when webhook.enabled then app_now() end`,
        status: sql`case when webhook.enabled then ${webhookDeliveries.status} else 'FAILED' end`,
        error: sql`case when webhook.enabled then ${webhookDeliveries.error}
          else coalesce(${webhookDeliveries.error}, ${switchedOff}) end`,
      })}
      from ${heldRows(deliveries)}, webhook
      where ${webhookDeliveries.id} = held.id and ${webhookDeliveries.leaseId} = held.lease_id
        and webhook.id = ${webhookId}`,
  );
}

/** Extends leases; resolves to the uuids still ours. */
export async function renewDeliveries(
  executor: Executor,
  deliveries: readonly ClaimedDelivery[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const rows = await executePrepared<{ id: string }>(
    executor,
    sql`update ${webhookDeliveries} set ${assignments(webhookDeliveries, {
      dueAt: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
    })}
      from ${heldRows(deliveries)}
      where ${webhookDeliveries.id} = held.id and ${webhookDeliveries.leaseId} = held.lease_id
      returning ${webhookDeliveries.id}`,
  );
  return new Set(rows.map((row) => row.id));
}
