DROP INDEX CONCURRENTLY IF EXISTS "contacts_consent";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_consent" ON "contacts" USING btree ("project_id","consent","id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "contacts_paused";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "contacts_paused" ON "contacts" USING btree ("project_id","paused_until") WHERE paused_until is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "suppressions_reason";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "suppressions_reason" ON "suppressions" USING btree ("project_id","reason","id");
