DROP INDEX CONCURRENTLY IF EXISTS "emails_provider";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "emails_provider" ON "emails" USING btree ("project_id","provider_id") WHERE provider_id is not null;
