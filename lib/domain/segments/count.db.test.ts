import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { suppressions } from "@/db/schema";
import { estimateAudience } from "@/lib/domain/campaigns/audience";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContacts } from "@/lib/domain/contacts/upsert";
import { previewSegment } from "@/lib/domain/segment-members/segment-members";
import type { Context } from "@/lib/ground/context";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { countDueSegments } from "./count";
import type { SegmentFilter } from "./schema";
import { createSegment, getSegment, listSegments } from "./segments";

const database = useTestDatabase();
const pro: SegmentFilter = { and: [{ field: "data.plan", op: "eq", value: "pro" }] };
const make = (ctx: Context) => createSegment(ctx, { name: "Pro", filter: pro });

let createdSoFar = 0;
async function people(
  ctx: Context,
  count: number,
  data: Record<string, unknown>,
): Promise<string[]> {
  const contacts = Array.from({ length: count }, () => ({
    email: `c${++createdSoFar}@example.com`,
    data,
  }));
  return (await upsertContacts(ctx, contacts)).data.map(({ id }) => id);
}

describe("counts", () => {
  test("of a project with many segments that are due do not keep another's waiting", async () => {
    const [many, other] = [await makeProject(database.db), await makeProject(database.db)];
    for (const { ctx } of [many, many, many, many, other]) await make(ctx);
    await database.db.execute(sql`
      update segments set counted_at = null, count_due_at = app_now() - make_interval(secs =>
        case when project_id = ${many.projectId} then 3600 else 1 end)
      where project_id in (${many.projectId}, ${other.projectId})`);
    await countDueSegments(database.db, AbortSignal.timeout(60_000));
    const counted = await database.db.execute<{ project_id: string }>(sql`
      select project_id from segments where project_id in (${many.projectId}, ${other.projectId})
      order by counted_at`);
    const order = counted.map(({ project_id }) =>
      project_id === other.projectId ? "other" : "many",
    );
    expect(order.slice(0, 2)).toContain("other");
    expect(order).toHaveLength(5);
  });

  test("say how many of the members campaigns skip, each under one reason", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const otherProject = await makeProject(database.db);
    await upsertContacts(ctx, [
      ...["a", "b", "c"].map((name) => ({ email: `${name}@example.com`, data: { plan: "pro" } })),
      { email: "Bounced@example.com", data: { plan: "pro" } },
      { email: "both@example.com", data: { plan: "pro" }, unsubscribed: true },
      { email: "left@example.com", data: { plan: "pro" }, unsubscribed: true },
      { email: "free@example.com", data: { plan: "free" } },
    ]);
    await database.db.insert(suppressions).values([
      { id: newId(projectId), projectId, email: "bounced@example.com", reason: "hard_bounce" },
      { id: newId(projectId), projectId, email: "both@example.com", reason: "complaint" },
      { id: newId(projectId), projectId, email: "free@example.com", reason: "manual" },
      { id: newId(projectId), projectId, email: "nobody@example.com", reason: "manual" },
      {
        id: newId(otherProject.projectId),
        projectId: otherProject.projectId,
        email: "a@example.com",
        reason: "manual",
      },
    ]);
    const excluded = {
      ...{ never_subscribed: 0, unsubscribed: 1, paused: 0 },
      ...{ hard_bounce: 1, complaint: 1, manual: 0, domain: 0 },
    };
    const counts = { reachableCount: 3, excluded };
    const segment = await make(ctx);
    expect(segment).toMatchObject({ contactCount: 6, ...counts });
    expect(await getSegment(ctx, segment.id)).toMatchObject({ contactCount: 6, ...counts });
    expect(await previewSegment(ctx, pro)).toMatchObject({ count: 6, ...counts });
    expect(await estimateAudience(ctx, { segmentId: segment.id })).toEqual({
      ...{ count: 3, total: 6 },
      excluded: { ...excluded, left_topic: 0, less_often: 0 },
    });
  });

  test("are never shown more than 60 seconds old, however often they are asked for", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await make(ctx);
    const [first] = await people(ctx, 4, { plan: "pro" });
    await database.travel("60 seconds");
    expect((await getSegment(ctx, id)).contactCount).toBe(4);
    await deleteContact(ctx, first ?? "");
    await database.travel("60 seconds");
    expect((await listSegments(ctx, { limit: 5 })).data[0]?.contactCount).toBe(3);
  });

  test("a cheap one is taken anew after seconds, and 20 who ask at once share one", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await make(ctx);
    await people(ctx, 4, { plan: "pro" });
    await database.travel("5 seconds");
    const seen = await Promise.all(Array.from({ length: 20 }, () => getSegment(ctx, id)));
    expect(seen.map(({ contactCount }) => contactCount)).toEqual(Array(20).fill(4));
    expect(new Set(seen.map(({ countedAt }) => countedAt)).size).toBe(1);
  });

  test("many workers count each due segment once, and what nobody looks at not again", async () => {
    const { ctx } = await makeProject(database.db);
    const ids = [];
    for (let index = 0; index < 12; index++) ids.push((await make(ctx)).id);
    await people(ctx, 2, { plan: "pro" });
    await database.travel("46 seconds");
    const signal = new AbortController().signal;
    const work = async () => {
      const counted = await Promise.all(
        Array.from({ length: 6 }, () => countDueSegments(database.db, signal)),
      );
      return counted.reduce((sum, one) => sum + one, 0);
    };
    const due = async () =>
      (
        await database.db.execute(sql`
          select from segments where count_due_at <= app_now()`)
      ).length;
    const waiting = await due();
    expect(waiting).toBeGreaterThanOrEqual(12);
    expect(await work()).toBe(waiting);
    expect(await work()).toBe(0);
    const rows = await database.db.execute<{ contact_count: number }>(sql`
      select contact_count from segments where project_id = ${ctx.projectId}`);
    expect(rows.map((row) => row.contact_count)).toEqual(Array(12).fill(2));
    // Watched for a quarter of an hour, then left alone until somebody looks.
    await database.travel("16 minutes");
    await work();
    expect(await due()).toBe(0);
    await database.travel("1 hour");
    expect(await due()).toBe(0);
    await getSegment(ctx, ids[0] ?? "");
    await database.travel("46 seconds");
    expect(await due()).toBe(1);
  });
});

test("a segment that cannot be counted is put off and keeps no other waiting", async () => {
  const { ctx } = await makeProject(database.db);
  const signal = new AbortController().signal;
  await countDueSegments(database.db, signal);
  const { id: broken } = await make(ctx);
  const { id: sound } = await make(ctx);
  await database.db.execute(sql`
    update segments set count_due_at = app_now() - interval '1 second',
      filter = case when id = ${decodeId("segment", broken)}
        then '{"and": [{"field": "unheard of", "op": "eq", "value": 1}]}' else filter end
    where project_id = ${ctx.projectId}`);
  await database.db.execute(sql`
    update segments set count_due_at = app_now() - interval '1 hour'
    where id = ${decodeId("segment", broken)}`);
  await people(ctx, 2, { plan: "pro" });
  await expect(countDueSegments(database.db, signal)).rejects.toThrow("not checked");
  expect(await countDueSegments(database.db, signal)).toBe(1);
  const [row] = await database.db.execute<{ contact_count: number }>(sql`
    select contact_count from segments where id = ${decodeId("segment", sound)}`);
  expect(row?.contact_count).toBe(2);
});
