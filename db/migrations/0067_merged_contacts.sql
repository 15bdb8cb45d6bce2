CREATE TABLE "merged_contacts" (
	"contact_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"kept_id" uuid NOT NULL,
	"email" text NOT NULL,
	"former_email" text NOT NULL,
	"origin" text NOT NULL,
	"actor_id" uuid,
	"moved_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "merged_contacts" ADD CONSTRAINT "merged_contacts_kept_id_contacts_id_fk" FOREIGN KEY ("kept_id") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "merged_contacts_kept" ON "merged_contacts" USING btree ("kept_id");--> statement-breakpoint
CREATE INDEX "merged_contacts_unmoved" ON "merged_contacts" USING btree ("created_at") WHERE moved_at is null;--> statement-breakpoint
CREATE INDEX "merged_contacts_project" ON "merged_contacts" USING btree ("project_id");