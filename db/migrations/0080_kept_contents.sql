ALTER TABLE "messages" ADD COLUMN "content_deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "events_gone_before" timestamp with time zone;