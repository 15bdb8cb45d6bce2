CREATE TABLE "departure_figures" (
	"project_id" uuid NOT NULL,
	"day" timestamp with time zone NOT NULL,
	"scope" text NOT NULL,
	"campaign_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL,
	"list_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL,
	"topic_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL,
	"origin" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"slot" smallint NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "departure_figures_key" PRIMARY KEY("project_id","day","scope","campaign_id","list_id","topic_id","origin","reason","slot")
);
--> statement-breakpoint
CREATE TABLE "person_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"email" text,
	"previous_email" text,
	"kept_apart" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"done_at" timestamp with time zone,
	"undone_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "mail_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "person_requests" ADD CONSTRAINT "person_requests_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "person_requests_contact" ON "person_requests" USING btree ("contact_id","created_at");--> statement-breakpoint
CREATE INDEX "person_requests_email" ON "person_requests" USING btree ("project_id",lower("email")) WHERE email is not null;
--> statement-breakpoint
-- Who leaves is counted where it is written down, whoever writes it: once for each statement.
create function count_departures() returns trigger language plpgsql as $$
begin
  insert into departure_figures as kept
    (project_id, day, scope, campaign_id, list_id, topic_id, origin, reason, slot, people)
  select added.project_id, date_trunc('day', app_now(), 'UTC'),
    case when added.kind = 'topic' then 'topic' when added.list_id is null then 'everything' else 'list' end,
    coalesce(mail.campaign_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(added.list_id, campaign.list_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(added.topic_id, campaign.topic_id, '00000000-0000-0000-0000-000000000000'),
    added.origin, coalesce(added.reason, ''), pg_backend_pid() % 16, count(*)
  from added
    left join emails mail on mail.id = added.email_id
    left join campaigns campaign on campaign.id = mail.campaign_id
  where added.kind in ('subscription', 'topic') and added.after in ('unsubscribed', 'complained')
    -- Somebody who was never asked leaves by an act of their own alone: a file that says so is none.
    and (added.before = 'subscribed'
      or added.before = 'never' and added.origin in ('link', 'oneClick', 'complaint'))
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  order by 1, 2, 3, 4, 5, 6, 7, 8, 9
  on conflict on constraint departure_figures_key do update set people = kept.people + excluded.people;
  return null;
end
$$;
--> statement-breakpoint
create trigger departures_counted after insert on consent_changes
  referencing new table as added for each statement execute function count_departures();
