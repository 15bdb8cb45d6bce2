CREATE TABLE "export_progress" (
	"user_id" uuid NOT NULL,
	"id" text NOT NULL,
	"run" uuid NOT NULL,
	"state" text NOT NULL,
	"rows" bigint,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"failure_reason" text,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "export_progress_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "export_progress" ADD CONSTRAINT "export_progress_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "export_progress_age" ON "export_progress" USING btree ("updated_at");