with recursive project as ((select project_id, place, email_id
from email_queue
where email_queue.campaign_id is null and not email_queue.asleep and email_queue.warmup_rank is null
order by project_id, place, email_id limit 1)
union all select next.*
from project
cross join lateral (select project_id, place, email_id
from email_queue
where email_queue.campaign_id is null and not email_queue.asleep and email_queue.warmup_rank is null and email_queue.project_id > project.project_id
order by project_id, place, email_id limit 1) next), campaign as ((select campaign_id, place, email_id
from email_queue
where email_queue.campaign_id is not null and not email_queue.asleep and email_queue.warmup_rank is null
order by campaign_id, place, email_id limit 1)
union all select next.*
from campaign
cross join lateral (select campaign_id, place, email_id
from email_queue
where email_queue.campaign_id is not null and not email_queue.asleep and email_queue.warmup_rank is null and email_queue.campaign_id > campaign.campaign_id
order by campaign_id, place, email_id limit 1) next),
lane as (select 'transactional' as kind, project_id as id, place, email_id
from project
union all select 'campaigns', campaign_id, place, email_id
from campaign)
select lane.*, pg_current_snapshot()::text as seen
from (select) as look
left join lane on true

with front as materialized (select lane.id, first.place, first.email_id, due.place as due_place, due.email_id as due_email
from unnest($1::uuid[], $2::text[], $3::uuid[]) as lane(id, place, email_id)
cross join lateral (select email_queue.place, email_queue.email_id
from email_queue
where email_queue.campaign_id is null and not email_queue.asleep and email_queue.warmup_rank is null and email_queue.project_id = lane.id and (email_queue.place, email_queue.email_id) >= (lane.place::xid8, lane.email_id)
order by email_queue.place, email_queue.email_id limit 1) first
left join lateral (select email_queue.place, email_queue.email_id
from email_queue
where email_queue.campaign_id is null and not email_queue.asleep and email_queue.warmup_rank is null and email_queue.project_id = lane.id and (email_queue.place, email_queue.email_id) >= (first.place, first.email_id) and (email_queue.lease_id is null or email_queue.unfinished_claims = 0 and email_queue.lease_until <= app_now() - make_interval(secs => $4::float8))
order by email_queue.place, email_queue.email_id limit 1) due on true),
ready as (select id, due_place, due_email, null::uuid as list_id, null::timestamptz as send_before, ceil($5::numeric / count(*) over ())::int as share
from front
where due_email is not null
order by random() limit $6),
picked as materialized (select mail.email_id, ready.id as lane, ready.share, ready.list_id, coalesce(mail.send_before, ready.send_before) <= app_now() as late
from ready
cross join lateral (select email_queue.email_id, email_queue.send_before
from email_queue
where email_queue.campaign_id is null and not email_queue.asleep and email_queue.warmup_rank is null and email_queue.project_id = ready.id and (email_queue.place, email_queue.email_id) >= (ready.due_place, ready.due_email) and (email_queue.lease_id is null or email_queue.unfinished_claims = 0 and email_queue.lease_until <= app_now() - make_interval(secs => $7::float8))
order by email_queue.place, email_queue.email_id limit ready.share for update skip locked) mail limit $8),
record as materialized (select picked.email_id, picked.lane, picked.share, picked.list_id, picked.late, emails.id, emails.project_id, emails.message_id, emails.campaign_id, emails.recipient, emails.recipient_name, emails.source, emails.created_at, emails.sent_at, emails.contact_id, emails.status
from picked
left join emails on emails.id = picked.email_id),
checked as materialized (select record.*, contacts.email as contact_email, contacts.first_name, contacts.last_name, contacts.tags, contacts.data, subscribers.fields as list_fields, case when record.campaign_id is null then null when record.list_id is null then (select case when consent_changes.form_id is not null or consent_changes.origin in ('link', 'oneClick', 'confirmation') then 'form' when consent_changes.origin = 'user' then 'added' when consent_changes.origin = 'import' then 'import' when consent_changes.origin in ('apiKey', 'platformToken') then 'api' end
from consent_changes
where consent_changes.project_id = record.project_id and consent_changes.contact_id = record.contact_id and consent_changes.list_id is null and consent_changes.kind = 'subscription' and consent_changes.after = 'subscribed' and consent_changes.created_at <= record.created_at
order by consent_changes.id desc limit 1) else subscribers.source end as joined_by, case when record.status <> 'PENDING' then 'reported' when record.recipient is null then 'deleted' when contacts.id is null and record.contact_id is not null and not exists (select
from merged_contacts
where merged_contacts.contact_id = record.contact_id) then 'deleted' when coalesce(suppressions.reason, suppressed_domains.reason) is not null then coalesce(suppressions.reason, suppressed_domains.reason) when record.late then 'too_late' when record.source <> 'CAMPAIGN' then null when contacts.consent is distinct
from 'subscribed' then 'unsubscribed' when record.list_id is not null and subscribers.status is distinct
from 'subscribed' then 'unsubscribed' when contacts.paused_until > app_now() then 'paused' when exists (select
from campaigns
join topic_departures on topic_departures.topic_id = campaigns.topic_id and topic_departures.contact_id = record.contact_id
where campaigns.id = record.campaign_id) then 'left_topic' end as refusal
from record
left join contacts on contacts.id = record.contact_id
left join suppressions on suppressions.project_id = record.project_id and lower(suppressions.email) = lower(record.recipient)
left join suppressions suppressed_domains on suppressed_domains.project_id = record.project_id and suppressed_domains.reason = 'domain' and lower(suppressed_domains.email) = '@' || split_part(lower(record.recipient), '@', 2)
left join subscribers on subscribers.list_id = record.list_id and subscribers.contact_id = record.contact_id),
claimed as (update email_queue
set lease_id = $9::uuid, lease_until = app_now() + make_interval(secs => $10), attempts = email_queue.attempts + 1, begun_at = coalesce(email_queue.begun_at, app_now()), unfinished_claims = case when email_queue.lease_id is null then 0 else email_queue.unfinished_claims + 1 end, interrupted_attempts = email_queue.interrupted_attempts + (email_queue.lease_id is not null)::int
where email_queue.email_id = any(array(select email_id
from checked
where refusal is null))
returning email_queue.email_id, email_queue.attempts, email_queue.begun_at, email_queue.interrupted_attempts as interrupted),
gone as (delete
from email_queue
where email_queue.email_id = any(array(select email_id
from checked
where refusal is not null))
returning email_queue.email_id, email_queue.attempts),
withheld as (update emails
set status = case when refusal <> 'reported' then 'FAILED' else emails.status end, sent_at = case when refusal = 'reported' then coalesce(emails.sent_at, app_now()) else emails.sent_at end, attempts = gone.attempts
from gone
join checked using (email_id)
where emails.id = gone.email_id
returning emails.id, emails.project_id, emails.campaign_id, emails.variant, checked.refusal, checked.sent_at as was_sent_at),
refused as (select id, project_id, campaign_id, variant, refusal, 1 as settled, (refusal <> 'reported')::int as failed, (refusal = 'reported' and was_sent_at is null)::int as sent
from withheld
where refusal is not null),
refusals_noted as (insert into email_events (id, project_id, email_id, name, data)
select new_id(project_id), project_id, id, case refusal when 'too_late' then 'failed' else 'suppressed' end, case refusal when 'too_late' then '{reasonCode:too_late,reason:"its time was over before it could be sent"}'::jsonb else jsonb_build_object('reason', refusal) end
from refused
where failed = 1
returning id, project_id, email_id, name, data, created_at),
refusals_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from refusals_noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
returning 1 as made),
refusals_counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(settled) as settled, sum(sent) as sent, sum(failed) as failed
from refused
group by 1, 2, 4
having sum(settled) <> 0 or sum(sent) <> 0 or sum(failed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, sent = hourly_figures.sent + excluded.sent, failed = hourly_figures.failed + excluded.failed)
select checked.*, claimed.attempts, claimed.interrupted, claimed.begun_at, case when row_number() over () = 1 then (select jsonb_agg(jsonb_build_object('id', id, 'place', place::text, 'email', email_id))
from front) end as fronts
from (select) as answer
left join (checked
left join claimed on claimed.email_id = checked.email_id) on true
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 number, $5 number, $6 number, $7 number, $8 number, $9 string, $10 number

update email_queue
set lease_until = app_now() + make_interval(secs => $1), place = pg_current_xact_id()
from unnest($2::uuid[], $3::uuid[]) as held(id, lease_id)
where email_queue.email_id = any($4::uuid[]) and email_queue.email_id = held.id and email_queue.lease_id = held.lease_id
returning email_queue.email_id as id
-- $1 number, $2 array of 1, $3 array of 1, $4 array of 1

with mine as materialized (select emails.id, emails.project_id, emails.campaign_id, emails.contact_id, emails.recipient, emails.source, emails.status, emails.sent_at, held.lease_id, campaigns.list_id, coalesce(email_queue.send_before, campaigns.send_before) <= app_now() as late, coalesce(campaigns.status not in ('SENDING', 'SENT'), emails.campaign_id is not null) as stopped
from unnest($1::uuid[], $2::uuid[]) as held(id, lease_id)
join email_queue on email_queue.email_id = any($3::uuid[]) and email_queue.email_id = held.id and email_queue.lease_id = held.lease_id
join emails on emails.id = held.id
left join campaigns on campaigns.id = emails.campaign_id),
checked as materialized (select mine.*, case when mine.status <> 'PENDING' then 'reported' when mine.recipient is null then 'deleted' when contacts.id is null and mine.contact_id is not null and not exists (select
from merged_contacts
where merged_contacts.contact_id = mine.contact_id) then 'deleted' when coalesce(suppressions.reason, suppressed_domains.reason) is not null then coalesce(suppressions.reason, suppressed_domains.reason) when mine.late then 'too_late' when mine.source <> 'CAMPAIGN' then null when contacts.consent is distinct
from 'subscribed' then 'unsubscribed' when mine.list_id is not null and subscribers.status is distinct
from 'subscribed' then 'unsubscribed' when contacts.paused_until > app_now() then 'paused' when exists (select
from campaigns
join topic_departures on topic_departures.topic_id = campaigns.topic_id and topic_departures.contact_id = mine.contact_id
where campaigns.id = mine.campaign_id) then 'left_topic' end as refusal
from mine
left join contacts on contacts.id = mine.contact_id
left join suppressions on suppressions.project_id = mine.project_id and lower(suppressions.email) = lower(mine.recipient)
left join suppressions suppressed_domains on suppressed_domains.project_id = mine.project_id and suppressed_domains.reason = 'domain' and lower(suppressed_domains.email) = '@' || split_part(lower(mine.recipient), '@', 2)
left join subscribers on subscribers.list_id = mine.list_id and subscribers.contact_id = mine.contact_id),
given_back as (update email_queue
set lease_id = null, lease_until = null, attempts = email_queue.attempts - 1, begun_at = case when email_queue.attempts > 1 then email_queue.begun_at end, place = pg_current_xact_id()
from checked as held
where email_queue.email_id = any($4::uuid[]) and email_queue.email_id = held.id and email_queue.lease_id = held.lease_id and refusal is null and stopped
returning email_queue.project_id, email_queue.campaign_id),
owed as materialized (select project_id, count(*) as emails
from given_back
where campaign_id is not null
group by project_id),
owing as materialized (select project_paces.project_id
from project_paces
where project_paces.project_id = any(array(select project_id
from owed))
order by project_paces.project_id for no key update),
put_back as (update project_paces
set allowance = project_paces.allowance + owed.emails
from owed
join owing using (project_id)
where project_paces.project_id = owed.project_id),
gone as (delete
from email_queue using checked as held
where email_queue.email_id = any($5::uuid[]) and email_queue.email_id = held.id and email_queue.lease_id = held.lease_id and refusal is not null
returning held.id, email_queue.attempts),
withheld as (update emails
set status = case when refusal <> 'reported' then 'FAILED' else emails.status end, sent_at = case when refusal = 'reported' then coalesce(emails.sent_at, app_now()) else emails.sent_at end, attempts = gone.attempts - 1
from gone
join checked using (id)
where emails.id = gone.id
returning emails.id, emails.project_id, emails.campaign_id, emails.variant, checked.refusal, checked.sent_at as was_sent_at),
refused as (select id, project_id, campaign_id, variant, refusal, 1 as settled, (refusal <> 'reported')::int as failed, (refusal = 'reported' and was_sent_at is null)::int as sent
from withheld
where refusal is not null),
refusals_noted as (insert into email_events (id, project_id, email_id, name, data)
select new_id(project_id), project_id, id, case refusal when 'too_late' then 'failed' else 'suppressed' end, case refusal when 'too_late' then '{reasonCode:too_late,reason:"its time was over before it could be sent"}'::jsonb else jsonb_build_object('reason', refusal) end
from refused
where failed = 1
returning id, project_id, email_id, name, data, created_at),
refusals_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from refusals_noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
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
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1, $5 array of 1

with given_back as (update email_queue
set lease_id = null, lease_until = null, attempts = email_queue.attempts - 1, begun_at = case when email_queue.attempts > 1 then email_queue.begun_at end, place = pg_current_xact_id()
from unnest($1::uuid[], $2::uuid[]) as held(id, lease_id)
where email_queue.email_id = any($3::uuid[]) and email_queue.email_id = held.id and email_queue.lease_id = held.lease_id
returning email_queue.project_id, email_queue.campaign_id),
owed as materialized (select project_id, count(*) as emails
from given_back
where campaign_id is not null
group by project_id),
owing as materialized (select project_paces.project_id
from project_paces
where project_paces.project_id = any(array(select project_id
from owed))
order by project_paces.project_id for no key update),
put_back as (update project_paces
set allowance = project_paces.allowance + owed.emails
from owed
join owing using (project_id)
where project_paces.project_id = owed.project_id)
select
from given_back limit 0
-- $1 array of 1, $2 array of 1, $3 array of 1
