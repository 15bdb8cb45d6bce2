CREATE TABLE "sender_pauses" (
	"domain_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"words" text NOT NULL,
	"probe_email_id" uuid,
	"probe_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "send_before" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "email_queue" ADD COLUMN "interrupted_attempts" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "email_queue" ADD COLUMN "send_before" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "retention" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sender_pauses" ADD CONSTRAINT "sender_pauses_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sender_pauses" ADD CONSTRAINT "sender_pauses_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sender_pauses_project" ON "sender_pauses" USING btree ("project_id");