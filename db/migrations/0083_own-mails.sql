ALTER TABLE "forms" ADD COLUMN "confirmation_template_id" uuid;--> statement-breakpoint
ALTER TABLE "lists" ADD COLUMN "confirmation_template_id" uuid;--> statement-breakpoint
ALTER TABLE "lists" ADD COLUMN "welcome_template_id" uuid;