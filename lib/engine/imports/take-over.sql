with given as (select *
from unnest($1::text[], $2::text[]) as one(email, hash)),
found as (select $3::uuid as project_id, given.email, given.hash as forgotten
from given
cross join lateral (select hash, suppressed
from forgotten_addresses
where forgotten_addresses.project_id = $4 and forgotten_addresses.hash = given.hash limit 1) forgotten),
restored as (insert into suppressions (id, project_id, email, reason)
select new_id(), found.project_id, found.email, forgotten.suppressed
from found
cross join lateral (select hash, suppressed
from forgotten_addresses
where forgotten_addresses.project_id = found.project_id and forgotten_addresses.hash = found.forgotten limit 1) forgotten
where forgotten.suppressed is not null
on conflict do nothing),
cleared as (update forgotten_addresses
set suppressed = null
from found
where forgotten_addresses.project_id = found.project_id and forgotten_addresses.hash = found.forgotten and forgotten_addresses.suppressed is not null)
select email
from found
-- $1 array of 2, $2 array of 2, $3 string, $4 string

with given as materialized (select distinct on (lower(email)) lower(email) as key, email, first_name, last_name, tags, case subscribed when 'true' then 'subscribed' when 'false' then 'unsubscribed' end as consent, data
from contact_import_rows
where (contact_import_rows.import_id = $1 and contact_import_rows.line > $2 and contact_import_rows.line <= $3 and contact_import_rows.refusal is null)
order by lower(email), line desc),
known as materialized (select existing.id, given.*, given.consent = 'subscribed' and existing.consent = 'unsubscribed' as stays_unsubscribed
from (select *
from given
order by key) given
cross join lateral (select contacts.id, contacts.consent
from contacts
where contacts.project_id = $4 and lower(contacts.email) = given.key limit 1 for update) existing),
changed as (update contacts
set first_name = coalesce(known.first_name, contacts.first_name), last_name = coalesce(known.last_name, contacts.last_name), consent = case when stays_unsubscribed then contacts.consent else coalesce(known.consent, contacts.consent) end, tags = coalesce(known.tags, contacts.tags), data = contacts.data || known.data, updated_at = app_now()
from known
where contacts.id = known.id
returning 1),
made as (insert into contacts (id, project_id, email, first_name, last_name, consent, tags, data)
select new_id(), $5::uuid, email, coalesce(first_name, ''), coalesce(last_name, ''), coalesce(consent, case when key = any($6::text[]) then 'unsubscribed' else 'subscribed' end), coalesce(tags, '{}'), data
from given
where key not in (select key
from known)
order by key
on conflict (project_id, lower(email)) do update
set first_name = case excluded.first_name when '' then contacts.first_name else excluded.first_name end, last_name = case excluded.last_name when '' then contacts.last_name else excluded.last_name end, tags = case excluded.tags when '{}' then contacts.tags else excluded.tags end, data = contacts.data || excluded.data, updated_at = app_now()
returning 1)
select (select count(*)
from made)::int as created, (select count(*)
from changed)::int as updated, (select count(*)
from known
where stays_unsubscribed)::int as kept
-- $1 string, $2 number, $3 number, $4 string, $5 string, $6 array of 1

with told as (select *
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as given(id, project_id, event, data)),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, data)
select new_id(), told.project_id, webhooks.id, told.id, told.event, told.data::jsonb
from told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', told.event]
returning 1 as made)
select (select pg_notify('webhooks_due', '')
from deliveries limit 1)
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1
