DROP INDEX "contacts_email_trigram";--> statement-breakpoint
ALTER TABLE "forgotten_addresses" ADD COLUMN "suppressed" text;--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin (("email" || ' ' || "first_name" || ' ' || "last_name") gin_trgm_ops);