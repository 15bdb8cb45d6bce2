CREATE TABLE "receiving_domains" (
	"name" text PRIMARY KEY NOT NULL,
	"receiver" text NOT NULL,
	"looked_up_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "warmup_receiver_hours" (
	"domain_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"receiver" text NOT NULL,
	"slot" smallint NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"bounced" integer DEFAULT 0 NOT NULL,
	"complained" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "warmup_receiver_hours_domain_id_hour_receiver_slot_pk" PRIMARY KEY("domain_id","hour","receiver","slot")
);
--> statement-breakpoint
CREATE TABLE "warmup_receivers" (
	"domain_id" uuid NOT NULL,
	"receiver" text NOT NULL,
	"usual" integer NOT NULL,
	"slowed" smallint NOT NULL,
	"reason" text NOT NULL,
	"message" text NOT NULL,
	"slowed_at" timestamp with time zone NOT NULL,
	"rolled_on" date NOT NULL,
	CONSTRAINT "warmup_receivers_domain_id_receiver_pk" PRIMARY KEY("domain_id","receiver")
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "receivers_read_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "warmup_receivers" ADD CONSTRAINT "warmup_receivers_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "warmup_receiver_hours_hour" ON "warmup_receiver_hours" USING btree ("hour");