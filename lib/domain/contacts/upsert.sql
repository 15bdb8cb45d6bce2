with wanted as materialized (select distinct on (project_id, lower(email)) *, lower(email) as key
from jsonb_to_recordset($1::jsonb) as one(place int, project_id uuid, id uuid, email text, first_name text, last_name text, consent text, new_consent text, keeps_unsubscribed bool, tags jsonb, data jsonb, removed jsonb, forgotten text, origin text, actor_id uuid)
order by project_id, lower(email), place),
who as materialized (select set_config('lettermill.changed_by', $2, true)),
locked as materialized (select existing.id, existing.consent as before, wanted.project_id, wanted.key
from (select project_id, key
from wanted
order by project_id, key) wanted
cross join lateral (select contacts.id, contacts.consent, contacts.data
from contacts
where contacts.project_id = wanted.project_id and lower(contacts.email) = wanted.key limit 1 for update) existing),
changed as (update contacts c
set first_name = coalesce(wanted.first_name, c.first_name), last_name = coalesce(wanted.last_name, c.last_name), consent = case when keeps_unsubscribed and locked.before = 'unsubscribed' then locked.before else coalesce(wanted.consent, c.consent) end, tags = case when wanted.tags is null or wanted.tags = 'null' then c.tags else array(select jsonb_array_elements_text(wanted.tags)) end, data = (c.data || wanted.data) - array(select jsonb_array_elements_text(wanted.removed)), updated_at = app_now()
from locked
join wanted using (project_id, key)
cross join who
where c.id = locked.id
returning c.project_id, c.id, c.email, c.first_name, c.last_name, c.consent, c.tags, c.data, c.created_at, c.updated_at, false as created, locked.before, wanted.place),
inserted as (insert into contacts as c (id, project_id, email, first_name, last_name, consent, tags, data)
select wanted.id, wanted.project_id, wanted.email, coalesce(wanted.first_name, ''), coalesce(wanted.last_name, ''), case when forgotten.hash is null then coalesce(wanted.consent, wanted.new_consent) when keeps_unsubscribed then 'unsubscribed' else coalesce(wanted.consent, 'unsubscribed') end, case when wanted.tags is null or wanted.tags = 'null' then '{}' else array(select jsonb_array_elements_text(wanted.tags)) end, wanted.data
from wanted
left join lateral (select hash, suppressed, objected_at
from forgotten_addresses
where forgotten_addresses.project_id = wanted.project_id and forgotten_addresses.hash = wanted.forgotten limit 1) forgotten on true
where not exists (select
from locked
where locked.project_id = wanted.project_id and locked.key = wanted.key) and not (select true
from contacts
where contacts.project_id = wanted.project_id and lower(contacts.email) = wanted.key limit 1) is true
order by wanted.project_id, wanted.key
on conflict (project_id, lower(email)) do nothing
returning c.project_id, c.id, c.email, c.first_name, c.last_name, c.consent, c.tags, c.data, c.created_at, c.updated_at, true as created, null::text as before),
returned as (select inserted.project_id, inserted.email, wanted.forgotten
from inserted
join wanted using (id)),
restored as (insert into suppressions (id, project_id, email, reason, source)
select new_id(returned.project_id), returned.project_id, returned.email, forgotten.suppressed, 'restored'
from returned
cross join lateral (select hash, suppressed, objected_at
from forgotten_addresses
where forgotten_addresses.project_id = returned.project_id and forgotten_addresses.hash = returned.forgotten limit 1) forgotten
where forgotten.suppressed is not null
on conflict do nothing),
cleared as (update forgotten_addresses
set suppressed = null
from returned
where forgotten_addresses.project_id = returned.project_id and forgotten_addresses.hash = returned.forgotten and forgotten_addresses.suppressed is not null),
settled as (select *
from changed
union all select inserted.*, wanted.place
from inserted
join wanted using (id)),
remembered as (insert into consent_changes (id, project_id, contact_id, before, after, origin, actor_id)
select new_id(project_id), project_id, contact_id, before, consent, origin, actor_id
from (select settled.project_id, settled.id as contact_id, settled.before, settled.consent, wanted.origin, wanted.actor_id
from settled
join wanted using (place)) one
where before <> consent or before is null and consent <> 'never'),
told as (select one.event, '{}'::jsonb as more, settled.*
from settled
cross join lateral (select case when created then 'contact.created' else 'contact.updated' end as event
union all select 'contact.' || consent
where before <> consent and consent <> 'never') one),
contact_events as (insert into project_events (id, project_id, event, subject_id, data)
select new_id(told.project_id), told.project_id, told.event, told.id, jsonb_build_object('id', told.id, 'email', told.email, 'first_name', told.first_name, 'last_name', told.last_name, 'consent', told.consent, 'tags', told.tags, 'data', told.data, 'created_at', told.created_at, 'updated_at', told.updated_at) || told.more
from told told
returning id, project_id, event, subject_id, data, created_at),
contacts_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, told.event, told.subject_id, told.data, told.created_at
from contact_events told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', told.event] for key share of webhooks
returning 1 as made)
select settled.*, (select pg_notify('webhooks_due', '')
from contacts_told limit 1) as woken
from settled
-- $1 string, $2 string
