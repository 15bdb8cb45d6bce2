CREATE TABLE "relayed_messages" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"header_id" text
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"platform_token_id" uuid,
	"address" text NOT NULL,
	"user_agent" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "captured_emails" ADD COLUMN "reader_user_id" uuid;--> statement-breakpoint
ALTER TABLE "login_tokens" ADD COLUMN "platform_token_id" uuid;--> statement-breakpoint
ALTER TABLE "relayed_messages" ADD CONSTRAINT "relayed_messages_message_id_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_platform_token_id_platform_tokens_id_fk" FOREIGN KEY ("platform_token_id") REFERENCES "public"."platform_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "relayed_messages_header_id" ON "relayed_messages" USING btree ("project_id","header_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_platform_token" ON "sessions" USING btree ("platform_token_id");--> statement-breakpoint
ALTER TABLE "captured_emails" ADD CONSTRAINT "captured_emails_reader_user_id_users_id_fk" FOREIGN KEY ("reader_user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_tokens" ADD CONSTRAINT "login_tokens_platform_token_id_platform_tokens_id_fk" FOREIGN KEY ("platform_token_id") REFERENCES "public"."platform_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "login_tokens_platform_token" ON "login_tokens" USING btree ("platform_token_id");--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "session_epoch";--> statement-breakpoint
-- Mail of the platform itself is now shown to its reader alone; what cannot be told apart goes.
UPDATE "captured_emails" SET "reader_user_id" = "users"."id" FROM "users"
WHERE "captured_emails"."email_id" IS NULL AND lower("users"."email") = lower("captured_emails"."envelope_to");--> statement-breakpoint
DELETE FROM "captured_emails" WHERE "email_id" IS NULL AND "reader_user_id" IS NULL;
