with result as materialized (select *
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::text[], $6::text[], $7::text[], $8::uuid[], $9::text[], $10::text[], $11::text[], $12::uuid[], $13::text[]) as given(id, lease_id, status, retry, subject, suppress, words, captured_id, envelope_from, envelope_to, raw, domain_id, provider_id)),
gone as (delete
from email_queue using result
where email_queue.email_id = any(array(select id
from result
where true)) and email_queue.email_id = result.id and email_queue.lease_id = result.lease_id and result.retry is null
returning email_queue.email_id, email_queue.attempts),
settled as (update emails
set status = case when emails.status = 'COMPLAINED' or result.status is null then emails.status when result.status = 'COMPLAINED' then result.status when emails.status in ('BOUNCED', 'FAILED') then emails.status when result.status in ('BOUNCED', 'FAILED') then case when emails.status in ('PENDING', 'SENT', 'DELIVERED') then result.status else emails.status end when array_position(array['PENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED'], result.status) > array_position(array['PENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED'], emails.status) then result.status else emails.status end, attempts = gone.attempts, subject = case when emails.recipient is null then emails.subject else coalesce(result.subject, emails.subject) end, provider_id = coalesce(result.provider_id, emails.provider_id), sent_at = coalesce(emails.sent_at, case when result.status in ('SENT', 'DELIVERED', 'COMPLAINED') then app_now() end), delivered_at = coalesce(emails.delivered_at, case when result.status in ('DELIVERED', 'COMPLAINED') then app_now() end), bounced_at = coalesce(emails.bounced_at, case when result.status = 'BOUNCED' then app_now() end), complained_at = coalesce(emails.complained_at, case when result.status = 'COMPLAINED' then app_now() end)
from gone
join result on result.id = gone.email_id
where emails.id = gone.email_id
returning emails.id, emails.project_id, emails.campaign_id, emails.variant, emails.recipient, emails.contact_id, result.suppress, result.words, result.captured_id, result.envelope_from, result.envelope_to, result.raw, result.domain_id, 1 as settled, (emails.sent_at is not distinct
from app_now() or result.status = 'BOUNCED' and emails.sent_at is null)::int as sent, (emails.delivered_at is not distinct
from app_now())::int as delivered, (emails.bounced_at is not distinct
from app_now())::int as bounced, (emails.complained_at is not distinct
from app_now())::int as complained, (result.status = 'FAILED' and emails.status = 'FAILED')::int as failed),
later as (update email_queue
set due_at = app_now() + make_interval(secs => result.retry), asleep = true, lease_id = null, lease_until = null
from result
where email_queue.email_id = any(array(select id
from result
where true)) and email_queue.email_id = result.id and email_queue.lease_id = result.lease_id and result.retry is not null
returning result.*),
moved as (select *
from settled
union all select emails.id, emails.project_id, emails.campaign_id, emails.variant, emails.recipient, emails.contact_id, later.suppress, later.words, later.captured_id, later.envelope_from, later.envelope_to, later.raw, later.domain_id, 0, 0, 0, 0, 0, 0
from later
join emails on emails.id = later.id),
counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, delivered, bounced, complained, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(settled) as settled, sum(sent) as sent, sum(delivered) as delivered, sum(bounced) as bounced, sum(complained) as complained, sum(failed) as failed
from moved
group by 1, 2, 4
having sum(settled) <> 0 or sum(sent) <> 0 or sum(delivered) <> 0 or sum(bounced) <> 0 or sum(complained) <> 0 or sum(failed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, sent = hourly_figures.sent + excluded.sent, delivered = hourly_figures.delivered + excluded.delivered, bounced = hourly_figures.bounced + excluded.bounced, complained = hourly_figures.complained + excluded.complained, failed = hourly_figures.failed + excluded.failed),
counted_for_warmup as (insert into warmup_hours (domain_id, hour, slot, bounced, complained, transactional, campaigns)
select warmups.domain_id, date_trunc('hour', app_now(), 'UTC'), <slot>, sum(moved.bounced), sum(moved.complained), coalesce(sum(moved.sent) filter (where moved.campaign_id is null), 0), coalesce(sum(moved.sent) filter (where moved.campaign_id is not null), 0)
from moved
join warmups on warmups.domain_id = moved.domain_id and warmups.enabled
where moved.sent <> 0 or moved.bounced <> 0 or moved.complained <> 0
group by warmups.domain_id
order by warmups.domain_id
on conflict (domain_id, hour, slot) do update
set transactional = warmup_hours.transactional + excluded.transactional, campaigns = warmup_hours.campaigns + excluded.campaigns, bounced = warmup_hours.bounced + excluded.bounced, complained = warmup_hours.complained + excluded.complained),
counted_by_receiver as (insert into warmup_receiver_hours (domain_id, hour, receiver, slot, sent, bounced, complained)
select warmups.domain_id, date_trunc('hour', app_now(), 'UTC'), taker.receiver, <slot>, sum(moved.sent), sum(moved.bounced), sum(moved.complained)
from moved
join warmups on warmups.domain_id = moved.domain_id and warmups.enabled and (app_now() at time zone 'UTC')::date - warmups.started_on - warmups.lag < cardinality(warmups.schedule)
cross join lateral (select coalesce((select receiving_domains.receiver
from receiving_domains
where receiving_domains.name = lower(split_part(moved.recipient, '@', -1))), lower(split_part(moved.recipient, '@', -1))) as receiver) taker
where moved.recipient is not null and (moved.sent <> 0 or moved.bounced <> 0 or moved.complained <> 0)
group by warmups.domain_id, taker.receiver
order by warmups.domain_id, taker.receiver
on conflict (domain_id, hour, receiver, slot) do update
set sent = warmup_receiver_hours.sent + excluded.sent, bounced = warmup_receiver_hours.bounced + excluded.bounced, complained = warmup_receiver_hours.complained + excluded.complained),
noted as (insert into email_events (id, project_id, email_id, name, data, created_at)
select new_id(moved.project_id), moved.project_id, moved.id, event.name, case when moved.recipient is null then '{}' else event.data::jsonb end, app_now() + event.position * interval '1 microsecond'
from moved
join unnest($14::uuid[], $15::int[], $16::text[], $17::text[]) as event(email_id, position, name, data) on event.email_id = moved.id
returning id, project_id, email_id, name, data, created_at),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
returning 1 as made),
suppressed as (insert into suppressions (id, project_id, email, reason, email_id, response, source)
select new_id(project_id), project_id, recipient, suppress, id, words, case suppress when 'complaint' then 'complaint' else 'bounce' end
from moved
where suppress is not null and recipient is not null
order by project_id, lower(recipient)
on conflict (project_id, lower(email)) do nothing),
complainers as materialized (select distinct on (known.id) known.id as contact_id, known.consent as before, reported.email_id
from (select contact_id, id as email_id
from moved
where suppress = 'complaint'
order by contact_id) reported
cross join lateral (select contacts.id, contacts.consent
from contacts
where contacts.id = reported.contact_id for update) known),
unsubscribed as (update contacts
set consent = 'unsubscribed', updated_at = app_now()
from complainers
where contacts.id = complainers.contact_id and complainers.before <> 'unsubscribed'
returning contacts.*, 'contact.unsubscribed' as event, '{}'::jsonb as more),
remembered as (insert into consent_changes (id, project_id, contact_id, before, after, origin, email_id)
select new_id(project_id), project_id, contact_id, before, consent, 'complaint', email_id
from (select unsubscribed.project_id, unsubscribed.id as contact_id, before, consent, email_id
from unsubscribed
join complainers on complainers.contact_id = unsubscribed.id) one
where before <> consent or before is null and consent <> 'never'),
contact_events as (insert into project_events (id, project_id, event, subject_id, data)
select new_id(told.project_id), told.project_id, told.event, told.id, jsonb_build_object('id', told.id, 'email', told.email, 'first_name', told.first_name, 'last_name', told.last_name, 'consent', told.consent, 'tags', told.tags, 'data', told.data, 'created_at', told.created_at, 'updated_at', told.updated_at) || told.more
from unsubscribed told
returning id, project_id, event, subject_id, data, created_at),
contacts_told as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, told.event, told.subject_id, told.data, told.created_at
from contact_events told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', told.event] for key share of webhooks
returning 1 as made),
struck as (update subscribers
set updated_at = app_now(), status = case moved.suppress when 'complaint' then 'complained' else 'bounced' end
from moved
where subscribers.contact_id = moved.contact_id and (moved.suppress in ('hard_bounce', 'complaint') and subscribers.status in ('subscribed', 'unconfirmed') or moved.suppress = 'complaint' and subscribers.status = 'bounced') and (moved.suppress = 'complaint' or exists (select
from contacts
where contacts.id = moved.contact_id and lower(contacts.email) = lower(moved.recipient)))),
captured as (insert into captured_emails (id, project_id, email_id, envelope_from, envelope_to, raw)
select captured_id, project_id, id, envelope_from, envelope_to, decode(raw, 'base64')
from moved
where raw is not null and recipient is not null
order by id
on conflict (email_id) do update
set raw = excluded.raw)
select id, exists (select
from deliveries) as told
from moved
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1, $5 array of 1, $6 array of 1, $7 array of 1, $8 array of 1, $9 array of 1, $10 array of 1, $11 array of 1, $12 array of 1, $13 array of 1, $14 array of 2, $15 array of 2, $16 array of 2, $17 array of 2
