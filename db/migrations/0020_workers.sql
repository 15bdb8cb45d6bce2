CREATE TABLE "workers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"beat_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"mail_server" jsonb
);
