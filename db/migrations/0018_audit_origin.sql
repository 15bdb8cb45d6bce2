ALTER TABLE "audit_log" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "user_agent" text;--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("project_id","action","id");--> statement-breakpoint
CREATE INDEX "audit_log_person" ON "audit_log" USING btree ("project_id","actor_id","id") WHERE actor_type = 'user';