CREATE TABLE "erased_contacts" (
	"contact_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"due_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "erased_contacts_due" ON "erased_contacts" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "erased_contacts_project" ON "erased_contacts" USING btree ("project_id");