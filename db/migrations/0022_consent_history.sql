CREATE TABLE "consent_changes" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"contact_id" uuid NOT NULL,
	"list_id" uuid,
	"before" text,
	"after" text NOT NULL,
	"origin" text NOT NULL,
	"actor_id" uuid,
	"email_id" uuid,
	"import_id" uuid,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	CONSTRAINT "consent_changes_project_id_contact_id_id_pk" PRIMARY KEY("project_id","contact_id","id")
);
