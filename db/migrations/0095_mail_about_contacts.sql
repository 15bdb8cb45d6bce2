CREATE TABLE "mail_about_contacts" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_about_contacts" ADD CONSTRAINT "mail_about_contacts_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_about_contacts_contact" ON "mail_about_contacts" USING btree ("contact_id");--> statement-breakpoint
CREATE INDEX "mail_about_contacts_project" ON "mail_about_contacts" USING btree ("project_id");