CREATE TABLE "email_queue" (
	"email_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"campaign_id" uuid,
	"place" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"due_at" timestamp with time zone,
	"asleep" boolean DEFAULT false NOT NULL,
	"warmup_rank" real,
	"lease_id" uuid,
	"lease_until" timestamp with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"unfinished_claims" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "email_queue_projects" ON "email_queue" USING btree ("project_id","place","email_id") WHERE campaign_id is null and not asleep and warmup_rank is null;--> statement-breakpoint
CREATE INDEX "email_queue_campaigns" ON "email_queue" USING btree ("campaign_id","place","email_id") WHERE campaign_id is not null and not asleep and warmup_rank is null;--> statement-breakpoint
CREATE INDEX "email_queue_places" ON "email_queue" USING btree ("place") WHERE not asleep and warmup_rank is null and place > '0'::xid8;--> statement-breakpoint
CREATE INDEX "email_queue_asleep" ON "email_queue" USING btree ("due_at") WHERE asleep;--> statement-breakpoint
CREATE INDEX "email_queue_campaign_asleep" ON "email_queue" USING btree ("campaign_id","due_at") WHERE campaign_id is not null and asleep;--> statement-breakpoint
CREATE INDEX "email_queue_warming" ON "email_queue" USING btree ("campaign_id","warmup_rank","email_id") WHERE warmup_rank is not null;--> statement-breakpoint
CREATE INDEX "email_queue_unfinished" ON "email_queue" USING btree ("email_id") WHERE unfinished_claims > 0;--> statement-breakpoint
-- Half of each page stays free for the claim's update; dead rows are taken away while they are few.
ALTER TABLE "email_queue" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.2, vacuum_truncate = false);--> statement-breakpoint
-- Room for the update that settles an email, on pages that are written from now on.
ALTER TABLE "emails" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);--> statement-breakpoint
-- Programs of versions before know emails as their queue. What they write there becomes a row of the new one,
-- and what waited before is moved by the same means (db/move-queued-mail.ts).
CREATE FUNCTION emails_to_queue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.due_at IS NULL AND NEW.warmup_rank IS NULL THEN
    DELETE FROM email_queue WHERE email_id = NEW.id;
    RETURN NEW;
  END IF;
  INSERT INTO email_queue (email_id, project_id, campaign_id, due_at, asleep, warmup_rank, lease_id, lease_until, attempts, unfinished_claims)
  VALUES (NEW.id, NEW.project_id, NEW.campaign_id, NEW.due_at, NEW.asleep, NEW.warmup_rank, NEW.lease_id,
    CASE WHEN NEW.lease_id IS NOT NULL THEN NEW.due_at END, NEW.attempts, NEW.unfinished_claims)
  ON CONFLICT (email_id) DO UPDATE SET place = pg_current_xact_id(), due_at = excluded.due_at, asleep = excluded.asleep,
    warmup_rank = excluded.warmup_rank, lease_id = excluded.lease_id, lease_until = excluded.lease_until,
    attempts = excluded.attempts, unfinished_claims = excluded.unfinished_claims;
  NEW.due_at := NULL;
  NEW.warmup_rank := NULL;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER emails_to_queue_inserted BEFORE INSERT ON "emails" FOR EACH ROW
  WHEN (NEW.due_at IS NOT NULL OR NEW.warmup_rank IS NOT NULL) EXECUTE FUNCTION emails_to_queue();--> statement-breakpoint
CREATE TRIGGER emails_to_queue_updated BEFORE UPDATE OF due_at, warmup_rank ON "emails" FOR EACH ROW EXECUTE FUNCTION emails_to_queue();
