CREATE TABLE "report_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"expires_at" timestamp with time zone,
	"author_type" text,
	"author_id" uuid,
	"opens" integer DEFAULT 0 NOT NULL,
	"last_opened_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "report_links" ADD CONSTRAINT "report_links_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_links" ADD CONSTRAINT "report_links_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_links_campaign" ON "report_links" USING btree ("campaign_id","id");--> statement-breakpoint
CREATE INDEX "report_links_project" ON "report_links" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "campaigns_calendar" ON "campaigns" USING btree ("project_id",coalesce("started_at", "scheduled_at", "send_before"));