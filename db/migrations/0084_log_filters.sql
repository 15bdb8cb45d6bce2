DROP INDEX CONCURRENTLY IF EXISTS "emails_subject";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "emails_subject" ON "emails" USING btree (hashtextextended("subject", uuid_hash_extended("project_id", 0)),"created_at") WHERE subject is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "messages_subject";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_subject" ON "messages" USING btree (hashtextextended("subject", uuid_hash_extended("project_id", 0)),"created_at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "messages_template";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_template" ON "messages" USING btree ("template_id","created_at") WHERE template_id is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "messages_campaign";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "messages_campaign" ON "messages" USING btree ("project_id","created_at") WHERE campaign_id is not null;
