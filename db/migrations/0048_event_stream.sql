CREATE TABLE "event_clock" (
	"cluster" text PRIMARY KEY NOT NULL,
	"shift" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_marks" (
	"at" timestamp with time zone PRIMARY KEY DEFAULT app_now() NOT NULL,
	"position" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_events" (
	"project_id" uuid NOT NULL,
	"position" bigint DEFAULT (pg_current_xact_id()::text)::bigint NOT NULL,
	"id" uuid NOT NULL,
	"event" text NOT NULL,
	"subject_id" uuid,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "project_events_project_id_position_id_pk" PRIMARY KEY("project_id","position","id")
);
--> statement-breakpoint
ALTER TABLE "email_events" DROP CONSTRAINT "email_events_id_created_at_pk";--> statement-breakpoint
-- The default comes second: with it, the column would be written into every row that is there.
ALTER TABLE "email_events" ADD COLUMN "position" bigint;--> statement-breakpoint
ALTER TABLE "email_events" ALTER COLUMN "position" SET DEFAULT (pg_current_xact_id()::text)::bigint;--> statement-breakpoint
CREATE INDEX "project_events_subject" ON "project_events" USING btree ("subject_id") WHERE subject_id is not null;--> statement-breakpoint
-- On the parent alone: db/event-stream.ts makes those of the partitions, one at a time, while mail goes on.
CREATE INDEX "email_events_stream" ON ONLY "email_events" USING btree ("project_id","position") WHERE position is not null;--> statement-breakpoint
-- Without a primary key, whoever replicates the table needs this to take over its updates.
DO $$
DECLARE
  partition_name regclass;
BEGIN
  FOR partition_name IN SELECT relid FROM pg_partition_tree('email_events') LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY FULL', partition_name);
  END LOOP;
END $$;
--> statement-breakpoint
-- As it was, with the replica identity of new partitions.
CREATE OR REPLACE FUNCTION ensure_event_partitions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month_start date;
  partition_name text;
BEGIN
  PERFORM pg_advisory_xact_lock(7243001);
  FOR step IN 0..2 LOOP
    month_start := (date_trunc('month', app_now() AT TIME ZONE 'UTC') + make_interval(months => step))::date;
    partition_name := format('email_events_%s', to_char(month_start, 'YYYYMM'));
    CONTINUE WHEN to_regclass(partition_name) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE email_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition_name);
    EXECUTE format('ALTER TABLE %I REPLICA IDENTITY FULL', partition_name);
    EXECUTE format(
      'WITH moved AS (DELETE FROM email_events_default WHERE created_at >= %L AND created_at < %L RETURNING *)
       INSERT INTO %I SELECT * FROM moved',
      month_start::text || ' 00:00:00+00', (month_start + interval '1 month')::date::text || ' 00:00:00+00', partition_name);
    EXECUTE format(
      'ALTER TABLE email_events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
      partition_name, month_start::text || ' 00:00:00+00', (month_start + interval '1 month')::date::text || ' 00:00:00+00');
  END LOOP;
END $$;
