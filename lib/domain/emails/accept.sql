with message as materialized (select input.*, domains.id as domain_id
from unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::uuid[], $16::text[], $17::text[], $18::text[], $19::int[]) as input(id, unit, project_id, domain, from_email, from_name, reply_to, subject, html, text, liquid, headers, data, metadata, template_id, track_opens, track_clicks, test, emails)
left join domains on domains.project_id = input.project_id and domains.name = input.domain and domains.status = 'VERIFIED'),
unit as materialized (select unit, project_id, sum(emails) as emails, min(domain) filter (where domain_id is null) as unverified
from message
group by unit, project_id),
usage as (insert into monthly_usage as used (project_id, month, slot, emails)
select counted.project_id, date_trunc('month', app_now() at time zone 'UTC')::date, case when projects.monthly_email_limit is null then $20::smallint else 0 end, sum(counted.emails)
from (select project_id, emails
from unit
where unverified is null) counted
join projects on projects.id = counted.project_id
group by counted.project_id, projects.monthly_email_limit
having projects.monthly_email_limit is null or sum(counted.emails) + spread_usage(counted.project_id) <= projects.monthly_email_limit
order by counted.project_id
on conflict (project_id, month, slot) do update
set emails = used.emails + excluded.emails
where used.slot <> 0 or used.emails + excluded.emails + spread_usage(used.project_id) <= (select projects.monthly_email_limit
from projects
where projects.id = used.project_id)
returning used.project_id),
good as materialized (select unit.unit
from unit
join usage using (project_id)
where unit.unverified is null),
person as materialized (select input.nth, input.id, input.new_contact, input.forgotten, input.email, input.name, input.subscribed::boolean as subscribed, input.scheduled_at::timestamptz as scheduled_at, input.send_before::timestamptz as send_before, input.source, input.origin, input.actor_id, message.id as message_id, message.project_id, message.unit
from unnest($21::uuid[], $22::uuid[], $23::text[], $24::text[], $25::text[], $26::text[], $27::text[], $28::text[], $29::text[], $30::uuid[], $31::uuid[], $32::text[], $33::int[]) as input(id, message_id, email, name, subscribed, scheduled_at, send_before, source, origin, actor_id, new_contact, forgotten, nth)
join message on message.id = input.message_id
join good on good.unit = message.unit),
wanted as materialized (select project_id, lower(email) as key, (array_agg(email
order by nth))[1] as email, (array_agg(new_contact
order by nth))[1] as id, min(forgotten) as forgotten, (array_agg(subscribed
order by nth desc) filter (where subscribed is not null))[1] as subscribed, min(origin) as origin, (array_agg(actor_id
order by nth))[1] as actor_id
from person
group by project_id, lower(email)),
existing_contact as materialized (select contacts.id, contacts.project_id, contacts.email, wanted.key
from wanted
join contacts on contacts.project_id = wanted.project_id and lower(contacts.email) = wanted.key),
new_contact as (insert into contacts (id, project_id, email, consent)
select wanted.id, wanted.project_id, wanted.email, case when subscribed then 'subscribed' when not subscribed or forgotten_addresses.hash is not null then 'unsubscribed' else 'never' end
from wanted
left join forgotten_addresses on forgotten_addresses.project_id = wanted.project_id and forgotten_addresses.hash = wanted.forgotten
where not exists (select
from existing_contact
where existing_contact.project_id = wanted.project_id and existing_contact.key = wanted.key)
order by wanted.project_id, key
on conflict (project_id, lower(email)) do update
set consent = case when (select subscribed
from wanted given
where given.project_id = excluded.project_id and given.key = lower(excluded.email)) is null then contacts.consent else excluded.consent end
returning contacts.*),
returned as (select new_contact.project_id, new_contact.email, wanted.forgotten
from new_contact
join wanted on wanted.project_id = new_contact.project_id and wanted.key = lower(new_contact.email)),
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
locked as materialized (select asked.*, existing.consent as before
from (select project_id, key, case when wanted.subscribed then 'subscribed' else 'unsubscribed' end as consent_given, origin, actor_id
from wanted
where wanted.subscribed is not null
order by project_id, key) asked
cross join lateral (select contacts.id, contacts.consent, contacts.data
from contacts
where contacts.project_id = asked.project_id and lower(contacts.email) = asked.key limit 1 for update) existing),
changed as (update contacts
set consent = locked.consent_given, updated_at = app_now()
from existing_contact
join locked using (project_id, key)
where contacts.id = existing_contact.id and locked.before <> locked.consent_given
returning contacts.*),
remembered as (insert into consent_changes (id, project_id, contact_id, before, after, origin, actor_id)
select new_id(project_id), project_id, contact_id, before, consent, origin, actor_id
from (select changed.project_id, changed.id as contact_id, before, consent, origin, actor_id
from changed
join locked on locked.project_id = changed.project_id and key = lower(changed.email)
union all select new_contact.project_id, new_contact.id, null, consent, origin, actor_id
from new_contact
join wanted on wanted.project_id = new_contact.project_id and wanted.key = lower(new_contact.email)
where wanted.id = new_contact.id or wanted.subscribed is not null) one
where before <> consent or before is null and consent <> 'never'),
told as (select 'contact.created' as event, '{}'::jsonb as more, new_contact.*
from new_contact
where id in (select id
from wanted)
union all select 'contact.' || consent, '{}', changed.*
from changed),
contact_events as (insert into project_events (id, project_id, event, subject_id, data)
select new_id(told.project_id), told.project_id, told.event, told.id, jsonb_build_object('id', told.id, 'email', told.email, 'first_name', told.first_name, 'last_name', told.last_name, 'consent', told.consent, 'tags', told.tags, 'data', told.data, 'created_at', told.created_at, 'updated_at', told.updated_at) || told.more
from told told
returning id, project_id, event, subject_id, data, created_at),
contacts_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, told.event, told.subject_id, told.data, told.created_at
from contact_events told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', told.event] for key share of webhooks
returning 1 as made),
contact as materialized (select id, project_id, email, key
from existing_contact
union all select id, project_id, email, lower(email)
from new_contact),
stored as (insert into messages (id, project_id, domain_id, from_email, from_name, reply_to, subject, html, text, template_id, liquid, headers, data, metadata, track_opens, track_clicks, test)
select id, project_id, domain_id, from_email, from_name, reply_to, subject, html, text, template_id, liquid::boolean, headers::jsonb, data::jsonb, metadata::jsonb, track_opens::boolean, track_clicks::boolean, test::boolean
from message
where unit in (select unit
from good)),
addressed as materialized (select person.*, contact.id as contact_id, contact.email as contact_email, coalesce(coalesce(suppressions.reason, suppressed_domains.reason), forgotten_addresses.suppressed) as suppressed
from person
join contact on contact.project_id = person.project_id and contact.key = lower(person.email)
left join suppressions on suppressions.project_id = person.project_id and lower(suppressions.email) = lower(contact.key)
left join suppressions suppressed_domains on suppressed_domains.project_id = person.project_id and suppressed_domains.reason = 'domain' and lower(suppressed_domains.email) = '@' || split_part(lower(contact.key), '@', 2)
left join forgotten_addresses on forgotten_addresses.project_id = person.project_id and forgotten_addresses.hash = person.forgotten),
queued as (insert into emails (id, project_id, message_id, contact_id, source, recipient, recipient_name, status)
select id, project_id, message_id, contact_id, source, email, name, case when suppressed is null then 'PENDING' else 'FAILED' end
from addressed
order by nth),
waiting as (insert into email_queue (email_id, project_id, asleep, due_at, send_before)
select id, project_id, coalesce(scheduled_at > app_now(), false), coalesce(greatest(scheduled_at, app_now()), app_now()), send_before
from addressed
where suppressed is null
order by nth),
noted as (insert into email_events (id, project_id, email_id, name, data)
select new_id(project_id), project_id, id, 'suppressed', jsonb_build_object('reason', suppressed)
from addressed
where suppressed is not null
order by nth
returning id, project_id, email_id, name, data, created_at),
emails_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
returning 1 as made),
refused as (select project_id, null::uuid as campaign_id, 1 as settled, 1 as failed
from addressed
where suppressed is not null),
counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot>, sum(settled) as settled, sum(failed) as failed
from refused
group by 1, 2
having sum(settled) <> 0 or sum(failed) <> 0
order by 1, 2
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, failed = hourly_figures.failed + excluded.failed)
select unit, nth as email, contact_id, contact_email, null as unverified, null as limited, app_now() as at
from addressed
union all select unit.unit, null, null, null, unit.unverified, case when unit.unverified is null and good.unit is null then projects.monthly_email_limit end, app_now()
from unit
left join good using (unit)
left join projects on projects.id = unit.project_id
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1, $5 array of 1, $6 array of 1, $7 array of 1, $8 array of 1, $9 array of 1, $10 array of 1, $11 array of 1, $12 array of 1, $13 array of 1, $14 array of 1, $15 array of 1, $16 array of 1, $17 array of 1, $18 array of 1, $19 array of 1, $20 number, $21 array of 2, $22 array of 2, $23 array of 2, $24 array of 2, $25 array of 2, $26 array of 2, $27 array of 2, $28 array of 2, $29 array of 2, $30 array of 2, $31 array of 2, $32 array of 2, $33 array of 2
