CREATE TABLE "campaign_versions" (
	"project_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"subject" text NOT NULL,
	"preview_text" text NOT NULL,
	"from_email" text NOT NULL,
	"from_name" text NOT NULL,
	"reply_to" text,
	"html" text,
	"design" json,
	"text" text,
	"template_id" uuid,
	"ab_test" jsonb,
	"author_type" text,
	"author_id" uuid,
	"saved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "campaign_versions_project_id_campaign_id_version_pk" PRIMARY KEY("project_id","campaign_id","version")
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "content_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "content_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "author_type" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "author_id" uuid;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "content_settled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_versions" ADD CONSTRAINT "campaign_versions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_versions" ADD CONSTRAINT "campaign_versions_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_versions_campaign" ON "campaign_versions" USING btree ("campaign_id");