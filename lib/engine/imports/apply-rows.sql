with forgettable as (select *
from unnest($1::text[], $2::text[]) as address(email, hash)),
forgotten_address as (select $3::uuid as project_id, forgettable.email, forgettable.hash as forgotten, forgotten.objected_at is not null as objected
from forgettable
cross join lateral (select hash, suppressed, objected_at
from forgotten_addresses
where forgotten_addresses.project_id = $4 and forgotten_addresses.hash = forgettable.hash limit 1) forgotten),
restored as (insert into suppressions (id, project_id, email, reason, source)
select new_id(forgotten_address.project_id), forgotten_address.project_id, forgotten_address.email, forgotten.suppressed, 'restored'
from forgotten_address
cross join lateral (select hash, suppressed, objected_at
from forgotten_addresses
where forgotten_addresses.project_id = forgotten_address.project_id and forgotten_addresses.hash = forgotten_address.forgotten limit 1) forgotten
where forgotten.suppressed is not null
on conflict do nothing),
cleared as (update forgotten_addresses
set suppressed = null
from forgotten_address
where forgotten_addresses.project_id = forgotten_address.project_id and forgotten_addresses.hash = forgotten_address.forgotten and forgotten_addresses.suppressed is not null)
select email, objected
from forgotten_address
-- $1 array of 2, $2 array of 2, $3 string, $4 string

with who as materialized (select set_config('lettermill.changed_by', $1, true)),
file_contacts as materialized (select distinct on (lower(contact_import_rows.email)) lower(contact_import_rows.email) as key, contact_import_rows.line, contact_import_rows.email, contact_import_rows.first_name, contact_import_rows.last_name, contact_import_rows.tags, case contact_import_rows.subscribed when 'true' then 'subscribed' when 'false' then 'unsubscribed' end as consent, contact_import_rows.data
from contact_import_rows
where (contact_import_rows.import_id = $2 and contact_import_rows.line > $3 and contact_import_rows.line <= $4 and contact_import_rows.refusal is null)
order by lower(contact_import_rows.email), contact_import_rows.line desc),
existing_contacts as materialized (select existing.id, existing.consent as before, file_contacts.*, file_contacts.consent = 'subscribed' and existing.consent = 'unsubscribed' as stays_unsubscribed, pg_column_size(existing.data) + pg_column_size(file_contacts.data) > 250 and (length((existing.data || file_contacts.data)::text) > $5 or (select count(*)
from jsonb_object_keys(existing.data || file_contacts.data)) > $6) as oversized
from (select *
from file_contacts
order by key) file_contacts
cross join lateral (select contacts.id, contacts.consent, contacts.data
from contacts
where contacts.project_id = $7 and lower(contacts.email) = file_contacts.key limit 1 for update) existing),
changed as (update contacts
set first_name = coalesce(existing_contacts.first_name, contacts.first_name), last_name = coalesce(existing_contacts.last_name, contacts.last_name), consent = case when stays_unsubscribed then contacts.consent else coalesce(existing_contacts.consent, contacts.consent) end, tags = coalesce(existing_contacts.tags, contacts.tags), data = contacts.data || existing_contacts.data, updated_at = app_now()
from existing_contacts
cross join who
where contacts.id = existing_contacts.id and not oversized
returning contacts.id, contacts.consent, existing_contacts.before),
new_contacts as (insert into contacts (id, project_id, email, first_name, last_name, consent, tags, data)
select new_id($8::uuid), $9::uuid, email, coalesce(first_name, ''), coalesce(last_name, ''), case when key = any($10::text[]) then 'unsubscribed' else coalesce(consent, case when key = any($11::text[]) then 'unsubscribed' else 'subscribed' end) end, coalesce(tags, '{}'), data
from file_contacts
where key not in (select key
from existing_contacts) and not (select true
from contacts
where contacts.project_id = $12 and lower(contacts.email) = key limit 1) is true
order by key
on conflict (project_id, lower(email)) do nothing
returning contacts.id, contacts.consent, null::text as before, lower(contacts.email) as key),
refused as (update contact_import_rows
set refusal = $13
from existing_contacts
where contact_import_rows.import_id = $14 and contact_import_rows.line = existing_contacts.line and oversized),
remembered as (insert into consent_changes (id, project_id, contact_id, before, after, origin, import_id)
select new_id(project_id), project_id, contact_id, before, consent, 'import', $15::uuid
from (select $16::uuid as project_id, id as contact_id, before, consent
from changed
union all select $17::uuid, id, before, consent
from new_contacts) one
where before <> consent or before is null and consent <> 'never')
select (select count(*)
from new_contacts)::int as created, (select count(*)
from changed)::int as updated, (select count(*)
from existing_contacts
where oversized)::int as refused, ((select count(*)
from existing_contacts
where stays_unsubscribed and not oversized) + (select count(*)
from new_contacts
join file_contacts using (key)
where file_contacts.consent = 'subscribed' and key = any($18::text[])))::int as kept, array(select key
from existing_contacts
where oversized
union all select key
from file_contacts
where key not in (select key
from existing_contacts) and key not in (select key
from new_contacts)) as again
-- $1 string, $2 string, $3 number, $4 number, $5 number, $6 number, $7 string, $8 string, $9 string, $10 array of 0, $11 array of 1, $12 string, $13 string, $14 string, $15 string, $16 string, $17 string, $18 array of 0

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
