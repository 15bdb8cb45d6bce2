import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact, upsertRows } from "@/lib/domain/contacts/upsert";
import { getContact } from "@/lib/domain/contacts/contacts";
import type { ContactInput } from "@/lib/domain/contacts/schema";
import { getImport, startImport } from "@/lib/domain/imports/imports";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { takeOverImports } from "./apply-rows";

const database = useTestDatabase();

test("rows are taken over by the statements that stand beside this test", async () => {
  const { ctx } = await makeProject(database.db);
  await upsertContact(ctx, { email: "gone@example.com" });
  await deleteContact(ctx, "gone@example.com");
  const lines = ["email,firstName", "ada@example.com,Ada", "gone@example.com,Gone"];
  const file = Readable.from([Buffer.from(lines.join("\n"))]);
  await startImport(ctx, { file, filename: "people.csv" });
  const text = await recordStatements(database.url, (db) =>
    takeOverImports(db, { signal: AbortSignal.timeout(10_000) }),
  );
  await expect(text).toMatchFileSnapshot("./apply-rows.sql");
});

/** Takes the rows over while somebody else's transaction has made the contact and not committed yet. */
async function importBeside(ctx: Context, csv: string, other: ContactInput) {
  const file = Readable.from([Buffer.from(csv)]);
  const { id } = await startImport(ctx, { file, filename: "people.csv" });
  const taken = await database.db.transaction(async (tx) => {
    await upsertRows(tx, ctx, [other]);
    const run = takeOverImports(database.db, { signal: AbortSignal.timeout(20_000) });
    await until(
      async () => {
        const [row] = await tx.execute<{ waits: boolean }>(
          sql`select exists (select from pg_locks where not granted) as waits`,
        );
        return row?.waits;
      },
      { what: "the import waits for the other transaction" },
    );
    return { run };
  });
  await taken.run;
  return getImport(ctx, id);
}

describe("a contact made since our look", () => {
  const email = "ada@example.com";

  test("is changed like one that was known, its subscription too", async () => {
    const { ctx } = await makeProject(database.db);
    const result = await importBeside(
      ctx,
      `email,firstName,subscribed\n${email},,false\neve@example.com,Eve,true`,
      { email, firstName: "Ada", tags: ["vip"], subscribed: true },
    );
    expect(result).toMatchObject({ status: "COMPLETED", created: 1, updated: 1, refused: 0 });
    expect(await getContact(ctx, email)).toMatchObject({
      firstName: "Ada",
      tags: ["vip"],
      subscribed: false,
    });
    expect(await getContact(ctx, "eve@example.com")).toMatchObject({ subscribed: true });
  });

  test("who unsubscribed meanwhile stays so, and is counted", async () => {
    const { ctx } = await makeProject(database.db);
    const result = await importBeside(ctx, `email,subscribed\n${email},true`, {
      email,
      unsubscribed: true,
    });
    expect(result).toMatchObject({ created: 0, updated: 1, keptUnsubscribed: 1 });
    expect((await getContact(ctx, email)).subscribed).toBe(false);
  });

  test("does not outgrow 64 kB: the row is refused, and a smaller one above it counts", async () => {
    const { ctx } = await makeProject(database.db);
    const big = (length: number) => Array.from({ length }, (_, n) => n.toString(36)).join("");
    const result = await importBeside(
      ctx,
      `email,small,late\n${email},1,\n${email},,${big(12_000)}`,
      { email, data: { early: big(12_000) } },
    );
    expect(result).toMatchObject({ created: 0, updated: 1, refused: 1 });
    const { data } = await getContact(ctx, email);
    expect(Object.keys(data).sort()).toEqual(["early", "small"]);
  });
});
