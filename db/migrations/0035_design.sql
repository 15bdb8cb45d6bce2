ALTER TABLE "campaigns" ADD COLUMN "design" json;--> statement-breakpoint
ALTER TABLE "template_versions" ADD COLUMN "design" json;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "design" json;