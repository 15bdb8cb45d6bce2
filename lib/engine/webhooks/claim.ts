import { sql, type SQL } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { newId } from "@/lib/ground/ids/ids";
import { unseal } from "@/lib/ground/secrets";
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
  url: string;
  secret: string;
  /** Tries before this one. */
  attempts: number;
  /** The endpoint has not answered well since a failure. */
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

/** Columns of a claimed row `d` of the endpoint `w`. */
const columns = sql`d.id, d.webhook_id, d.event_id, d.event, d.subject_id, d.data, d.attempts,
  d.created_at, w.url, w.secret_sealed, w.failing_since is not null as failing`;

async function toClaimed(
  executor: Executor,
  rows: readonly Row[],
  leaseId: string,
): Promise<ClaimedDelivery[]> {
  const payloads = await payloadsOf(
    executor,
    rows.map((row) => ({
      event: row.event,
      subjectId: row.subject_id,
      data: row.data,
      createdAt: new Date(row.created_at),
    })),
  );
  const secrets = new Map<string, string>();
  return rows.flatMap((row, index) => {
    const payload = payloads[index];
    if (!payload) return [];
    const secret = secrets.get(row.secret_sealed) ?? unseal(row.secret_sealed);
    secrets.set(row.secret_sealed, secret);
    return [
      {
        id: row.id,
        leaseId,
        webhookId: row.webhook_id,
        eventId: row.event_id,
        payload,
        url: row.url,
        secret,
        attempts: row.attempts,
        failing: row.failing,
      },
    ];
  });
}

/** How many deliveries each endpoint may be given. */
interface Rooms {
  /** uuid to number, for endpoints that are known here. */
  known: ReadonlyMap<string, number>;
  /** For the others. */
  others: number;
  /** Together. */
  limit: number;
}

/**
 * Claims due deliveries for `leaseSeconds`, endpoint by endpoint: one statement that skips through the
 * index from one endpoint to the next, so that none stands before another.
 */
export async function claimDeliveries(
  executor: Executor,
  rooms: Rooms,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const leaseId = newId();
  const known = [...rooms.known];
  const rows = await executePrepared<Row>(
    executor,
    sql`
    with recursive lane as (
      (select webhook_id from webhook_deliveries where due_at is not null
       order by webhook_id limit 1)
      union all
      select next.webhook_id from lane cross join lateral (
        select webhook_id from webhook_deliveries
        where due_at is not null and webhook_id > lane.webhook_id
        order by webhook_id limit 1
      ) next
    ), ready as (
      select w.id, coalesce(known.room, ${rooms.others}::int) as room
      from lane join webhooks w on w.id = lane.webhook_id and w.enabled
      left join unnest(
        ${sql.param(known.map(([id]) => id))}::uuid[], ${sql.param(known.map(([, room]) => room))}::int[]
      ) as known(id, room) on known.id = w.id
      -- Whose turn it is: when not all fit, each endpoint has the same chance.
      where coalesce(known.room, ${rooms.others}::int) > 0 order by random()
    ), picked as materialized (
      select due.id from ready cross join lateral (
        select id from webhook_deliveries
        where webhook_id = ready.id and due_at is not null and due_at <= app_now()
        order by due_at limit ready.room
        for update skip locked
      ) due limit ${rooms.limit}
    )
    update webhook_deliveries d
    set due_at = app_now() + make_interval(secs => ${leaseSeconds}), lease_id = ${leaseId}::uuid
    from picked, webhooks w
    where d.id = picked.id and w.id = d.webhook_id
    returning ${columns}`,
  );
  return toClaimed(executor, rows, leaseId);
}

/** Claims one delivery, due or not, of an endpoint switched on or not; null when somebody tries it now. */
export async function claimDelivery(
  executor: Executor,
  id: string,
  leaseSeconds: number,
): Promise<ClaimedDelivery | null> {
  const leaseId = newId();
  const rows = await executePrepared<Row>(
    executor,
    sql`
    update webhook_deliveries d
    set due_at = app_now() + make_interval(secs => ${leaseSeconds}), lease_id = ${leaseId}::uuid,
      status = 'PENDING'
    from webhooks w
    where d.id = ${id} and w.id = d.webhook_id and (d.lease_id is null or d.due_at <= app_now())
    returning ${columns}`,
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
 * Gives back what was not started: due at once, or ended where its webhook has been switched off. The
 * lock waits for somebody who is switching it off, whose own clean-up leaves alone what is still held.
 */
export async function releaseDeliveries(
  executor: Executor,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await executePrepared(
    executor,
    sql`with webhook as materialized (
        select id, enabled from webhooks
        where id = any(${sql.param([...new Set(deliveries.map((one) => one.webhookId))].sort())}::uuid[])
        order by id for share
      )
      update webhook_deliveries d set lease_id = null,
        due_at = case when webhook.enabled then app_now() end,
        status = case when webhook.enabled then d.status else 'FAILED' end,
        error = case when webhook.enabled then d.error else coalesce(d.error, ${switchedOff}) end
      from ${heldRows(deliveries)}, webhook
      where d.id = held.id and d.lease_id = held.lease_id and webhook.id = d.webhook_id`,
  );
}

/** Moves the end of leases on; resolves to the uuids still ours. */
export async function renewDeliveries(
  executor: Executor,
  deliveries: readonly ClaimedDelivery[],
  leaseSeconds: number,
): Promise<Set<string>> {
  const rows = await executePrepared<{ id: string }>(
    executor,
    sql`update webhook_deliveries d
      set due_at = app_now() + make_interval(secs => ${leaseSeconds})
      from ${heldRows(deliveries)} where d.id = held.id and d.lease_id = held.lease_id
      returning d.id`,
  );
  return new Set(rows.map((row) => row.id));
}
