CREATE TABLE "form_departures" (
	"project_id" uuid NOT NULL,
	"day" timestamp with time zone NOT NULL,
	"form_id" uuid NOT NULL,
	"slot" smallint NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "form_departures_key" PRIMARY KEY("project_id","day","form_id","slot")
);
--> statement-breakpoint
-- A mail program's "report spam and unsubscribe" does both: the complaint is no second departure by the same mail.
create or replace function count_departures() returns trigger language plpgsql as $$
begin
  with departed as materialized (
    select added.project_id, date_trunc('day', app_now(), 'UTC') as day, pg_backend_pid() % 16 as slot,
      case when added.kind = 'topic' then 'topic' when added.list_id is null then 'everything' else 'list' end as scope,
      coalesce(mail.campaign_id, '00000000-0000-0000-0000-000000000000') as campaign_id,
      coalesce(added.list_id, campaign.list_id, '00000000-0000-0000-0000-000000000000') as list_id,
      coalesce(added.topic_id, campaign.topic_id, '00000000-0000-0000-0000-000000000000') as topic_id,
      added.origin, coalesce(added.reason, '') as reason,
      -- The form by which they had come, to this list where they left one.
      (select came.form_id from consent_changes came
        where came.project_id = added.project_id and came.contact_id = added.contact_id
          and came.form_id is not null and (added.list_id is null or came.list_id = added.list_id)
        order by came.id desc limit 1) as form_id
    from added
      left join emails mail on mail.id = added.email_id
      left join campaigns campaign on campaign.id = mail.campaign_id
    where added.kind in ('subscription', 'topic') and added.after in ('unsubscribed', 'complained')
      -- Somebody who was never asked leaves by an act of their own alone: a file that says so is none.
      and (added.before = 'subscribed'
        or added.before = 'never' and added.origin in ('link', 'oneClick', 'complaint'))
      and not (added.origin = 'complaint' and exists (
        select from consent_changes earlier
        where earlier.project_id = added.project_id and earlier.contact_id = added.contact_id
          and earlier.email_id = added.email_id and earlier.id <> added.id
          and earlier.kind in ('subscription', 'topic') and earlier.after = 'unsubscribed'))
  ), by_form as (
    insert into form_departures as kept (project_id, day, form_id, slot, people)
    select project_id, day, form_id, slot, count(*) from departed
    where form_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint form_departures_key do update set people = kept.people + excluded.people
  )
  insert into departure_figures as kept
    (project_id, day, scope, campaign_id, list_id, topic_id, origin, reason, slot, people)
  select project_id, day, scope, campaign_id, list_id, topic_id, origin, reason, slot, count(*)
  from departed
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  order by 1, 2, 3, 4, 5, 6, 7, 8, 9
  on conflict on constraint departure_figures_key do update set people = kept.people + excluded.people;
  return null;
end
$$;
