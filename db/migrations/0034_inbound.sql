CREATE TABLE "inbound_emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"envelope_from" text NOT NULL,
	"recipients" text[] NOT NULL,
	"from_email" text NOT NULL,
	"from_name" text NOT NULL,
	"subject" text NOT NULL,
	"header_id" text,
	"in_reply_to" text,
	"reference_ids" text[] NOT NULL,
	"email_id" uuid,
	"contact_id" uuid,
	"automatic" boolean NOT NULL,
	"checks" jsonb NOT NULL,
	"text" text NOT NULL,
	"html" text,
	"attachments" jsonb NOT NULL,
	"route_patterns" text[] NOT NULL,
	"unrouted" boolean NOT NULL,
	"size" integer NOT NULL,
	"raw" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbound_replies" (
	"inbound_id" uuid NOT NULL,
	"email_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "inbound_replies_inbound_id_email_id_pk" PRIMARY KEY("inbound_id","email_id")
);
--> statement-breakpoint
CREATE TABLE "inbound_routes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"pattern" text NOT NULL,
	"webhook_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "inbound" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "inbound_emails" ADD CONSTRAINT "inbound_emails_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_replies" ADD CONSTRAINT "inbound_replies_inbound_id_inbound_emails_id_fk" FOREIGN KEY ("inbound_id") REFERENCES "public"."inbound_emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_routes" ADD CONSTRAINT "inbound_routes_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbound_routes" ADD CONSTRAINT "inbound_routes_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inbound_emails_project" ON "inbound_emails" USING btree ("project_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_emails_fingerprint" ON "inbound_emails" USING btree ("project_id","fingerprint");--> statement-breakpoint
CREATE INDEX "inbound_emails_sender" ON "inbound_emails" USING btree ("project_id",lower("from_email"));--> statement-breakpoint
CREATE INDEX "inbound_emails_contact" ON "inbound_emails" USING btree ("contact_id") WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX "inbound_emails_email" ON "inbound_emails" USING btree ("email_id") WHERE email_id is not null;--> statement-breakpoint
CREATE INDEX "inbound_emails_header_id" ON "inbound_emails" USING btree ("project_id","header_id");--> statement-breakpoint
CREATE INDEX "inbound_emails_age" ON "inbound_emails" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "inbound_routes_pattern" ON "inbound_routes" USING btree ("project_id","pattern");--> statement-breakpoint
CREATE INDEX "inbound_routes_webhook" ON "inbound_routes" USING btree ("webhook_id");