CREATE TABLE "deleted_rows" (
	"project_id" uuid NOT NULL,
	"thing_id" uuid NOT NULL,
	"table_name" text NOT NULL,
	"place" integer NOT NULL,
	"row" json NOT NULL,
	"deleted_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "deleted_rows_thing_id_table_name_place_pk" PRIMARY KEY("thing_id","table_name","place")
);
--> statement-breakpoint
ALTER TABLE "deleted_rows" ADD CONSTRAINT "deleted_rows_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_rows_project" ON "deleted_rows" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "deleted_rows_age" ON "deleted_rows" USING btree ("deleted_at");