CREATE TABLE "dmarc_rows" (
	"report_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"source_address" text NOT NULL,
	"messages" bigint NOT NULL,
	"disposition" text NOT NULL,
	"dkim" text NOT NULL,
	"spf" text NOT NULL,
	"header_from" text NOT NULL,
	"dkim_results" jsonb NOT NULL,
	"spf_results" jsonb NOT NULL,
	CONSTRAINT "dmarc_rows_report_id_position_pk" PRIMARY KEY("report_id","position")
);
--> statement-breakpoint
CREATE TABLE "domain_reports" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reporter" text NOT NULL,
	"organization" text NOT NULL,
	"report_id" text NOT NULL,
	"begins_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"policy" text,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tls_report_rows" (
	"report_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"policy_type" text NOT NULL,
	"sessions" bigint NOT NULL,
	"failure" text,
	"receiving_host" text,
	CONSTRAINT "tls_report_rows_report_id_position_pk" PRIMARY KEY("report_id","position")
);
--> statement-breakpoint
ALTER TABLE "dmarc_rows" ADD CONSTRAINT "dmarc_rows_report_id_domain_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."domain_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_reports" ADD CONSTRAINT "domain_reports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_reports" ADD CONSTRAINT "domain_reports_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tls_report_rows" ADD CONSTRAINT "tls_report_rows_report_id_domain_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."domain_reports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domain_reports_once" ON "domain_reports" USING btree ("domain_id","kind","reporter","report_id");--> statement-breakpoint
CREATE INDEX "domain_reports_project" ON "domain_reports" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "domain_reports_period" ON "domain_reports" USING btree ("domain_id","kind","begins_at");--> statement-breakpoint
CREATE INDEX "domain_reports_age" ON "domain_reports" USING btree ("created_at");