DROP INDEX CONCURRENTLY IF EXISTS "suppressions_domain";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "suppressions_domain" ON "suppressions" USING btree ("project_id",lower("email")) WHERE reason = 'domain';
