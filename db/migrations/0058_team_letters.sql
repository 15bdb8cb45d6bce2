CREATE TABLE "team_letters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text,
	"data" jsonb NOT NULL,
	"due_at" timestamp with time zone DEFAULT app_now(),
	"attempts" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "letters" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "team_letters" ADD CONSTRAINT "team_letters_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "team_letters_key" ON "team_letters" USING btree ("project_id","kind","key");--> statement-breakpoint
CREATE INDEX "team_letters_due" ON "team_letters" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "team_letters_created" ON "team_letters" USING btree ("created_at");