import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getImport, startImport } from "@/lib/domain/imports/imports";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { takeOverImports } from "./apply-rows";

const database = useTestDatabase();

async function start(ctx: Context, rows: number) {
  const lines = Array.from({ length: rows }, (_, index) => `p${index}@example.com`);
  const file = Readable.from([Buffer.from(["email", ...lines].join("\n"))]);
  const { id } = await startImport(ctx, { file });
  return () => getImport(ctx, id);
}

test("a small import does not wait until the large ones of another project have ended", async () => {
  const [busy, other] = [await makeProject(database.db), await makeProject(database.db)];
  const large = [await start(busy.ctx, 10_001), await start(busy.ctx, 10_001)];
  const small = await start(other.ctx, 1);
  const rows = await takeOverImports(database.db, {
    signal: AbortSignal.timeout(60_000),
    turnMilliseconds: 0,
  });
  expect(rows).toBe(20_003);
  const ended = async (get: () => ReturnType<typeof getImport>) => {
    const { status, created, updated, finishedAt } = await get();
    expect(status).toBe("COMPLETED");
    return { taken: created + updated, at: Date.parse(finishedAt ?? "") };
  };
  const [ofBusy, ofOther] = [await Promise.all(large.map(ended)), await ended(small)];
  expect(ofBusy.map(({ taken }) => taken)).toEqual([10_001, 10_001]);
  for (const { at } of ofBusy) expect(ofOther.at).toBeLessThan(at);
}, 60_000);
