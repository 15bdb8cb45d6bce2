import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { assignments } from "@/db/names";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { endWaitingDeliveries } from "@/lib/domain/webhooks/waiting-deliveries";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import type { DeliveryOutcome } from "./attempt";

const goneReason = inEnglish("The endpoint answered 410 Gone.");
const failingReason = inEnglish("Every delivery failed for five days.");
const longFailing = sql`coalesce(${webhooks.failingSince} <= app_now() - interval '5 days', false)`;

const { attemptedAt, attempts, durationMilliseconds, earlier, error, responseStatus } =
  webhookDeliveries;
/** What a try records on its delivery; the previous try joins the earlier ones. */
const triedColumns = {
  status: sql`case when result.ok = 'true' then 'DELIVERED'
    when result.retry is null or not ${webhooks.enabled} then 'FAILED' else 'PENDING' end`,
  dueAt: sql`case when ${webhooks.enabled} then app_now() + make_interval(secs => result.retry) end`,
  leaseId: sql`null`,
  attempts: sql`${attempts} + 1`,
  earlier: sql`case when ${attemptedAt} is null then ${earlier}
    else ${earlier} || jsonb_build_array(jsonb_build_object(
      'at', ${attemptedAt}, 'status', ${responseStatus}, 'error', ${error},
      'milliseconds', ${durationMilliseconds})) end`,
  responseStatus: sql`result.status`,
  responseBody: sql`case when not ${webhookDeliveries.erased} then result.body end`,
  error: sql`result.error`,
  durationMilliseconds: sql`result.milliseconds`,
  attemptedAt: sql`app_now()`,
};

/** A webhook that we have switched off. */
export interface DisabledWebhook {
  /** uuid */
  id: string;
  projectId: string;
  url: string;
  /** Why: it answered that it is gone, or every delivery failed for days. */
  cause: "gone" | "failing";
}

interface Row extends Record<string, unknown> {
  id: string;
  project_id: string;
  url: string;
  /** Null when it stays switched on. */
  disabled_reason: string | null;
  gone: boolean;
}

/**
 * Records the results of tries in one statement, where the lease is still ours. Switches off endpoints that are
 * gone or have failed for five days, ends what is waiting for them, and resolves to those endpoints.
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
        update ${webhookDeliveries} set ${assignments(webhookDeliveries, triedColumns)}
        from result, ${webhooks}
        where ${webhookDeliveries.id} = result.id and ${webhookDeliveries.leaseId} = result.lease_id
          and ${webhooks.id} = ${webhookDeliveries.webhookId}
        returning ${webhookDeliveries.webhookId}, result.ok = 'true' as ok,
          result.gone = 'true' as gone
      ), verdict as (
        select webhook_id, bool_or(ok) as ok, bool_or(gone) as gone from moved group by webhook_id
      )
      -- A healthy endpoint's row is left alone: it would be the same row for each of its deliveries.
      update ${webhooks} set ${assignments(webhooks, {
        failingSince: sql`case when verdict.ok then null
          else coalesce(${webhooks.failingSince}, app_now()) end`,
        enabled: sql`not (verdict.gone or (not verdict.ok and ${longFailing}))`,
        disabledReason: sql`case when verdict.gone then ${goneReason}
          when not verdict.ok and ${longFailing} then ${failingReason} end`,
      })}
      from verdict
      where ${webhooks.id} = verdict.webhook_id and ${webhooks.enabled}
        and (verdict.gone or case when verdict.ok then ${webhooks.failingSince} is not null
          else ${webhooks.failingSince} is null or ${longFailing} end)
      returning ${webhooks.id}, ${webhooks.projectId}, ${webhooks.url}, ${webhooks.disabledReason},
        verdict.gone`,
    ),
  );
  const disabled = rows.flatMap(
    ({ id, project_id: projectId, url, disabled_reason: reason, gone }): DisabledWebhook[] =>
      reason === null ? [] : [{ id, projectId, url, cause: gone ? "gone" : "failing" }],
  );
  if (disabled.length > 0) {
    await endWaitingDeliveries(
      executor,
      disabled.map(({ id }) => id),
    );
  }
  const again = outcomes.filter((one) => !one.ok && one.retryAfterSeconds !== null);
  if (again.length > 0) {
    // Somebody who switched the endpoint off in between may have ended what waited before this was put back.
    await executePrepared(
      executor,
      sql`update ${webhookDeliveries}
        set ${assignments(webhookDeliveries, { status: sql`'FAILED'`, dueAt: sql`null` })}
        from ${webhooks}
        where ${webhookDeliveries.id} = any(${sql.param(again.map((one) => one.delivery.id))}::uuid[])
          and ${webhooks.id} = ${webhookDeliveries.webhookId} and not ${webhooks.enabled}
          and ${webhookDeliveries.status} = 'PENDING' and ${webhookDeliveries.leaseId} is null`,
    );
  }
  return disabled;
}
