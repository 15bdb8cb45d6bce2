import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import * as schema from "@/db/schema";
import { blockingStatements, largeTables, smallTables } from "./migration-locks";

test("it is known of every table whether it may be large", () => {
  const tables = Object.values(schema).flatMap((one: unknown) =>
    is(one, PgTable) ? [getTableName(one)] : [],
  );
  expect([...largeTables, ...smallTables].toSorted()).toEqual(tables.toSorted());
});

test.each([
  [`ALTER TABLE "emails" ALTER COLUMN "attempts" TYPE bigint;`, "changing-column-type"],
  [`CREATE INDEX "x" ON "emails" ("status");`, "require-concurrent-index-creation"],
  [`DROP INDEX "emails_log";`, "require-concurrent-index-deletion"],
  [
    `ALTER TABLE "contacts" ADD COLUMN "a" text DEFAULT random()::text;`,
    "adding-field-with-default",
  ],
  [
    `ALTER TABLE "emails" ADD COLUMN "trouble" text GENERATED ALWAYS AS (status) STORED;`,
    "adding-field-with-default",
  ],
  [`ALTER TABLE "emails" ADD CONSTRAINT "c" CHECK (attempts > 0);`, "constraint-missing-not-valid"],
  [
    `ALTER TABLE "links" ADD CONSTRAINT "f" FOREIGN KEY ("project_id") REFERENCES "projects"("id");`,
    "adding-foreign-key-constraint",
  ],
  [`ALTER TABLE "emails" ALTER COLUMN "recipient" SET NOT NULL;`, "adding-not-nullable-field"],
  [`ALTER TABLE "emails" ADD COLUMN "b" text NOT NULL;`, "adding-required-field"],
  [`ALTER TABLE "emails" ADD UNIQUE ("id", "status");`, "disallowed-unique-constraint"],
  [`ALTER TABLE "emails" RENAME COLUMN "asleep" TO "dozing";`, "renaming-column"],
  [`REINDEX TABLE "emails";`, "require-concurrent-reindex"],
  [`VACUUM FULL "emails";`, "VACUUM FULL"],
  [`CLUSTER "emails" USING "emails_log";`, "CLUSTER"],
  [`LOCK TABLE emails;`, "LOCK"],
  [`TRUNCATE "email_events";`, "TRUNCATE"],
  [`ALTER TABLE "emails" SET LOGGED;`, "SET LOGGED"],
  [`UPDATE "emails" SET status = 'SENT';`, "rows of a large table"],
  [`WITH x AS (SELECT 1) DELETE FROM contacts;`, "rows of a large table"],
  [`CREATE INDEX CONCURRENTLY "x" ON "emails" ("status");`, "prefer-robust-stmts"],
])("a migration is refused for: %s", (statement, reason) => {
  const text = `CREATE TABLE "new" ("id" uuid PRIMARY KEY NOT NULL);--> statement-breakpoint\n${statement}`;
  const blocking = blockingStatements(text);
  expect(blocking.join("\n")).toContain(`line 2: ${reason}`);
});

test.each([
  [
    `CREATE TABLE "new" ("id" uuid PRIMARY KEY NOT NULL, "n" integer);--> statement-breakpoint
CREATE INDEX "new_n" ON "new" USING btree ("n");`,
  ],
  [`ALTER TABLE "emails" ADD COLUMN "variant" smallint;`],
  [`ALTER TABLE "emails" ADD COLUMN "opens" integer DEFAULT 0 NOT NULL;`],
  [`ALTER TABLE "emails" DROP COLUMN "asleep";`],
  [`ALTER TABLE "emails" ADD CONSTRAINT "c" CHECK (attempts > 0) NOT VALID;`],
  [
    `DROP INDEX CONCURRENTLY IF EXISTS "x";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "x" ON "emails" ("status");`,
  ],
  [`ALTER TABLE "job_runs" ALTER COLUMN "runs" TYPE integer;`],
  [
    `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM email_queue WHERE email_id = NEW.id;
  RETURN NEW;
END $$;`,
  ],
])("a migration is fine with: %s", (text) => {
  expect(blockingStatements(text)).toEqual([]);
});
