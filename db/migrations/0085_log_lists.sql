DROP INDEX CONCURRENTLY IF EXISTS "emails_log_lists";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "emails_log_lists" ON "emails" USING btree ("project_id","created_at","id") WHERE source = 'LIST';
