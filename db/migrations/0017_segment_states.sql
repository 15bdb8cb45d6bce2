ALTER TABLE "segments" ADD COLUMN "excluded" jsonb DEFAULT '{"never_subscribed":0,"unsubscribed":0,"hard_bounce":0,"complaint":0,"manual":0}'::jsonb NOT NULL;--> statement-breakpoint
-- What was counted before knows no reasons: it is counted anew when somebody looks.
UPDATE "segments" SET "counted_at" = NULL;
