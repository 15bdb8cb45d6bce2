CREATE TABLE "tracking_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "tracking_host" text;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "tracking_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tracking_hosts" ADD CONSTRAINT "tracking_hosts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_tracking_host" ON "domains" USING btree ("tracking_host") WHERE tracking_since is not null;