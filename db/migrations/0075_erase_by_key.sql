DROP INDEX CONCURRENTLY IF EXISTS "captured_emails_recipient";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "captured_emails_recipient" ON "captured_emails" USING btree ("project_id",lower("envelope_to")) WHERE email_id is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "person_requests_previous";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "person_requests_previous" ON "person_requests" USING btree ("project_id",lower("previous_email")) WHERE previous_email is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "contact_import_rows_email";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contact_import_rows_email" ON "contact_import_rows" USING btree ("import_id",lower("email"));