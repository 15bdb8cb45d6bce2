with visit as materialized (select email_id, link_id, url, links, machine::boolean as machine, agent, address, position
from unnest($1::uuid[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[]) with ordinality as asked(email_id, link_id, url, links, machine, agent, address, position)),
locked as materialized (select emails.id, emails.project_id, emails.campaign_id, emails.variant, emails.recipient, emails.delivered_at, emails.opened_at, emails.clicked_at
from emails
where emails.id = any($8::uuid[])
order by emails.id for no key update),
followed as (select email_id, url, links
from visit
where links > 1),
bursts as materialized (select email_id
from (select email_id, url, links
from followed
union all select email_events.email_id, email_events.data ->> 'url', null
from (select distinct email_id
from followed) f
join email_events on email_events.email_id = f.email_id and email_events.name = 'clicked' and email_events.created_at > app_now() - interval '2 seconds') recent
group by email_id
having count(distinct url) > max(links) / 2.0 and count(distinct url) >= least(max(links), 3)),
judged as materialized (select visit.*, locked.project_id, locked.campaign_id, locked.recipient is null as forgotten, visit.machine or (link_id is not null and bursts.email_id is not null) as by_machine
from visit
join locked on locked.id = visit.email_id
left join bursts on bursts.email_id = visit.email_id),
withdrawn as (delete
from link_clicks using bursts
where link_clicks.email_id = bursts.email_id and link_clicks.first_at > app_now() - interval '2 seconds'
returning link_clicks.email_id, link_clicks.link_id, link_clicks.clicks),
remarked as (update email_events
set data = (email_events.data || '{machine: true}') - 'ip'
from bursts
where email_events.email_id = bursts.email_id and email_events.name = 'clicked' and email_events.created_at > app_now() - interval '2 seconds' and not email_events.data ? 'machine'),
sums as materialized (select locked.*, seen.*, coalesce(taken.clicks, 0) as withdrawn, taken.clicks is not null and locked.clicked_at > app_now() - interval '2 seconds' as unclicked
from (select email_id, count(*) filter (where link_id is null and not by_machine) as opens, count(*) filter (where link_id is not null and not by_machine) as clicks, count(*) filter (where link_id is null and by_machine) as machine_opens, count(*) filter (where link_id is not null and by_machine) as machine_clicks
from judged
group by email_id) seen
join locked on locked.id = seen.email_id
left join (select email_id, sum(clicks) as clicks
from withdrawn
group by 1) taken on taken.email_id = seen.email_id),
moved as (update emails
set opens = emails.opens + sums.opens, clicks = emails.clicks + sums.clicks - sums.withdrawn, delivered_at = coalesce(emails.delivered_at, case when sums.opens + sums.clicks > 0 then app_now() end), opened_at = coalesce(emails.opened_at, case when sums.opens > 0 then app_now() end), clicked_at = case when sums.unclicked then null else coalesce(emails.clicked_at, case when sums.clicks > 0 then app_now() end) end, status = case when sums.unclicked and emails.status = 'CLICKED' then case when sums.opened_at is null and sums.opens = 0 then 'DELIVERED' else 'OPENED' end else case when emails.status = 'COMPLAINED' or (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) is null then emails.status when (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) = 'COMPLAINED' then (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) when emails.status in ('BOUNCED', 'FAILED') then emails.status when (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) in ('BOUNCED', 'FAILED') then case when emails.status in ('PENDING', 'SENT', 'DELIVERED') then (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) else emails.status end when array_position(array['PENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED'], (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end)) > array_position(array['PENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED'], emails.status) then (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) else emails.status end end
from sums
where emails.id = sums.id and (sums.opens + sums.clicks > 0 or sums.withdrawn > 0)),
figures as (select project_id, campaign_id, variant, opens, clicks - withdrawn as clicks, machine_opens, machine_clicks + withdrawn as machine_clicks, (opens + clicks > 0 and delivered_at is null)::int as delivered, (opens + clicks > 0 and delivered_at is null)::int as inferred, (opens > 0 and opened_at is null)::int as opened, (clicks > 0 and clicked_at is null)::int - unclicked::int as clicked
from sums),
counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, delivered, inferred, opened, clicked, opens, clicks, machine_opens, machine_clicks)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(delivered) as delivered, sum(inferred) as inferred, sum(opened) as opened, sum(clicked) as clicked, sum(opens) as opens, sum(clicks) as clicks, sum(machine_opens) as machine_opens, sum(machine_clicks) as machine_clicks
from figures
group by 1, 2, 4
having sum(delivered) <> 0 or sum(inferred) <> 0 or sum(opened) <> 0 or sum(clicked) <> 0 or sum(opens) <> 0 or sum(clicks) <> 0 or sum(machine_opens) <> 0 or sum(machine_clicks) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set delivered = hourly_figures.delivered + excluded.delivered, inferred = hourly_figures.inferred + excluded.inferred, opened = hourly_figures.opened + excluded.opened, clicked = hourly_figures.clicked + excluded.clicked, opens = hourly_figures.opens + excluded.opens, clicks = hourly_figures.clicks + excluded.clicks, machine_opens = hourly_figures.machine_opens + excluded.machine_opens, machine_clicks = hourly_figures.machine_clicks + excluded.machine_clicks),
clicked as (insert into link_clicks (email_id, link_id, clicks)
select email_id, link_id, count(*)
from judged
where link_id is not null and not by_machine
group by email_id, link_id
order by email_id, link_id
on conflict (email_id, link_id) do update
set clicks = link_clicks.clicks + excluded.clicks
returning link_clicks.link_id, xmax = 0 as first),
links_counted as (insert into link_figures (link_id, slot, clicks, unique_clicks, machine_clicks)
select link_id, <slot>, sum(clicks), sum(unique_clicks), sum(machine_clicks)
from (select link_id, (not by_machine)::int as clicks, 0 as unique_clicks, by_machine::int as machine_clicks
from judged
where link_id is not null
union all select link_id, 0, 1, 0
from clicked
where first
union all select link_id, -clicks, -1, clicks
from withdrawn) delta
group by link_id
order by link_id
on conflict (link_id, slot) do update
set clicks = link_figures.clicks + excluded.clicks, unique_clicks = link_figures.unique_clicks + excluded.unique_clicks, machine_clicks = link_figures.machine_clicks + excluded.machine_clicks),
noted as (insert into email_events (id, project_id, email_id, name, data, created_at)
select new_id(project_id), project_id, email_id, case when link_id is null then 'opened' else 'clicked' end, jsonb_strip_nulls(jsonb_build_object('url', url, 'userAgent', agent, 'ip', case when not by_machine and not forgotten then address end, 'machine', case when by_machine then true end)), app_now() + position * interval '1 microsecond'
from judged
returning id, project_id, email_id, name, data, created_at),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
returning 1 as made)
select exists (select
from deliveries) as told
-- $1 array of 2, $2 array of 2, $3 array of 2, $4 array of 2, $5 array of 2, $6 array of 2, $7 array of 2, $8 array of 2

with visit as materialized (select email_id, link_id, url, links, machine::boolean as machine, agent, address, position
from unnest($1::uuid[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[]) with ordinality as asked(email_id, link_id, url, links, machine, agent, address, position)),
locked as materialized (select emails.id, emails.project_id, emails.campaign_id, emails.variant, emails.recipient, emails.delivered_at, emails.opened_at, emails.clicked_at
from emails
where emails.id = any($8::uuid[])
order by emails.id for no key update),
followed as (select email_id, url, links
from visit
where links > 1),
bursts as materialized (select email_id
from (select email_id, url, links
from followed
union all select email_events.email_id, email_events.data ->> 'url', null
from (select distinct email_id
from followed) f
join email_events on email_events.email_id = f.email_id and email_events.name = 'clicked' and email_events.created_at > app_now() - interval '2 seconds') recent
group by email_id
having count(distinct url) > max(links) / 2.0 and count(distinct url) >= least(max(links), 3)),
judged as materialized (select visit.*, locked.project_id, locked.campaign_id, locked.recipient is null as forgotten, visit.machine or (link_id is not null and bursts.email_id is not null) as by_machine
from visit
join locked on locked.id = visit.email_id
left join bursts on bursts.email_id = visit.email_id),
withdrawn as (delete
from link_clicks using bursts
where link_clicks.email_id = bursts.email_id and link_clicks.first_at > app_now() - interval '2 seconds'
returning link_clicks.email_id, link_clicks.link_id, link_clicks.clicks),
remarked as (update email_events
set data = (email_events.data || '{machine: true}') - 'ip'
from bursts
where email_events.email_id = bursts.email_id and email_events.name = 'clicked' and email_events.created_at > app_now() - interval '2 seconds' and not email_events.data ? 'machine'),
sums as materialized (select locked.*, seen.*, coalesce(taken.clicks, 0) as withdrawn, taken.clicks is not null and locked.clicked_at > app_now() - interval '2 seconds' as unclicked
from (select email_id, count(*) filter (where link_id is null and not by_machine) as opens, count(*) filter (where link_id is not null and not by_machine) as clicks, count(*) filter (where link_id is null and by_machine) as machine_opens, count(*) filter (where link_id is not null and by_machine) as machine_clicks
from judged
group by email_id) seen
join locked on locked.id = seen.email_id
left join (select email_id, sum(clicks) as clicks
from withdrawn
group by 1) taken on taken.email_id = seen.email_id),
moved as (update emails
set opens = emails.opens + sums.opens, clicks = emails.clicks + sums.clicks - sums.withdrawn, delivered_at = coalesce(emails.delivered_at, case when sums.opens + sums.clicks > 0 then app_now() end), opened_at = coalesce(emails.opened_at, case when sums.opens > 0 then app_now() end), clicked_at = case when sums.unclicked then null else coalesce(emails.clicked_at, case when sums.clicks > 0 then app_now() end) end, status = case when sums.unclicked and emails.status = 'CLICKED' then case when sums.opened_at is null and sums.opens = 0 then 'DELIVERED' else 'OPENED' end else case when emails.status = 'COMPLAINED' or (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) is null then emails.status when (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) = 'COMPLAINED' then (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) when emails.status in ('BOUNCED', 'FAILED') then emails.status when (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) in ('BOUNCED', 'FAILED') then case when emails.status in ('PENDING', 'SENT', 'DELIVERED') then (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) else emails.status end when array_position(array['PENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED'], (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end)) > array_position(array['PENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED'], emails.status) then (case when sums.clicks > 0 then 'CLICKED' when sums.opens > 0 then 'OPENED' end) else emails.status end end
from sums
where emails.id = sums.id and (sums.opens + sums.clicks > 0 or sums.withdrawn > 0)),
figures as (select project_id, campaign_id, variant, opens, clicks - withdrawn as clicks, machine_opens, machine_clicks + withdrawn as machine_clicks, (opens + clicks > 0 and delivered_at is null)::int as delivered, (opens + clicks > 0 and delivered_at is null)::int as inferred, (opens > 0 and opened_at is null)::int as opened, (clicks > 0 and clicked_at is null)::int - unclicked::int as clicked
from sums),
counted as (insert into hourly_figures (project_id, campaign_id, hour, slot, delivered, inferred, opened, clicked, opens, clicks, machine_opens, machine_clicks)
select project_id, coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), date_trunc('hour', app_now(), 'UTC'), <slot> + 256 * coalesce(variant, 0), sum(delivered) as delivered, sum(inferred) as inferred, sum(opened) as opened, sum(clicked) as clicked, sum(opens) as opens, sum(clicks) as clicks, sum(machine_opens) as machine_opens, sum(machine_clicks) as machine_clicks
from figures
group by 1, 2, 4
having sum(delivered) <> 0 or sum(inferred) <> 0 or sum(opened) <> 0 or sum(clicked) <> 0 or sum(opens) <> 0 or sum(clicks) <> 0 or sum(machine_opens) <> 0 or sum(machine_clicks) <> 0
order by 1, 2, 4
on conflict (project_id, campaign_id, hour, slot) do update
set delivered = hourly_figures.delivered + excluded.delivered, inferred = hourly_figures.inferred + excluded.inferred, opened = hourly_figures.opened + excluded.opened, clicked = hourly_figures.clicked + excluded.clicked, opens = hourly_figures.opens + excluded.opens, clicks = hourly_figures.clicks + excluded.clicks, machine_opens = hourly_figures.machine_opens + excluded.machine_opens, machine_clicks = hourly_figures.machine_clicks + excluded.machine_clicks),
clicked as (insert into link_clicks (email_id, link_id, clicks)
select email_id, link_id, count(*)
from judged
where link_id is not null and not by_machine
group by email_id, link_id
order by email_id, link_id
on conflict (email_id, link_id) do update
set clicks = link_clicks.clicks + excluded.clicks
returning link_clicks.link_id, xmax = 0 as first),
links_counted as (insert into link_figures (link_id, slot, clicks, unique_clicks, machine_clicks)
select link_id, <slot>, sum(clicks), sum(unique_clicks), sum(machine_clicks)
from (select link_id, (not by_machine)::int as clicks, 0 as unique_clicks, by_machine::int as machine_clicks
from judged
where link_id is not null
union all select link_id, 0, 1, 0
from clicked
where first
union all select link_id, -clicks, -1, clicks
from withdrawn) delta
group by link_id
order by link_id
on conflict (link_id, slot) do update
set clicks = link_figures.clicks + excluded.clicks, unique_clicks = link_figures.unique_clicks + excluded.unique_clicks, machine_clicks = link_figures.machine_clicks + excluded.machine_clicks),
noted as (insert into email_events (id, project_id, email_id, name, data, created_at)
select new_id(project_id), project_id, email_id, case when link_id is null then 'opened' else 'clicked' end, jsonb_strip_nulls(jsonb_build_object('url', url, 'userAgent', agent, 'ip', case when not by_machine and not forgotten then address end, 'machine', case when by_machine then true end)), app_now() + position * interval '1 microsecond'
from judged
returning id, project_id, email_id, name, data, created_at),
deliveries as (insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data, created_at)
select new_id(told.project_id), told.project_id, webhooks.id, told.id, 'email.' || case told.name when 'suppressed' then 'failed' else told.name end, told.email_id, told.data, told.created_at
from noted told
join webhooks on webhooks.project_id = told.project_id and webhooks.enabled and webhooks.events && array['*', 'email.' || case told.name when 'suppressed' then 'failed' else told.name end]
where not (told.name in ('queued', 'unsubscribed') or told.data ? 'machine') for key share of webhooks
returning 1 as made)
select exists (select
from deliveries) as told
-- $1 array of 1, $2 array of 1, $3 array of 1, $4 array of 1, $5 array of 1, $6 array of 1, $7 array of 1, $8 array of 1
