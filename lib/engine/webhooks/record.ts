import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { endWaitingDeliveries } from "@/lib/domain/webhooks/waiting-deliveries";
import type { DeliveryOutcome } from "./attempt";

const goneReason = "The endpoint answered 410 Gone.";
const failingReason = "Nothing but failures came back for five days.";
const longFailing = sql`coalesce(w.failing_since <= app_now() - interval '5 days', false)`;

/** A webhook that we switched off. */
export interface DisabledWebhook {
  /** uuid */
  id: string;
  projectId: string;
  url: string;
  reason: string;
}

interface Row extends Record<string, unknown> {
  id: string;
  project_id: string;
  url: string;
  /** Null where it stays switched on. */
  disabled_reason: string | null;
}

/**
 * Records what came of tries, in one statement, where the lease is still ours. Switches endpoints off
 * that are gone or have failed for five days, and ends what waits for them; resolves to those.
 */
export async function recordOutcomes(
  executor: Executor,
  outcomes: readonly DeliveryOutcome[],
): Promise<DisabledWebhook[]> {
  const r = <Value>(read: (outcome: DeliveryOutcome) => Value) => sql.param(outcomes.map(read));
  const rows = await retryConflicts(() =>
    executePrepared<Row>(
      executor,
      sql`
      with result as materialized (
        select * from unnest(
          ${r((one) => one.delivery.id)}::uuid[], ${r((one) => one.delivery.leaseId)}::uuid[],
          ${r((one) => String(one.ok))}::text[], ${r((one) => String(one.gone))}::text[],
          ${r((one) => one.retryAfterSeconds)}::float8[], ${r((one) => one.status)}::smallint[],
          ${r((one) => one.body)}::text[], ${r((one) => one.error)}::text[],
          ${r((one) => one.milliseconds)}::int[]
        ) as given(id, lease_id, ok, gone, retry, status, body, error, milliseconds)
      ), moved as (
        update webhook_deliveries d set
          status = case when r.ok = 'true' then 'DELIVERED'
            when r.retry is null or not w.enabled then 'FAILED' else 'PENDING' end,
          due_at = case when w.enabled then app_now() + make_interval(secs => r.retry) end,
          lease_id = null,
          attempts = d.attempts + 1,
          earlier = case when d.attempted_at is null then d.earlier
            else d.earlier || jsonb_build_array(jsonb_build_object(
              'at', d.attempted_at, 'status', d.response_status, 'error', d.error,
              'milliseconds', d.duration_milliseconds)) end,
          response_status = r.status, response_body = r.body, error = r.error,
          duration_milliseconds = r.milliseconds, attempted_at = app_now()
        from result r, webhooks w
        where d.id = r.id and d.lease_id = r.lease_id and w.id = d.webhook_id
        returning d.webhook_id, r.ok = 'true' as ok, r.gone = 'true' as gone
      ), verdict as (
        select webhook_id, bool_or(ok) as ok, bool_or(gone) as gone from moved group by webhook_id
      )
      -- A healthy endpoint's row is left alone: it would be the same row for each of its deliveries.
      update webhooks w set
        failing_since = case when v.ok then null else coalesce(w.failing_since, app_now()) end,
        enabled = not (v.gone or (not v.ok and ${longFailing})),
        disabled_reason = case
          when v.gone then ${goneReason} when not v.ok and ${longFailing} then ${failingReason} end
      from verdict v
      where w.id = v.webhook_id and w.enabled
        and (v.gone or case when v.ok then w.failing_since is not null
          else w.failing_since is null or ${longFailing} end)
      returning w.id, w.project_id, w.url, w.disabled_reason`,
    ),
  );
  const disabled = rows.flatMap(({ id, project_id: projectId, url, disabled_reason: reason }) =>
    reason === null ? [] : [{ id, projectId, url, reason }],
  );
  if (disabled.length > 0) {
    await endWaitingDeliveries(
      executor,
      disabled.map(({ id }) => id),
    );
  }
  const again = outcomes.filter((one) => !one.ok && one.retryAfterSeconds !== null);
  if (again.length > 0) {
    // Whoever switched an endpoint off between may have ended what waited before this was put back.
    await executePrepared(
      executor,
      sql`update webhook_deliveries d set status = 'FAILED', due_at = null
        from webhooks w
        where d.id = any(${sql.param(again.map((one) => one.delivery.id))}::uuid[])
          and w.id = d.webhook_id and not w.enabled and d.status = 'PENDING' and d.lease_id is null`,
    );
  }
  return disabled;
}
