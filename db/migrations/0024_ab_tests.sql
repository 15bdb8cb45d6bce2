ALTER TABLE "campaigns" ADD COLUMN "ab_test" jsonb;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "variant_message_ids" uuid[];--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "tested" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "winner_due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "winner" smallint;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "winner_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "winner_decision" jsonb;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "released_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "variant" smallint;