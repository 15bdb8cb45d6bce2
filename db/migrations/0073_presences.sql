CREATE TABLE "presences" (
	"project_id" uuid NOT NULL,
	"thing_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"tab" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "presences_thing_id_user_id_tab_pk" PRIMARY KEY("thing_id","user_id","tab")
);
--> statement-breakpoint
ALTER TABLE "presences" ADD CONSTRAINT "presences_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presences" ADD CONSTRAINT "presences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "presences_age" ON "presences" USING btree ("seen_at");