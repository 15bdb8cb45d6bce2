CREATE TABLE "bulk_change_chunks" (
	"change_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"contact_ids" uuid[] NOT NULL,
	"changed_ids" uuid[],
	CONSTRAINT "bulk_change_chunks_change_id_position_pk" PRIMARY KEY("change_id","position")
);
--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "list_id" uuid;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "refused" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "chunks_done" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "started_by" jsonb;--> statement-breakpoint
ALTER TABLE "bulk_changes" ADD COLUMN "undone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "list_id" uuid;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "joined" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "not_joined" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "test_mode" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "bulk_change_chunks" ADD CONSTRAINT "bulk_change_chunks_change_id_bulk_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."bulk_changes"("id") ON DELETE cascade ON UPDATE no action;