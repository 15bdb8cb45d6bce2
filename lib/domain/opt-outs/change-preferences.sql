with told as (select given.event, given.more::jsonb as more, contact.*
from unnest($1::uuid[], $2::text[], $3::text[]) as given(contact_id, event, more)
cross join lateral (select *
from contacts
where contacts.id = given.contact_id and (contacts.project_id = $4) is true limit 1) contact),
contact_events as (insert into project_events (id, project_id, event, subject_id, data)
select new_id(told.project_id), told.project_id, told.event, told.id, jsonb_build_object('id', told.id, 'email', told.email, 'first_name', told.first_name, 'last_name', told.last_name, 'consent', told.consent, 'tags', told.tags, 'data', told.data, 'created_at', told.created_at, 'updated_at', told.updated_at) || told.more
from told told
returning id, project_id, event, subject_id, data, created_at),
contacts_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, told.event, told.subject_id, told.data, told.created_at
from contact_events told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', told.event] for key share of webhooks
returning 1 as made)
select (select pg_notify('webhooks_due', '')
from contacts_told limit 1)
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 string

with opted_out as (update emails
set unsubscribed_at = app_now()
where emails.id = $1 and emails.unsubscribed_at is null
returning emails.id, emails.project_id, emails.campaign_id, emails.variant, 1 as unsubscribed),
event as (insert into email_events (id, project_id, email_id, name, data, position)
select new_id(project_id), project_id, id, 'unsubscribed', $2::jsonb, null
from opted_out)
insert into hourly_figures (project_id, campaign_id, hour, slot, unsubscribed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(unsubscribed) as unsubscribed
from opted_out
group by 1, 2, 4
having sum(unsubscribed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set unsubscribed = hourly_figures.unsubscribed + excluded.unsubscribed
-- $1 string, $2 string

with told as (select given.event, given.more::jsonb as more, contact.*
from unnest($1::uuid[], $2::text[], $3::text[]) as given(contact_id, event, more)
cross join lateral (select *
from contacts
where contacts.id = given.contact_id and (contacts.project_id = $4) is true limit 1) contact),
contact_events as (insert into project_events (id, project_id, event, subject_id, data)
select new_id(told.project_id), told.project_id, told.event, told.id, jsonb_build_object('id', told.id, 'email', told.email, 'first_name', told.first_name, 'last_name', told.last_name, 'consent', told.consent, 'tags', told.tags, 'data', told.data, 'created_at', told.created_at, 'updated_at', told.updated_at) || told.more
from told told
returning id, project_id, event, subject_id, data, created_at),
contacts_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, told.event, told.subject_id, told.data, told.created_at
from contact_events told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', told.event] for key share of webhooks
returning 1 as made)
select (select pg_notify('webhooks_due', '')
from contacts_told limit 1)
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 string

with opted_out as (update emails
set unsubscribed_at = app_now()
where emails.id = $1 and emails.unsubscribed_at is null
returning emails.id, emails.project_id, emails.campaign_id, emails.variant, 1 as unsubscribed),
event as (insert into email_events (id, project_id, email_id, name, data, position)
select new_id(project_id), project_id, id, 'unsubscribed', $2::jsonb, null
from opted_out)
insert into hourly_figures (project_id, campaign_id, hour, slot, unsubscribed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(unsubscribed) as unsubscribed
from opted_out
group by 1, 2, 4
having sum(unsubscribed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set unsubscribed = hourly_figures.unsubscribed + excluded.unsubscribed
-- $1 string, $2 string
