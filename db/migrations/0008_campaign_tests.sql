ALTER TABLE "campaigns" ADD COLUMN "test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "hourly_figures" ADD COLUMN "settled" integer DEFAULT 0 NOT NULL;