ALTER TABLE "suppressions" ADD COLUMN "response" text;--> statement-breakpoint
ALTER TABLE "suppressions" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "suppressions" ADD COLUMN "origin" text;--> statement-breakpoint
ALTER TABLE "suppressions" ADD COLUMN "actor_id" uuid;