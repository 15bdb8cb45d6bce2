with kept as (insert into project_events (id, project_id, event, data)
select id, project_id, event, data::jsonb
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as given(id, project_id, event, data)
returning id, project_id, event, subject_id, data, created_at),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, told.event, told.subject_id, told.data, told.created_at
from kept told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', told.event] for key share of webhooks
returning 1 as made)
select (select pg_notify('webhooks_due', '')
from deliveries limit 1)
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1

with person as materialized (select new_id($1::uuid) as email_id, c.id, c.email, c.created_at
from contacts c
where c.id > $2 and c.id <= $3 and c.created_at <= (select campaigns.started_at
from campaigns
where campaigns.id = $4) and ((c.project_id = $5 and c.consent = 'subscribed' and not coalesce(c.paused_until > app_now(), false) and (select true
from suppressions
where suppressions.project_id = c.project_id and lower(suppressions.email) = lower(c.email)) is null and (select true
from suppressions suppressed_domains
where suppressed_domains.project_id = c.project_id and suppressed_domains.reason = 'domain' and lower(suppressed_domains.email) = '@' || split_part(lower(c.email), '@', 2)) is null) and not (c.weekly and exists (select
from emails
where emails.contact_id = c.id and emails.source = 'CAMPAIGN' and emails.status <> 'FAILED' and emails.created_at > app_now() - interval '7 days')))
order by c.id),
written as (insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status)
select email_id, $6, $7, id, $8, email, 'CAMPAIGN', 'PENDING'
from person)
insert into email_queue (email_id, project_id, campaign_id, due_at)
select email_id, $9, $10, app_now()
from person
-- $1 string, $2 string, $3 string, $4 string, $5 string, $6 string, $7 string, $8 string, $9 string, $10 string

insert into monthly_usage as used (project_id, month, slot, emails)
select counted.project_id, date_trunc('month', app_now() at time zone 'UTC')::date, case when projects.monthly_email_limit is null then $1::smallint else 0 end, sum(counted.emails)
from (select $2::uuid as project_id, $3::int as emails) counted
join projects on projects.id = counted.project_id
group by counted.project_id, projects.monthly_email_limit
having projects.monthly_email_limit is null or sum(counted.emails) + spread_usage(counted.project_id) <= projects.monthly_email_limit
order by counted.project_id
on conflict (project_id, month, slot) do update
set emails = used.emails + excluded.emails
where used.slot <> 0 or used.emails + excluded.emails + spread_usage(used.project_id) <= (select projects.monthly_email_limit
from projects
where projects.id = used.project_id)
returning used.project_id
-- $1 number, $2 string, $3 number

with due as materialized (select email_queue.email_id
from email_queue
where email_queue.campaign_id = $1 and email_queue.campaign_id is not null and not email_queue.asleep and email_queue.warmup_rank is null and (email_queue.lease_id is null or email_queue.lease_until <= app_now() - make_interval(secs => $2::float8)) limit $3 for update skip locked),
later as materialized (select email_queue.email_id
from email_queue
where email_queue.campaign_id = $4 and email_queue.campaign_id is not null and email_queue.asleep limit $5 for update skip locked),
warming as materialized (select email_queue.email_id
from email_queue
where email_queue.campaign_id = $6 and email_queue.warmup_rank is not null limit $7 for update skip locked),
chosen as materialized (select *
from due
union all select *
from later
union all select *
from warming),
gone as (delete
from email_queue
where email_queue.email_id = any(array(select email_id
from chosen
where true))
returning email_queue.email_id, email_queue.attempts),
before as materialized (select emails.id, emails.status, gone.attempts
from gone
join emails on emails.id = gone.email_id for update of emails),
ended as (update emails
set attempts = before.attempts, status = case when before.status = 'PENDING' then 'FAILED' else before.status end
from before
where emails.id = before.id
returning emails.id, emails.project_id, emails.campaign_id, emails.variant, 1 as settled, (before.status = 'PENDING')::int as failed),
noted as (insert into email_events (id, project_id, email_id, name, data)
select new_id(project_id), project_id, id, 'failed', $8::jsonb
from ended
where failed = 1
returning id, project_id, email_id, name, data, created_at),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
returning 1 as made),
counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(settled) as settled, sum(failed) as failed
from ended
group by 1, 2, 4
having sum(settled) <> 0 or sum(failed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, failed = hourly_figures.failed + excluded.failed)
select (select pg_notify('webhooks_due', '')
from deliveries limit 1) as woken, (select count(*)::int
from ended) as ended, exists (select
from email_queue
where email_queue.campaign_id = $9 and email_queue.campaign_id is not null and not email_queue.asleep and email_queue.warmup_rank is null and email_queue.email_id not in (select email_id
from chosen)
union all select
from email_queue
where email_queue.campaign_id = $10 and email_queue.campaign_id is not null and email_queue.asleep and email_queue.email_id not in (select email_id
from chosen)
union all select
from email_queue
where email_queue.campaign_id = $11 and email_queue.warmup_rank is not null and email_queue.email_id not in (select email_id
from chosen)) as held
-- $1 string, $2 number, $3 number, $4 string, $5 number, $6 string, $7 number, $8 string, $9 string, $10 string, $11 string
