with given as materialized (select mail.*, entry.raw
from unnest($1::text[], $2::text[]) with ordinality as entry(mail, raw, position)
cross join lateral jsonb_to_record(entry.mail::jsonb) as mail(id uuid, project_id uuid, fingerprint text, envelope_from text, recipients text[], from_email text, from_name text, subject text, header_id text, in_reply_to text, reference_ids text[], answers uuid[], automatic boolean, checks jsonb, text text, html text, attachments jsonb, route_patterns text[], unrouted boolean, size int)
order by entry.position),
known as materialized (select given.*, contacts.id as sender_id, answered.email_id, answered.contact_id as answered_by, (select count(*)
from inbound_emails
where inbound_emails.project_id = given.project_id and inbound_emails.header_id = given.header_id and inbound_emails.recipients && given.recipients and inbound_emails.fingerprint <> decode(given.fingerprint, 'hex')) >= 3 as loops
from given
left join contacts on contacts.project_id = given.project_id and lower(contacts.email) = lower(given.from_email)
left join lateral (select emails.id as email_id, coalesce((select merged_contacts.kept_id
from merged_contacts
where merged_contacts.contact_id = emails.contact_id), emails.contact_id) as contact_id
from unnest(given.answers) with ordinality as answer(id, rank)
join emails on emails.id = answer.id and (emails.project_id = given.project_id) is true
order by answer.rank limit 1) answered on true),
taken as (insert into inbound_emails (id, project_id, envelope_from, recipients, from_email, from_name, subject, header_id, in_reply_to, reference_ids, email_id, automatic, checks, text, html, attachments, route_patterns, unrouted, size, fingerprint, contact_id, raw)
select id, project_id, envelope_from, recipients, from_email, from_name, subject, header_id, in_reply_to, reference_ids, email_id, automatic, checks, text, html, attachments, route_patterns, unrouted, size, decode(fingerprint, 'hex'), coalesce(sender_id, answered_by), decode(raw, 'base64')
from known
where not loops
on conflict do nothing
returning id, project_id, route_patterns, unrouted, created_at),
kept as (insert into project_events (id, project_id, created_at, event, subject_id, data)
select id, project_id, created_at, 'email.received', id, '{}'::jsonb
from taken
returning id, project_id, event, subject_id, data, created_at),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, told.event, told.subject_id, told.data, told.created_at
from kept told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and exists (select
from taken
where taken.id = told.id and (webhooks.id in (select inbound_routes.webhook_id
from inbound_routes
where inbound_routes.project_id = taken.project_id and inbound_routes.pattern = any(taken.route_patterns)) or taken.unrouted and webhooks.events && array['*', 'email.received'])) for key share of webhooks
returning 1 as made)
select known.id, known.loops, exists (select
from deliveries) as told
from known
-- $1 array of 1, $2 array of 1
