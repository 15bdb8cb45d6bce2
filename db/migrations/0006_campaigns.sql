CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"preview_text" text DEFAULT '' NOT NULL,
	"from_email" text DEFAULT '' NOT NULL,
	"from_name" text DEFAULT '' NOT NULL,
	"reply_to" text,
	"html" text,
	"text" text,
	"template_id" uuid,
	"segment_id" uuid,
	"list_id" uuid,
	"track_opens" boolean,
	"track_clicks" boolean,
	"utm" jsonb,
	"status" text DEFAULT 'DRAFT' NOT NULL,
	"scheduled_at" timestamp with time zone,
	"time_zone" text,
	"message_id" uuid,
	"started_at" timestamp with time zone,
	"paused_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"failure_reason" text,
	"recipients" integer DEFAULT 0 NOT NULL,
	"audience_cursor" uuid,
	"audience_done_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"lease_id" uuid,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hourly_figures" (
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"slot" smallint NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"opened" integer DEFAULT 0 NOT NULL,
	"clicked" integer DEFAULT 0 NOT NULL,
	"bounced" integer DEFAULT 0 NOT NULL,
	"complained" integer DEFAULT 0 NOT NULL,
	"unsubscribed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"opens" integer DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"machine_opens" integer DEFAULT 0 NOT NULL,
	"machine_clicks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "hourly_figures_project_id_campaign_id_hour_slot_pk" PRIMARY KEY("project_id","campaign_id","hour","slot")
);
--> statement-breakpoint
CREATE TABLE "link_figures" (
	"link_id" bigint NOT NULL,
	"slot" smallint NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"unique_clicks" integer DEFAULT 0 NOT NULL,
	"machine_clicks" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "link_figures_link_id_slot_pk" PRIMARY KEY("link_id","slot")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"path" text NOT NULL,
	"content_type" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_clicks" (
	"email_id" uuid NOT NULL,
	"link_id" bigint NOT NULL,
	"clicks" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "link_clicks_email_id_link_id_pk" PRIMARY KEY("email_id","link_id")
);
--> statement-breakpoint
CREATE TABLE "links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"campaign_id" uuid,
	"message_id" uuid NOT NULL,
	"url" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event" text NOT NULL,
	"data" jsonb NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT app_now(),
	"lease_id" uuid,
	"response_status" smallint,
	"response_body" text,
	"error" text,
	"duration_milliseconds" integer,
	"attempted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "emails_due";--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "unsubscribed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "campaign_id" uuid;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "preview_text" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "utm" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "postal_address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "disabled_reason" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaigns_project" ON "campaigns" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "campaigns_status" ON "campaigns" USING btree ("project_id","status","id");--> statement-breakpoint
CREATE INDEX "campaigns_due" ON "campaigns" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "files_path" ON "files" USING btree ("project_id","path");--> statement-breakpoint
CREATE INDEX "files_project" ON "files" USING btree ("project_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "links_message_url" ON "links" USING btree ("message_id",md5("url"));--> statement-breakpoint
CREATE INDEX "links_campaign" ON "links" USING btree ("campaign_id") WHERE campaign_id is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("webhook_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "emails_campaign_due" ON "emails" USING btree ("campaign_id","due_at") WHERE due_at is not null and campaign_id is not null;--> statement-breakpoint
CREATE INDEX "emails_due" ON "emails" USING btree ("priority","project_id","due_at") WHERE due_at is not null and campaign_id is null;