DROP INDEX "emails_log_trouble";--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "trouble" text GENERATED ALWAYS AS (case when status in ('BOUNCED', 'COMPLAINED', 'FAILED') then status end) STORED;--> statement-breakpoint
CREATE INDEX "emails_log_trouble" ON "emails" USING btree ("project_id","trouble","created_at","id") WHERE trouble is not null;