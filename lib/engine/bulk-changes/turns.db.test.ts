import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getBulkChange } from "@/lib/domain/contact-fields/bulk-change-rows";
import { startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import { bulkChangeInput } from "@/lib/domain/contact-fields/schema";
import type { Context } from "@/lib/ground/context";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { runBulkChanges } from "./run";

const database = useTestDatabase();

async function start({ ctx, projectId }: { ctx: Context; projectId: string }, contacts: number) {
  await database.db.execute(sql`
    insert into contacts (id, project_id, email, consent, tags, data)
    select new_id(${projectId}::uuid), ${projectId}::uuid, 'p' || n || '@example.com', 'subscribed', '{}', '{}'
    from generate_series(1, ${contacts}::int) n`);
  const input = validate(bulkChangeInput, { action: "tag", name: "vip", filter: {} });
  const { id } = await startBulkChange(ctx, input);
  return () => getBulkChange(ctx, id);
}

test("a small change does not wait until the large one of another project has ended", async () => {
  const [busy, other] = [await makeProject(database.db), await makeProject(database.db)];
  const large = await start(busy, 4_001);
  const small = await start(other, 1);
  expect(await runBulkChanges(database.db, AbortSignal.timeout(60_000), 0)).toBe(4_002);
  const [ofBusy, ofOther] = [await large(), await small()];
  expect(ofBusy).toMatchObject({ status: "COMPLETED", changed: 4_001 });
  expect(ofOther).toMatchObject({ status: "COMPLETED", changed: 1 });
  expect(Date.parse(ofOther.finishedAt ?? "")).toBeLessThan(Date.parse(ofBusy.finishedAt ?? ""));
}, 60_000);
