import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { contactImports } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { startImport } from "./imports";

const database = useTestDatabase();

const start = (ctx: Context, name: string) =>
  startImport(ctx, { file: Readable.from([Buffer.from(`email\n${name}@example.com\n`)]) });

test("a small file is taken beside ten of another project", async () => {
  const [busy, other] = [await makeProject(database.db), await makeProject(database.db)];
  let taken = 0;
  const asked = await database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table contact_import_rows in access exclusive mode`);
    const copying = async () =>
      (
        await tx.execute<{ waiting: number }>(sql`
          select count(*)::int as waiting from pg_locks
          where relation = 'contact_import_rows'::regclass and not granted`)
      )[0]?.waiting ?? 0;
    const ofBusy = Array.from({ length: 10 }, (_, index) =>
      start(busy.ctx, `p${index}`).then(() => taken++),
    );
    const underWay = () => tx.$count(contactImports, eq(contactImports.status, "STAGING"));
    await until(async () => (await underWay()) === 10, { what: "all ten have arrived" });
    await until(async () => (await copying()) > 0, { what: "one of them is copied" });
    const ofOther = start(other.ctx, "ada").then(() => taken);
    await until(async () => (await copying()) === 2, { what: "the other's is copied beside it" });
    return { ofBusy, ofOther };
  });
  expect(await asked.ofOther).toBeLessThan(4);
  await Promise.all(asked.ofBusy);
  expect(taken).toBe(10);
});
