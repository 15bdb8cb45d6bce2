CREATE INDEX "campaigns_name" ON "campaigns" USING btree ("project_id",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "templates_name" ON "templates" USING btree ("project_id",lower("name"),"id");--> statement-breakpoint
CREATE INDEX "templates_changed" ON "templates" USING btree ("project_id","updated_at","id");