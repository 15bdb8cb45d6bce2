import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { tookTooLong } from "@/db/time-limit";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { previewSegment } from "@/lib/domain/segment-members/segment-members";
import { createSegment, getSegment, listSegments } from "@/lib/domain/segments/segments";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { inTurn, slowRead } from "./slow-reads";

const database = useTestDatabase();
const everybody = { and: [{ field: "email", op: "contains" as const, value: "@" }] };

test("a project that asks for much that takes long leaves connections to itself and to others", async () => {
  const [busy, other] = [await makeProject(database.db), await makeProject(database.db)];
  for (const { ctx } of [busy, other]) await upsertContact(ctx, { email: "ada@example.com" });
  const previews = (ctx: Context, many: number) =>
    Array.from({ length: many }, () => previewSegment(ctx, everybody));
  const asked = await database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table contacts in access exclusive mode`);
    const waiting = async () =>
      (
        await tx.execute<{ waiting: number }>(sql`
          select count(*)::int as waiting from pg_locks
          where relation = 'contacts'::regclass and not granted`)
      )[0]?.waiting ?? 0;
    const ofBusy = previews(busy.ctx, 3 * env().DATABASE_POOL);
    await until(async () => (await waiting()) > 0, { what: "the first waits for the table" });
    for (const { ctx } of [busy, other]) {
      expect((await listDomains(ctx, { limit: 1 })).data).toHaveLength(1);
    }
    const share = Math.floor(env().DATABASE_POOL / 2 / 2);
    await until(async () => (await waiting()) === share, { what: "its share waits, and no more" });
    const ofOther = previews(other.ctx, 2);
    await until(async () => (await waiting()) > share, { what: "the other project's turn" });
    return [...ofBusy, ...ofOther];
  });
  for (const { count } of await Promise.all(asked)) expect(count).toBe(1);
});

test("a read that takes longer than it may is ended, and gives its place back", async () => {
  const { ctx } = await makeProject(database.db);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => slowRead(ctx, 1, (tx) => tx.execute(sql`select pg_sleep(30)`))),
  );
  const ended = outcomes.map((one) => one.status === "rejected" && tookTooLong(one.reason));
  expect(ended).toEqual([true, true, true, true]);
});

test("a segment is stored and shown, not yet counted, while other questions keep its count waiting", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await upsertContact(ctx, { email: "ada@example.com" });
  const held = Promise.withResolvers<void>();
  const share = Math.floor(env().DATABASE_POOL / 2 / 2);
  const busy = Array.from({ length: share }, () => inTurn(projectId, () => held.promise));
  const segment = await createSegment(ctx, { name: "Everybody", filter: everybody });
  expect(segment).toMatchObject({ name: "Everybody", contactCount: 0, countedAt: null });
  held.resolve();
  await Promise.all(busy);
  expect((await listSegments(ctx, { limit: 10 })).data).toHaveLength(1);
  expect(await getSegment(ctx, segment.id)).toMatchObject({ contactCount: 1 });
});
