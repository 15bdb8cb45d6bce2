CREATE TABLE "form_figures" (
	"form_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"day" date NOT NULL,
	"seen" integer DEFAULT 0 NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"confirmed" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "form_figures_form_id_day_pk" PRIMARY KEY("form_id","day")
);
--> statement-breakpoint
CREATE TABLE "form_sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"form_id" uuid NOT NULL,
	"email" text NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"language" text NOT NULL,
	"text_hash" "bytea" NOT NULL,
	"ip_address" text NOT NULL,
	"user_agent" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "forms" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"open" boolean DEFAULT true NOT NULL,
	"list_id" uuid,
	"topic_ids" uuid[] DEFAULT '{}' NOT NULL,
	"questions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"look" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"thanks_url" text,
	"double_opt_in" boolean DEFAULT true NOT NULL,
	"proof_of_work" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "consent_changes" ADD COLUMN "form_id" uuid;--> statement-breakpoint
ALTER TABLE "form_figures" ADD CONSTRAINT "form_figures_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_sign_ups" ADD CONSTRAINT "form_sign_ups_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_list_id_lists_id_fk" FOREIGN KEY ("list_id") REFERENCES "public"."lists"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "form_sign_ups_email" ON "form_sign_ups" USING btree ("project_id",lower("email"));--> statement-breakpoint
CREATE INDEX "form_sign_ups_form" ON "form_sign_ups" USING btree ("form_id");--> statement-breakpoint
CREATE INDEX "form_sign_ups_created" ON "form_sign_ups" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "forms_project" ON "forms" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "forms_list" ON "forms" USING btree ("list_id");