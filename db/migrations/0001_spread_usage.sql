DROP INDEX "emails_log_status";--> statement-breakpoint
DROP INDEX "emails_message";--> statement-breakpoint
ALTER TABLE "monthly_usage" DROP CONSTRAINT "monthly_usage_project_id_month_pk";--> statement-breakpoint
ALTER TABLE "monthly_usage" ADD COLUMN "slot" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "monthly_usage" ADD CONSTRAINT "monthly_usage_project_id_month_slot_pk" PRIMARY KEY("project_id","month","slot");--> statement-breakpoint
CREATE INDEX "emails_log_trouble" ON "emails" USING btree ("project_id","status","created_at","id") WHERE status in ('BOUNCED', 'COMPLAINED', 'FAILED');
--> statement-breakpoint
-- A month's emails of a project outside slot 0: counted while it had no limit.
CREATE FUNCTION spread_usage(project uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(emails), 0)::bigint FROM monthly_usage
  WHERE project_id = project AND slot <> 0
    AND month = date_trunc('month', app_now() AT TIME ZONE 'UTC')::date
$$;
