DROP INDEX CONCURRENTLY IF EXISTS "messages_test";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_test" ON "messages" USING btree ("project_id","id") WHERE test;
