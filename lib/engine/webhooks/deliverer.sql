with recursive lane as ((select webhook_id
from webhook_deliveries
where due_at is not null
order by webhook_id limit 1)
union all select next.webhook_id
from lane
cross join lateral (select webhook_id
from webhook_deliveries
where due_at is not null and webhook_id > lane.webhook_id
order by webhook_id limit 1) next),
ready as (select w.id, coalesce(known.room, $1::int) as room
from lane
join webhooks w on w.id = lane.webhook_id and w.enabled
left join unnest($2::uuid[], $3::int[]) as known(id, room) on known.id = w.id
where coalesce(known.room, $4::int) > 0
order by random()),
picked as materialized (select due.id
from ready
cross join lateral (select id
from webhook_deliveries
where webhook_id = ready.id and due_at is not null and due_at <= app_now()
order by due_at limit ready.room for update skip locked) due limit $5)
update webhook_deliveries d
set due_at = app_now() + make_interval(secs => $6), lease_id = $7::uuid
from picked, webhooks w
where d.id = picked.id and w.id = d.webhook_id
returning d.id, d.webhook_id, d.event_id, d.event, d.subject_id, d.data, d.attempts, d.created_at, w.url, w.secret_sealed, w.failing_since is not null as failing
-- $1 number, $2 array of 0, $3 array of 0, $4 number, $5 number, $6 number, $7 string

with result as materialized (select *
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::smallint[], $7::text[], $8::text[], $9::int[]) as given(id, lease_id, ok, gone, retry, status, body, error, milliseconds)),
moved as (update webhook_deliveries d
set status = case when r.ok = 'true' then 'DELIVERED' when r.retry is null or not w.enabled then 'FAILED' else 'PENDING' end, due_at = case when w.enabled then app_now() + make_interval(secs => r.retry) end, lease_id = null, attempts = d.attempts + 1, earlier = case when d.attempted_at is null then d.earlier else d.earlier || jsonb_build_array(jsonb_build_object('at', d.attempted_at, 'status', d.response_status, 'error', d.error, 'milliseconds', d.duration_milliseconds)) end, response_status = r.status, response_body = r.body, error = r.error, duration_milliseconds = r.milliseconds, attempted_at = app_now()
from result r, webhooks w
where d.id = r.id and d.lease_id = r.lease_id and w.id = d.webhook_id
returning d.webhook_id, r.ok = 'true' as ok, r.gone = 'true' as gone),
verdict as (select webhook_id, bool_or(ok) as ok, bool_or(gone) as gone
from moved
group by webhook_id)
update webhooks w
set failing_since = case when v.ok then null else coalesce(w.failing_since, app_now()) end, enabled = not (v.gone or (not v.ok and coalesce(w.failing_since <= app_now() - interval '5 days', false))), disabled_reason = case when v.gone then $10 when not v.ok and coalesce(w.failing_since <= app_now() - interval '5 days', false) then $11 end
from verdict v
where w.id = v.webhook_id and w.enabled and (v.gone or case when v.ok then w.failing_since is not null else w.failing_since is null or coalesce(w.failing_since <= app_now() - interval '5 days', false) end)
returning w.id, w.project_id, w.url, w.disabled_reason
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1, $5 array of 1, $6 array of 1, $7 array of 1, $8 array of 1, $9 array of 1, $10 string, $11 string
