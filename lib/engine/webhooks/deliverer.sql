with recursive lane as ((select webhook_deliveries.webhook_id
from webhook_deliveries
where webhook_deliveries.due_at is not null
order by webhook_deliveries.webhook_id limit 1)
union all select next.webhook_id
from lane
cross join lateral (select webhook_deliveries.webhook_id
from webhook_deliveries
where webhook_deliveries.due_at is not null and webhook_deliveries.webhook_id > lane.webhook_id
order by webhook_deliveries.webhook_id limit 1) next),
ready as (select webhooks.id, coalesce(met.room, $1::int) as room, webhooks.id = any($2::uuid[]) as proven
from lane
join webhooks on webhooks.id = lane.webhook_id and webhooks.enabled
left join unnest($3::uuid[], $4::int[]) as met(id, room) on met.id = webhooks.id
where coalesce(met.room, $5::int) > 0 and not exists (select
from project_moves
where project_moves.project_id = webhooks.project_id and project_moves.state in ('draining', 'closing', 'closed', 'moved'))
order by random()), picked as materialized ((select due.id
from ready
cross join lateral (select webhook_deliveries.id
from webhook_deliveries
where webhook_deliveries.webhook_id = ready.id and webhook_deliveries.due_at is not null and webhook_deliveries.due_at <= app_now()
order by webhook_deliveries.due_at limit ready.room for update skip locked) due
where ready.proven limit $6)
union all (select due.id
from ready
cross join lateral (select webhook_deliveries.id
from webhook_deliveries
where webhook_deliveries.webhook_id = ready.id and webhook_deliveries.due_at is not null and webhook_deliveries.due_at <= app_now()
order by webhook_deliveries.due_at limit ready.room for update skip locked) due
where not ready.proven limit $7))
update webhook_deliveries
set due_at = app_now() + make_interval(secs => $8), lease_id = $9::uuid
from picked, webhooks
where webhook_deliveries.id = picked.id and webhooks.id = webhook_deliveries.webhook_id
returning webhook_deliveries.id, webhook_deliveries.webhook_id, webhook_deliveries.event_id, webhook_deliveries.event, webhook_deliveries.subject_id, webhook_deliveries.data, webhook_deliveries.attempts, webhook_deliveries.created_at, webhooks.url, webhooks.secret_sealed, webhooks.failing_since is not null as failing
-- $1 number, $2 array of 0, $3 array of 0, $4 array of 0, $5 number, $6 number, $7 number, $8 number, $9 string

with result as materialized (select *
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::smallint[], $7::text[], $8::text[], $9::int[]) as given(id, lease_id, ok, gone, retry, status, body, error, milliseconds)),
moved as (update webhook_deliveries
set status = case when result.ok = 'true' then 'DELIVERED' when result.retry is null or not webhooks.enabled then 'FAILED' else 'PENDING' end, due_at = case when webhooks.enabled then app_now() + make_interval(secs => result.retry) end, lease_id = null, attempts = webhook_deliveries.attempts + 1, earlier = case when webhook_deliveries.attempted_at is null then webhook_deliveries.earlier else webhook_deliveries.earlier || jsonb_build_array(jsonb_build_object('at', webhook_deliveries.attempted_at, 'status', webhook_deliveries.response_status, 'error', webhook_deliveries.error, 'milliseconds', webhook_deliveries.duration_milliseconds)) end, response_status = result.status, response_body = case when not webhook_deliveries.erased then result.body end, error = result.error, duration_milliseconds = result.milliseconds, attempted_at = app_now()
from result, webhooks
where webhook_deliveries.id = result.id and webhook_deliveries.lease_id = result.lease_id and webhooks.id = webhook_deliveries.webhook_id
returning webhook_deliveries.webhook_id, result.ok = 'true' as ok, result.gone = 'true' as gone),
verdict as (select webhook_id, bool_or(ok) as ok, bool_or(gone) as gone
from moved
group by webhook_id)
update webhooks
set failing_since = case when verdict.ok then null else coalesce(webhooks.failing_since, app_now()) end, enabled = not (verdict.gone or (not verdict.ok and coalesce(webhooks.failing_since <= app_now() - interval '5 days', false))), disabled_reason = case when verdict.gone then $10 when not verdict.ok and coalesce(webhooks.failing_since <= app_now() - interval '5 days', false) then $11 end
from verdict
where webhooks.id = verdict.webhook_id and webhooks.enabled and (verdict.gone or case when verdict.ok then webhooks.failing_since is not null else webhooks.failing_since is null or coalesce(webhooks.failing_since <= app_now() - interval '5 days', false) end)
returning webhooks.id, webhooks.project_id, webhooks.url, webhooks.disabled_reason, verdict.gone
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1, $5 array of 1, $6 array of 1, $7 array of 1, $8 array of 1, $9 array of 1, $10 string, $11 string
