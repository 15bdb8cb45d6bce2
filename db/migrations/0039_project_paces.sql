CREATE TABLE "project_paces" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"per_hour" integer NOT NULL,
	"allowance" double precision NOT NULL,
	"measured_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "project_paces" ADD CONSTRAINT "project_paces_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;