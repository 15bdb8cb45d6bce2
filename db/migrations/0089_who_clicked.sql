DROP INDEX CONCURRENTLY IF EXISTS "link_clicks_link";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "link_clicks_link" ON "link_clicks" USING btree ("link_id");
