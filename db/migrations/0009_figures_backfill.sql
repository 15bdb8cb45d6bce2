-- Figures of what was sent before they were kept. Runs once; each fact is counted in the hour it happened.
insert into hourly_figures (project_id, campaign_id, hour, slot, settled, sent, delivered, opened, clicked,
  bounced, complained, failed)
select e.project_id, coalesce(e.campaign_id, '00000000-0000-0000-0000-000000000000'),
  date_trunc('hour', fact.at, 'UTC'), 0,
  sum(fact.settled), sum(fact.sent), sum(fact.delivered), sum(fact.opened), sum(fact.clicked),
  sum(fact.bounced), sum(fact.complained), sum(fact.failed)
from emails e cross join lateral (values
  (coalesce(e.sent_at, e.bounced_at), 1, 1, 0, 0, 0, 0, 0, 0),
  (e.delivered_at, 0, 0, 1, 0, 0, 0, 0, 0),
  (e.opened_at, 0, 0, 0, 1, 0, 0, 0, 0),
  (e.clicked_at, 0, 0, 0, 0, 1, 0, 0, 0),
  (e.bounced_at, 0, 0, 0, 0, 0, 1, 0, 0),
  (e.complained_at, 0, 0, 0, 0, 0, 0, 1, 0),
  (case when e.status = 'FAILED' then e.created_at end, 1, 0, 0, 0, 0, 0, 0, 1)
) as fact(at, settled, sent, delivered, opened, clicked, bounced, complained, failed)
where fact.at is not null
group by 1, 2, 3
on conflict do nothing;
