ALTER TABLE "contact_import_rows" ADD COLUMN "file_line" integer;--> statement-breakpoint
ALTER TABLE "contact_imports" ADD COLUMN "duplicates" integer DEFAULT 0 NOT NULL;