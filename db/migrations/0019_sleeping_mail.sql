ALTER TABLE "campaigns" ADD COLUMN "failed_steps" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "asleep" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- What is due at once, or held by a worker, is left awake.
UPDATE "emails" SET "asleep" = true WHERE "due_at" > app_now() + interval '2 minutes' AND "lease_id" IS NULL;--> statement-breakpoint
CREATE INDEX "emails_awake" ON "emails" USING btree ("project_id","due_at") WHERE due_at is not null and campaign_id is null and not asleep;--> statement-breakpoint
CREATE INDEX "emails_campaign_awake" ON "emails" USING btree ("campaign_id","due_at") WHERE due_at is not null and campaign_id is not null and not asleep;--> statement-breakpoint
CREATE INDEX "emails_asleep" ON "emails" USING btree ("due_at") WHERE due_at is not null and asleep;--> statement-breakpoint
CREATE INDEX "emails_campaign_asleep" ON "emails" USING btree ("campaign_id") WHERE due_at is not null and campaign_id is not null and asleep;--> statement-breakpoint
DROP INDEX "emails_due";--> statement-breakpoint
DROP INDEX "emails_campaign_due";
