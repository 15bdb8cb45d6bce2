CREATE TABLE "bulk_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"action" text NOT NULL,
	"name" text NOT NULL,
	"new_name" text,
	"filter" jsonb,
	"stage" text NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"processed" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"cursor" uuid,
	"failed_steps" integer DEFAULT 0 NOT NULL,
	"failure_reason" text,
	"due_at" timestamp with time zone,
	"lease_id" uuid,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "contact_fields" (
	"project_id" uuid NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "contact_fields_project_id_key_pk" PRIMARY KEY("project_id","key")
);
--> statement-breakpoint
CREATE TABLE "contact_surveys" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"contacts" integer DEFAULT 0 NOT NULL,
	"fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"tags" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"counted_at" timestamp with time zone,
	"count_milliseconds" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD CONSTRAINT "bulk_changes_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_fields" ADD CONSTRAINT "contact_fields_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_surveys" ADD CONSTRAINT "contact_surveys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_changes_project" ON "bulk_changes" USING btree ("project_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_changes_one" ON "bulk_changes" USING btree ("project_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "bulk_changes_due" ON "bulk_changes" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "contact_surveys_due" ON "contact_surveys" USING btree ("due_at") WHERE due_at is not null;