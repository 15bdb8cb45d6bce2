import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createSegment } from "@/lib/domain/segments/segments";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { listSegmentContacts, previewSegment } from "./segment-members";

const database = useTestDatabase();
const opened: SegmentFilter = { and: [{ field: "lastOpenedAt", op: "exists" }] };
const idle: SegmentFilter = {
  and: [
    { field: "inactiveDays", op: "gt", value: 5 },
    { field: "ignoredEmails", op: "lt", value: 1 },
    { field: "email", op: "ends_with", value: "@open.example" },
  ],
};
let ctx: Context;

/** 2,500 people, of whom the oldest 20 opened an email ten days ago. */
beforeAll(async () => {
  let projectId: string;
  ({ ctx, projectId } = await makeProject(database.db));
  await database.db.execute(sql`
    insert into contacts (id, project_id, email, consent)
    select id, ${projectId}, 'p' || n || case when n % 10 = 0 then '@shut.example' else '@open.example' end,
      case when n % 7 = 0 then 'unsubscribed' else 'subscribed' end
    from (select id, row_number() over (order by id) as n
      from (select new_id(${projectId}::uuid) as id from generate_series(1, 2500)) made) numbered`);
  await database.db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, recipient, source, status, sent_at, opened_at)
    select new_id(${projectId}::uuid), ${projectId}, new_id(${projectId}::uuid), id, email, 'TRANSACTIONAL', 'SENT',
      app_now() - interval '11 days', app_now() - interval '10 days'
    from (select *, row_number() over (order by id) as n from contacts where project_id = ${projectId}) c
    where n <= 20`);
  await database.db.insert(suppressions).values([
    { id: newId(projectId), projectId, email: "P3@open.example", reason: "complaint" },
    { id: newId(projectId), projectId, email: "p2000@open.example", reason: "manual" },
    { id: newId(projectId), projectId, email: "@shut.example", reason: "domain" },
    { id: newId(projectId), projectId, email: "p20@shut.example", reason: "hard_bounce" },
  ]);
});

test("a filter that asks about mail counts as any other", async () => {
  const none = { never_subscribed: 0, unsubscribed: 0, paused: 0, manual: 0 };
  expect(await previewSegment(ctx, opened)).toMatchObject({
    count: 20,
    reachableCount: 15,
    excluded: { ...none, unsubscribed: 2, hard_bounce: 1, complaint: 1, domain: 1 },
  });
  expect(await previewSegment(ctx, idle)).toMatchObject({
    count: 18,
    reachableCount: 15,
    excluded: { ...none, unsubscribed: 2, hard_bounce: 0, complaint: 1, domain: 0 },
  });
});

test("who matches is found behind thousands who do not, page by page", async () => {
  const { sample } = await previewSegment(ctx, opened);
  expect(sample.map(({ email }) => email.split("@")[0])).toEqual(
    Array.from({ length: 10 }, (_, n) => `p${20 - n}`),
  );
  const { id } = await createSegment(ctx, { name: "Opened", filter: opened });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listSegmentContacts(ctx, id, { limit: 6, ...(cursor ? { cursor } : {}) });
    names.push(...page.data.map(({ email }) => email.split("@")[0] ?? ""));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(names).toEqual(Array.from({ length: 20 }, (_, n) => `p${20 - n}`));
});

test("a page full of newer matches is the newest of them", async () => {
  await database.db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, recipient, source, status, sent_at, opened_at)
    select new_id(${ctx.projectId}::uuid), ${ctx.projectId}, new_id(${ctx.projectId}::uuid), id, email, 'TRANSACTIONAL',
      'SENT', app_now(), app_now()
    from (select *, row_number() over (order by id desc) as n from contacts
      where project_id = ${ctx.projectId}) c where n % 100 = 0`);
  const { count, sample } = await previewSegment(ctx, opened);
  expect(count).toBe(44);
  expect(sample.map(({ email }) => email.split("@")[0])).toEqual(
    Array.from({ length: 10 }, (_, n) => `p${2401 - n * 100}`),
  );
});
