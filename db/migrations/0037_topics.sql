CREATE TABLE "consent_texts" (
	"project_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "consent_texts_project_id_hash_pk" PRIMARY KEY("project_id","hash")
);
--> statement-breakpoint
CREATE TABLE "topic_departures" (
	"topic_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "topic_departures_topic_id_contact_id_pk" PRIMARY KEY("topic_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "topics" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "topic_id" uuid;--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "topic_id" uuid;--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "kind" text DEFAULT 'subscription' NOT NULL;--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "comment" text;--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "text_hash" "bytea";--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "ip_address" text;--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "paused_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "weekly" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "forgotten_addresses" ADD COLUMN "objected_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "forgotten_addresses" ADD COLUMN "objected_by" text;--> statement-breakpoint
ALTER TABLE "topic_departures" ADD CONSTRAINT "topic_departures_topic_id_topics_id_fk" FOREIGN KEY ("topic_id") REFERENCES "public"."topics"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topic_departures" ADD CONSTRAINT "topic_departures_contact_id_contacts_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topics" ADD CONSTRAINT "topics_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "topic_departures_contact" ON "topic_departures" USING btree ("contact_id");--> statement-breakpoint
CREATE UNIQUE INDEX "topics_name" ON "topics" USING btree ("project_id",lower("name"));--> statement-breakpoint
-- The history of consent is added to and never changed. Rows leave with the person alone, by a deletion that says whose they are.
create function keep_consent() returns trigger language plpgsql as $$
begin
  -- Nested: consent_texts has no contact_id, and a condition is planned as a whole.
  if tg_op = 'DELETE' and tg_table_name = 'consent_changes' then
    if old.contact_id::text = current_setting('lettermill.erased_contact', true) then
      return old;
    end if;
  end if;
  raise exception 'The history of consent cannot be changed.' using errcode = 'restrict_violation';
end
$$;
--> statement-breakpoint
create trigger consent_changes_kept before update or delete on consent_changes
  for each row execute function keep_consent();
--> statement-breakpoint
create trigger consent_changes_not_emptied before truncate on consent_changes
  for each statement execute function keep_consent();
--> statement-breakpoint
create trigger consent_texts_kept before update or delete on consent_texts
  for each row execute function keep_consent();
--> statement-breakpoint
create trigger consent_texts_not_emptied before truncate on consent_texts
  for each statement execute function keep_consent();
