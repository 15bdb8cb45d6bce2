with recursive lane as ((select project_id, due_at
from emails
where emails.due_at is not null and emails.campaign_id is null and not emails.asleep and emails.project_id > $1::uuid
order by emails.project_id, emails.due_at limit 1)
union all select next.project_id, next.due_at
from lane
cross join lateral (select project_id, due_at
from emails
where emails.due_at is not null and emails.campaign_id is null and not emails.asleep and emails.project_id > lane.project_id
order by emails.project_id, emails.due_at limit 1) next),
walked as materialized (select *
from lane limit 500),
ready as (select project_id, ceil($2::numeric / count(*) over ())::int as share
from walked
where due_at <= app_now()
order by random() limit $3),
picked as materialized (select due.*, ready.project_id as lane, ready.share, null::uuid as list_id
from ready
cross join lateral (select id, project_id, contact_id, campaign_id, recipient, source, status, sent_at
from emails
where emails.due_at is not null and emails.campaign_id is null and not emails.asleep and emails.project_id = ready.project_id and emails.due_at <= app_now() and (emails.lease_id is null or emails.unfinished_claims = 0 and emails.due_at <= app_now() - make_interval(secs => $4::float8))
order by emails.due_at limit ready.share for update skip locked) due limit $5),
checked as materialized (select picked.id, picked.lane, picked.share, picked.sent_at, contacts.email as contact_email, contacts.first_name, contacts.last_name, contacts.tags, contacts.data, subscribers.fields as list_fields, case when picked.status <> 'PENDING' then 'reported' when picked.recipient is null then 'deleted' when suppressions.reason is not null then suppressions.reason when picked.source <> 'CAMPAIGN' then null when contacts.consent is distinct
from 'subscribed' then 'unsubscribed' when picked.list_id is not null and subscribers.status is distinct
from 'subscribed' then 'unsubscribed' end as refusal
from picked
left join contacts on contacts.id = picked.contact_id
left join suppressions on suppressions.project_id = picked.project_id and lower(suppressions.email) = lower(picked.recipient)
left join subscribers on subscribers.list_id = picked.list_id and subscribers.contact_id = picked.contact_id),
claimed as (update emails
set status = case when refusal <> 'reported' then 'FAILED' else emails.status end, sent_at = case when refusal = 'reported' then coalesce(emails.sent_at, app_now()) else emails.sent_at end, due_at = case when refusal is null then app_now() + make_interval(secs => $6) end, lease_id = case when refusal is null then $7::uuid end, attempts = emails.attempts + case when refusal is null then 1 else 0 end, unfinished_claims = case when emails.lease_id is null then 0 else emails.unfinished_claims + 1 end
from checked
where emails.id = checked.id
returning emails.id, emails.project_id, emails.message_id, emails.campaign_id, emails.recipient, emails.recipient_name, emails.source, emails.created_at, emails.variant, emails.attempts, checked.contact_email, checked.first_name, checked.last_name, checked.tags, checked.data, checked.list_fields, checked.refusal, checked.lane, checked.share, checked.sent_at as was_sent_at),
refused as (select id, project_id, campaign_id, variant, refusal, 1 as settled, (refusal <> 'reported')::int as failed, (refusal = 'reported' and was_sent_at is null)::int as sent
from claimed
where refusal is not null),
refusals_noted as (insert into email_events (project_id, email_id, name, data)
select project_id, id, 'suppressed', jsonb_build_object('reason', refusal)
from refused
where failed = 1
returning id, project_id, email_id, name, data, created_at),
refusals_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from refusals_noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where told.name not in ('queued', 'unsubscribed')
returning 1 as made),
refusals_counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(settled) as settled, sum(sent) as sent, sum(failed) as failed
from refused
group by 1, 2, 4
having sum(settled) <> 0 or sum(sent) <> 0 or sum(failed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, sent = hourly_figures.sent + excluded.sent, failed = hourly_figures.failed + excluded.failed)
select claimed.*, (select project_id
from walked offset 499) as walked_to
from (select) one
left join claimed on true
-- $1 string, $2 number, $3 number, $4 number, $5 number, $6 number, $7 string

with recursive lane as ((select campaign_id, due_at
from emails
where emails.due_at is not null and emails.campaign_id is not null and not emails.asleep
order by emails.campaign_id, emails.due_at limit 1)
union all select next.campaign_id, next.due_at
from lane
cross join lateral (select campaign_id, due_at
from emails
where emails.due_at is not null and emails.campaign_id is not null and not emails.asleep and emails.campaign_id > lane.campaign_id
order by emails.campaign_id, emails.due_at limit 1) next),
sending as materialized (select campaigns.id, campaigns.project_id, campaigns.list_id
from lane
join campaigns on campaigns.id = lane.campaign_id
where lane.due_at <= app_now() and campaigns.status in ('SENDING', 'SENT')),
ready as (select id, list_id, ceil($1::numeric / (select count(distinct project_id)
from sending) / count(*) over (partition by project_id))::int as share
from sending
order by row_number() over (partition by project_id
order by random()), random() limit $2),
picked as materialized (select due.*, ready.id as lane, ready.share, ready.list_id
from ready
cross join lateral (select id, project_id, contact_id, campaign_id, recipient, source, status, sent_at
from emails
where emails.due_at is not null and emails.campaign_id is not null and not emails.asleep and emails.campaign_id = ready.id and emails.due_at <= app_now() and (emails.lease_id is null or emails.unfinished_claims = 0 and emails.due_at <= app_now() - make_interval(secs => $3::float8))
order by emails.due_at limit ready.share for update skip locked) due limit $4),
checked as materialized (select picked.id, picked.lane, picked.share, picked.sent_at, contacts.email as contact_email, contacts.first_name, contacts.last_name, contacts.tags, contacts.data, subscribers.fields as list_fields, case when picked.status <> 'PENDING' then 'reported' when picked.recipient is null then 'deleted' when suppressions.reason is not null then suppressions.reason when picked.source <> 'CAMPAIGN' then null when contacts.consent is distinct
from 'subscribed' then 'unsubscribed' when picked.list_id is not null and subscribers.status is distinct
from 'subscribed' then 'unsubscribed' end as refusal
from picked
left join contacts on contacts.id = picked.contact_id
left join suppressions on suppressions.project_id = picked.project_id and lower(suppressions.email) = lower(picked.recipient)
left join subscribers on subscribers.list_id = picked.list_id and subscribers.contact_id = picked.contact_id),
claimed as (update emails
set status = case when refusal <> 'reported' then 'FAILED' else emails.status end, sent_at = case when refusal = 'reported' then coalesce(emails.sent_at, app_now()) else emails.sent_at end, due_at = case when refusal is null then app_now() + make_interval(secs => $5) end, lease_id = case when refusal is null then $6::uuid end, attempts = emails.attempts + case when refusal is null then 1 else 0 end, unfinished_claims = case when emails.lease_id is null then 0 else emails.unfinished_claims + 1 end
from checked
where emails.id = checked.id
returning emails.id, emails.project_id, emails.message_id, emails.campaign_id, emails.recipient, emails.recipient_name, emails.source, emails.created_at, emails.variant, emails.attempts, checked.contact_email, checked.first_name, checked.last_name, checked.tags, checked.data, checked.list_fields, checked.refusal, checked.lane, checked.share, checked.sent_at as was_sent_at),
refused as (select id, project_id, campaign_id, variant, refusal, 1 as settled, (refusal <> 'reported')::int as failed, (refusal = 'reported' and was_sent_at is null)::int as sent
from claimed
where refusal is not null),
refusals_noted as (insert into email_events (project_id, email_id, name, data)
select project_id, id, 'suppressed', jsonb_build_object('reason', refusal)
from refused
where failed = 1
returning id, project_id, email_id, name, data, created_at),
refusals_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from refusals_noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where told.name not in ('queued', 'unsubscribed')
returning 1 as made),
refusals_counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(settled) as settled, sum(sent) as sent, sum(failed) as failed
from refused
group by 1, 2, 4
having sum(settled) <> 0 or sum(sent) <> 0 or sum(failed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, sent = hourly_figures.sent + excluded.sent, failed = hourly_figures.failed + excluded.failed)
select claimed.*, null::uuid as walked_to
from (select) one
left join claimed on true
-- $1 number, $2 number, $3 number, $4 number, $5 number, $6 string

update emails
set due_at = app_now() + make_interval(secs => $1)
from unnest($2::uuid[], $3::uuid[]) as held(id, lease_id)
where emails.id = held.id and emails.lease_id = held.lease_id
returning emails.id
-- $1 number, $2 array of 1, $3 array of 1

with mine as materialized (select emails.id, emails.project_id, emails.campaign_id, emails.contact_id, emails.recipient, emails.source, emails.status, emails.sent_at, emails.lease_id, campaigns.list_id, campaigns.status not in ('SENDING', 'SENT') as stopped
from unnest($1::uuid[], $2::uuid[]) as held(id, lease_id)
join emails on emails.id = held.id and emails.lease_id = held.lease_id
join campaigns on campaigns.id = emails.campaign_id),
checked as materialized (select mine.*, case when mine.status <> 'PENDING' then 'reported' when mine.recipient is null then 'deleted' when suppressions.reason is not null then suppressions.reason when mine.source <> 'CAMPAIGN' then null when contacts.consent is distinct
from 'subscribed' then 'unsubscribed' when mine.list_id is not null and subscribers.status is distinct
from 'subscribed' then 'unsubscribed' end as refusal
from mine
left join contacts on contacts.id = mine.contact_id
left join suppressions on suppressions.project_id = mine.project_id and lower(suppressions.email) = lower(mine.recipient)
left join subscribers on subscribers.list_id = mine.list_id and subscribers.contact_id = mine.contact_id),
withheld as (update emails
set status = case when refusal <> 'reported' then 'FAILED' else emails.status end, sent_at = case when refusal = 'reported' then coalesce(emails.sent_at, app_now()) else emails.sent_at end, due_at = case when refusal is null then app_now() end, lease_id = null, attempts = emails.attempts - 1
from checked
where emails.id = checked.id and emails.lease_id = checked.lease_id and (refusal is not null or stopped)
returning emails.id, emails.project_id, emails.campaign_id, emails.variant, checked.refusal, checked.sent_at as was_sent_at),
refused as (select id, project_id, campaign_id, variant, refusal, 1 as settled, (refusal <> 'reported')::int as failed, (refusal = 'reported' and was_sent_at is null)::int as sent
from withheld
where refusal is not null),
refusals_noted as (insert into email_events (project_id, email_id, name, data)
select project_id, id, 'suppressed', jsonb_build_object('reason', refusal)
from refused
where failed = 1
returning id, project_id, email_id, name, data, created_at),
refusals_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from refusals_noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where told.name not in ('queued', 'unsubscribed')
returning 1 as made),
refusals_counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(settled) as settled, sum(sent) as sent, sum(failed) as failed
from refused
group by 1, 2, 4
having sum(settled) <> 0 or sum(sent) <> 0 or sum(failed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, sent = hourly_figures.sent + excluded.sent, failed = hourly_figures.failed + excluded.failed)
select id
from checked
where refusal is null and not stopped
-- $1 array of 1, $2 array of 1

update emails
set due_at = app_now(), lease_id = null, attempts = emails.attempts - 1
from unnest($1::uuid[], $2::uuid[]) as held(id, lease_id)
where emails.id = held.id and emails.lease_id = held.lease_id
-- $1 array of 1, $2 array of 1
