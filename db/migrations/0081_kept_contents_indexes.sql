DROP INDEX CONCURRENTLY IF EXISTS "messages_contents";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_contents" ON "messages" USING btree ("project_id","created_at") WHERE campaign_id is null and content_deleted_at is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "links_age";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "links_age" ON "links" USING btree ("project_id","created_at") WHERE campaign_id is null;
