with waiting as materialized (select email_queue.email_id
from email_queue
where email_queue.email_id = any($1::uuid[])),
held as materialized (select email_queue.email_id
from email_queue
where email_queue.email_id in (select email_id
from waiting)
order by email_queue.email_id for update skip locked)
select waiting.email_id as id, held.email_id is not null as locked
from waiting
left join held on held.email_id = waiting.email_id
-- $1 array of 1

with effect as materialized (select *
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[], $10::int[], $11::int[], $12::int[], $13::int[]) as given(id, status, event, data, suppress, words, settled, sent, delivered, inferred, bounced, complained, failed)),
gone as (delete
from email_queue using effect
where email_queue.email_id = effect.id and effect.status is not null
returning email_queue.email_id, email_queue.attempts),
email as (update emails
set status = coalesce(effect.status, emails.status), attempts = coalesce(gone.attempts, emails.attempts), sent_at = coalesce(emails.sent_at, case when effect.status in ('SENT', 'DELIVERED', 'COMPLAINED') then app_now() end), delivered_at = coalesce(emails.delivered_at, case when effect.status in ('DELIVERED', 'COMPLAINED') then app_now() end), bounced_at = coalesce(emails.bounced_at, case when effect.status = 'BOUNCED' then app_now() end), complained_at = coalesce(emails.complained_at, case when effect.status = 'COMPLAINED' then app_now() end)
from effect
left join gone on gone.email_id = effect.id
where emails.id = effect.id
returning emails.project_id, emails.campaign_id, emails.variant, coalesce((select merged_contacts.kept_id
from merged_contacts
where merged_contacts.contact_id = emails.contact_id), emails.contact_id) as contact_id, emails.recipient, emails.message_id, effect.*),
noted as (insert into email_events (id, project_id, email_id, name, data)
select new_id(project_id), project_id, id, event, case when recipient is null then jsonb_strip_nulls(jsonb_build_object('type', data::jsonb -> 'type', 'cause', data::jsonb -> 'cause', 'reason', data::jsonb -> 'reason', 'via', data::jsonb -> 'via')) else data::jsonb end
from email
returning id, project_id, email_id, name, data, created_at),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
returning 1 as made),
moved as (select email.*, (select messages.domain_id
from messages
where messages.id = email.message_id and not messages.test) as domain_id
from email),
counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, delivered, inferred, bounced, complained, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(settled) as settled, sum(sent) as sent, sum(delivered) as delivered, sum(inferred) as inferred, sum(bounced) as bounced, sum(complained) as complained, sum(failed) as failed
from moved
group by 1, 2, 4
having sum(settled) <> 0 or sum(sent) <> 0 or sum(delivered) <> 0 or sum(inferred) <> 0 or sum(bounced) <> 0 or sum(complained) <> 0 or sum(failed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, sent = hourly_figures.sent + excluded.sent, delivered = hourly_figures.delivered + excluded.delivered, inferred = hourly_figures.inferred + excluded.inferred, bounced = hourly_figures.bounced + excluded.bounced, complained = hourly_figures.complained + excluded.complained, failed = hourly_figures.failed + excluded.failed),
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
suppressed as (insert into suppressions (id, project_id, email, reason, email_id, response, source)
select new_id(project_id), project_id, recipient, suppress, id, words, case suppress when 'complaint' then 'complaint' else 'bounce' end
from email
where suppress is not null and recipient is not null
order by project_id, lower(recipient)
on conflict (project_id, lower(email)) do nothing),
complainers as materialized (select distinct on (known.id) known.id as contact_id, known.consent as before, reported.email_id
from (select contact_id, id as email_id
from email
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
set updated_at = app_now(), status = case email.suppress when 'complaint' then 'complained' else 'bounced' end
from email
where subscribers.contact_id = email.contact_id and (email.suppress in ('hard_bounce', 'complaint') and subscribers.status in ('subscribed', 'unconfirmed') or email.suppress = 'complaint' and subscribers.status = 'bounced') and (email.suppress = 'complaint' or exists (select
from contacts
where contacts.id = email.contact_id and lower(contacts.email) = lower(email.recipient))))
select exists (select
from deliveries) or exists (select
from contacts_told) as told
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1, $5 array of 1, $6 array of 1, $7 array of 1, $8 array of 1, $9 array of 1, $10 array of 1, $11 array of 1, $12 array of 1, $13 array of 1

with waiting as materialized (select email_queue.email_id
from email_queue
where email_queue.email_id = any($1::uuid[])),
held as materialized (select email_queue.email_id
from email_queue
where email_queue.email_id in (select email_id
from waiting)
order by email_queue.email_id for update skip locked)
select waiting.email_id as id, held.email_id is not null as locked
from waiting
left join held on held.email_id = waiting.email_id
-- $1 array of 1

with effect as materialized (select *
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[], $10::int[], $11::int[], $12::int[], $13::int[]) as given(id, status, event, data, suppress, words, settled, sent, delivered, inferred, bounced, complained, failed)),
gone as (delete
from email_queue using effect
where email_queue.email_id = effect.id and effect.status is not null
returning email_queue.email_id, email_queue.attempts),
email as (update emails
set status = coalesce(effect.status, emails.status), attempts = coalesce(gone.attempts, emails.attempts), sent_at = coalesce(emails.sent_at, case when effect.status in ('SENT', 'DELIVERED', 'COMPLAINED') then app_now() end), delivered_at = coalesce(emails.delivered_at, case when effect.status in ('DELIVERED', 'COMPLAINED') then app_now() end), bounced_at = coalesce(emails.bounced_at, case when effect.status = 'BOUNCED' then app_now() end), complained_at = coalesce(emails.complained_at, case when effect.status = 'COMPLAINED' then app_now() end)
from effect
left join gone on gone.email_id = effect.id
where emails.id = effect.id
returning emails.project_id, emails.campaign_id, emails.variant, coalesce((select merged_contacts.kept_id
from merged_contacts
where merged_contacts.contact_id = emails.contact_id), emails.contact_id) as contact_id, emails.recipient, emails.message_id, effect.*),
noted as (insert into email_events (id, project_id, email_id, name, data)
select new_id(project_id), project_id, id, event, case when recipient is null then jsonb_strip_nulls(jsonb_build_object('type', data::jsonb -> 'type', 'cause', data::jsonb -> 'cause', 'reason', data::jsonb -> 'reason', 'via', data::jsonb -> 'via')) else data::jsonb end
from email
returning id, project_id, email_id, name, data, created_at),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
returning 1 as made),
moved as (select email.*, (select messages.domain_id
from messages
where messages.id = email.message_id and not messages.test) as domain_id
from email),
counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, delivered, inferred, bounced, complained, failed)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(settled) as settled, sum(sent) as sent, sum(delivered) as delivered, sum(inferred) as inferred, sum(bounced) as bounced, sum(complained) as complained, sum(failed) as failed
from moved
group by 1, 2, 4
having sum(settled) <> 0 or sum(sent) <> 0 or sum(delivered) <> 0 or sum(inferred) <> 0 or sum(bounced) <> 0 or sum(complained) <> 0 or sum(failed) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set settled = hourly_figures.settled + excluded.settled, sent = hourly_figures.sent + excluded.sent, delivered = hourly_figures.delivered + excluded.delivered, inferred = hourly_figures.inferred + excluded.inferred, bounced = hourly_figures.bounced + excluded.bounced, complained = hourly_figures.complained + excluded.complained, failed = hourly_figures.failed + excluded.failed),
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
suppressed as (insert into suppressions (id, project_id, email, reason, email_id, response, source)
select new_id(project_id), project_id, recipient, suppress, id, words, case suppress when 'complaint' then 'complaint' else 'bounce' end
from email
where suppress is not null and recipient is not null
order by project_id, lower(recipient)
on conflict (project_id, lower(email)) do nothing),
complainers as materialized (select distinct on (known.id) known.id as contact_id, known.consent as before, reported.email_id
from (select contact_id, id as email_id
from email
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
set updated_at = app_now(), status = case email.suppress when 'complaint' then 'complained' else 'bounced' end
from email
where subscribers.contact_id = email.contact_id and (email.suppress in ('hard_bounce', 'complaint') and subscribers.status in ('subscribed', 'unconfirmed') or email.suppress = 'complaint' and subscribers.status = 'bounced') and (email.suppress = 'complaint' or exists (select
from contacts
where contacts.id = email.contact_id and lower(contacts.email) = lower(email.recipient))))
select exists (select
from deliveries) or exists (select
from contacts_told) as told
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1, $5 array of 1, $6 array of 1, $7 array of 1, $8 array of 1, $9 array of 1, $10 array of 1, $11 array of 1, $12 array of 1, $13 array of 1
