DROP INDEX "emails_due";--> statement-breakpoint
CREATE INDEX "emails_due" ON "emails" USING btree ("project_id","due_at") WHERE due_at is not null and campaign_id is null;--> statement-breakpoint
ALTER TABLE "emails" DROP COLUMN "priority";--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP COLUMN "status";--> statement-breakpoint
UPDATE "emails" SET "source" = 'LIST' WHERE "source" = 'WORKFLOW';