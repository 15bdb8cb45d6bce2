CREATE TABLE "project_move_changes" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_move_changes_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"table_name" text NOT NULL,
	"unit" text[] NOT NULL,
	"transaction" "xid8" DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_moves" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"move_id" uuid NOT NULL,
	"state" text NOT NULL,
	"target" text DEFAULT '' NOT NULL,
	"url" text DEFAULT '' NOT NULL,
	"files_shared" boolean DEFAULT false NOT NULL,
	"progress" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT app_now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT app_now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "project_move_changes_table" ON "project_move_changes" USING btree ("project_id","table_name");