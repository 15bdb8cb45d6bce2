import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { startImport } from "@/lib/domain/imports/imports";
import { makeProject } from "@/lib/testing";
import { takeOverImports } from "./take-over";

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
  await expect(text).toMatchFileSnapshot("./take-over.sql");
});
