ALTER TABLE "sending_connections" ADD COLUMN "webhook_secret_sealed" text;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "provider_id" text;