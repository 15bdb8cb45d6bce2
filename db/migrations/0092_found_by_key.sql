DROP INDEX CONCURRENTLY IF EXISTS "emails_strangers";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "emails_strangers" ON "emails" USING btree (uuid_hash_extended("project_id", 0),(case when "contact_id" is null then lower("recipient") end)) WHERE (case when contact_id is null then lower(recipient) end) is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "contacts_weekly";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_weekly" ON "contacts" USING btree ("project_id") WHERE weekly;
