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

with chosen as materialized (select c.id, c.email, c.created_at, row_number() over (order by md5($1::text || c.id::text)) - 1 as place
from contacts c
where c.id > $2 and c.id <= $3 and c.created_at <= (select campaigns.started_at
from campaigns
where campaigns.id = $4) and ((c.project_id = $5 and c.consent = 'subscribed' and not coalesce(c.paused_until > app_now(), false) and (select true
from suppressions
where suppressions.project_id = c.project_id and lower(suppressions.email) = lower(c.email)) is null and (select true
from suppressions suppressed_domains
where suppressed_domains.project_id = c.project_id and suppressed_domains.reason = 'domain' and lower(suppressed_domains.email) = '@' || split_part(lower(c.email), '@', 2)) is null) and not (c.weekly and exists (select
from emails
where emails.contact_id = c.id and emails.source = 'CAMPAIGN' and emails.status <> 'FAILED' and emails.created_at > app_now() - interval '7 days')))
order by c.id),
share as materialized (select greatest(0, greatest(ceil(people * $6::numeric / 100), least(people, $7::int)) - $8::int) as size
from (select $9::int + count(*) as people
from chosen) audience),
dealt as materialized (select new_id($10::uuid) as email_id, chosen.*, place < size as in_test
from chosen
cross join share),
written as (insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, variant, source, status)
select dealt.email_id, $11, ($12::uuid[])[case when in_test then 1 + (($13::int + place) % $14::int)::int else 1 end], dealt.id, $15, dealt.email, case when in_test then 1 + (($16::int + place) % $17::int)::int end, 'CAMPAIGN', 'PENDING'
from dealt
returning emails.variant),
waiting as (insert into email_queue (email_id, project_id, campaign_id, due_at, warmup_rank, asleep)
select dealt.email_id, $18, $19, case when in_test then app_now() else 'infinity'::timestamptz end, case when in_test then null::real end, not in_test
from dealt)
select count(*)::int as added, count(variant)::int as tested
from written
-- $1 string, $2 string, $3 string, $4 string, $5 string, $6 number, $7 number, $8 number, $9 number, $10 string, $11 string, $12 array of 2, $13 number, $14 number, $15 string, $16 number, $17 number, $18 string, $19 string

with chosen as materialized (select email_queue.email_id
from email_queue
where email_queue.campaign_id = $1 and email_queue.campaign_id is not null and email_queue.asleep and email_queue.due_at = 'infinity'::timestamptz limit $2 for update skip locked),
given as (update emails
set message_id = $3::uuid
from chosen
where emails.id = chosen.email_id),
released as (update email_queue
set due_at = app_now(), asleep = false, place = pg_current_xact_id()
from emails
where email_queue.email_id = any(array(select email_id
from chosen
where true)) and emails.id = email_queue.email_id
returning 1)
select (select count(*)::int
from released) as released, exists (select
from email_queue
where email_queue.campaign_id = $4 and email_queue.campaign_id is not null and email_queue.asleep and email_queue.due_at = 'infinity'::timestamptz and email_queue.email_id not in (select email_id
from chosen)) as more
-- $1 string, $2 number, $3 string, $4 string
