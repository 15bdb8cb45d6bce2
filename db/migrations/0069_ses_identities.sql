CREATE TABLE "ses_identities" (
	"id" uuid PRIMARY KEY NOT NULL,
	"connection_id" uuid,
	"region" text NOT NULL,
	"name" text NOT NULL,
	"domain_id" uuid,
	"leaving_since" timestamp with time zone,
	"access_key_id" text,
	"made" boolean,
	"selector" text,
	"answer" jsonb,
	"checks" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"fault" jsonb,
	"checked_at" timestamp with time zone,
	"next_check_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "ses_identities_name" UNIQUE NULLS NOT DISTINCT("connection_id","region","name")
);
--> statement-breakpoint
ALTER TABLE "ses_identities" ADD CONSTRAINT "ses_identities_connection_id_sending_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."sending_connections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ses_identities" ADD CONSTRAINT "ses_identities_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ses_identities_domain" ON "ses_identities" USING btree ("domain_id") WHERE domain_id is not null;--> statement-breakpoint
CREATE INDEX "ses_identities_due" ON "ses_identities" USING btree ("next_check_at");