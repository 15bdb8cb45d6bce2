CREATE TABLE "sending_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"settings" jsonb NOT NULL,
	"secret_sealed" text NOT NULL,
	"standard" boolean DEFAULT false NOT NULL,
	"fallback_id" uuid,
	"held_since" timestamp with time zone,
	"held_fault" text,
	"held_words" text,
	"probe_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	"throttling" jsonb,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "connection_id" uuid;--> statement-breakpoint
ALTER TABLE "sending_connections" ADD CONSTRAINT "sending_connections_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sending_connections_name" ON "sending_connections" USING btree ("project_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "sending_connections_standard" ON "sending_connections" USING btree ("project_id") WHERE standard;--> statement-breakpoint
CREATE INDEX "sending_connections_held" ON "sending_connections" USING btree ("probe_at") WHERE held_since is not null;