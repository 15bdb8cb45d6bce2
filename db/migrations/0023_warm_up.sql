CREATE TABLE "warmup_days" (
	"domain_id" uuid NOT NULL,
	"day" date NOT NULL,
	"cap" integer,
	"slowed" text,
	CONSTRAINT "warmup_days_domain_id_day_pk" PRIMARY KEY("domain_id","day")
);
--> statement-breakpoint
CREATE TABLE "warmup_hours" (
	"domain_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"slot" smallint NOT NULL,
	"transactional" integer DEFAULT 0 NOT NULL,
	"campaigns" integer DEFAULT 0 NOT NULL,
	"bounced" integer DEFAULT 0 NOT NULL,
	"complained" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "warmup_hours_domain_id_hour_slot_pk" PRIMARY KEY("domain_id","hour","slot")
);
--> statement-breakpoint
CREATE TABLE "warmups" (
	"domain_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	"schedule" integer[] NOT NULL,
	"started_on" date NOT NULL,
	"lag" smallint DEFAULT 0 NOT NULL,
	"slowed" smallint DEFAULT 0 NOT NULL,
	"slowed_reason" text,
	"slowed_message" text,
	"slowed_at" timestamp with time zone,
	"rolled_on" date NOT NULL,
	"enabled_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "guard" jsonb;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "guard_start" jsonb;--> statement-breakpoint
ALTER TABLE "emails" ADD COLUMN "warmup_rank" real;--> statement-breakpoint
ALTER TABLE "warmup_days" ADD CONSTRAINT "warmup_days_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "warmups" ADD CONSTRAINT "warmups_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "emails_warming" ON "emails" USING btree ("campaign_id","warmup_rank","id") WHERE warmup_rank is not null;