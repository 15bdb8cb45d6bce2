import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { previewBulkChange, startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { countByState } from "@/lib/domain/contact-states/count";
import { contactStates } from "@/lib/domain/contact-states/schema";
import { createSegment } from "@/lib/domain/segments/segments";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { writeCursor } from "@/lib/ground/paging/cursor";
import { makeProject, type TestProject } from "@/lib/testing";
import { seedContacts } from "@/lib/testing/campaigns";
import { listContacts } from "./contacts";
import { exportContacts } from "./export";
import { contactListQuery } from "./list-schema";

const database = useTestDatabase();

const contradictions = [
  ["false", "reachable"],
  ["false", "paused"],
  ["true", "unsubscribed"],
  ["true", "never_subscribed"],
] as const;
const sorts = ["createdAt", "-createdAt", "email", "-email"] as const;

/** Everybody who matches, page by page. */
async function listed({ ctx }: TestProject, filter: Record<string, unknown>) {
  const found: { email: string; state?: string | undefined }[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await listContacts(ctx, contactListQuery.parse({ limit: 7, ...filter, cursor }));
    found.push(...page.data);
    cursor = page.nextCursor;
  }
  return found;
}
const addresses = async (project: TestProject, filter: Record<string, unknown>) =>
  (await listed(project, filter)).map(({ email }) => email);

/** People in every state, and in several at once. */
async function manyStates(): Promise<TestProject> {
  const project = await makeProject(database.db);
  const { projectId } = project;
  await seedContacts(database.db, projectId, 240, {
    email: sql`'P' || lpad(n::text, 4, '0') || case when n % 5 = 0 then '@Shut.example' else '@open.example' end`,
    consent: sql`(array['subscribed', 'unsubscribed', 'never'])[1 + n % 3]`,
    tags: sql`case when n % 2 = 0 then array['even'] else '{}'::text[] end`,
  });
  await database.db.execute(sql`
    update contacts set paused_until = app_now() + interval '1 day' *
      case when right(first_name, 1) in ('1', '4') then 1 when right(first_name, 1) = '7' then -1 end
    where project_id = ${projectId}`);
  const suppress = (email: string, reason: string) =>
    database.db.execute(sql`
      insert into suppressions (id, project_id, email, reason)
      values (${newId(projectId)}, ${projectId}, ${email}, ${reason})`);
  await suppress("@shut.example", "domain");
  await suppress("@nobody.example", "domain");
  for (const [n, reason] of ["hard_bounce", "complaint", "manual"].entries()) {
    // The second of each outweighs the suppression of its domain.
    await suppress(`p00${n}1@OPEN.example`, reason);
    await suppress(`p00${n}5@shut.example`, reason);
    await suppress(`stranger${n}@open.example`, reason);
  }
  // Another project's, with the same address.
  const other = await makeProject(database.db);
  await database.db.execute(sql`
    insert into suppressions (id, project_id, email, reason)
    values (${newId(other.projectId)}, ${other.projectId}, 'P0003@open.example', 'complaint')`);
  return project;
}

test.each(sorts)("a cursor of another list is none of this one (%s)", async (sort) => {
  const { ctx, projectId } = await makeProject(database.db);
  await seedContacts(database.db, projectId, 3);
  const ask = (cursor?: string) =>
    listContacts(ctx, contactListQuery.parse({ sort, limit: 2, cursor }));
  const { nextCursor = "" } = await ask();
  expect((await ask(nextCursor)).data).toHaveLength(1);
  const id = newId(projectId);
  for (const cursor of [
    writeCursor("2026-11-21T08:00:00.000000Z", encodeId("email", id)),
    writeCursor("name", "Customers", id),
    writeCursor("name", "a@example.com"),
    writeCursor("email", "a@example.com", id),
    writeCursor("email", "a\0@example.com"),
    writeCursor("a@example.com"),
    sort.endsWith("email") ? writeCursor(id) : writeCursor("email", "a@example.com"),
  ]) {
    await expect(ask(cursor), cursor).rejects.toMatchObject({
      details: [{ path: "cursor", message: "is not a cursor of this list" }],
    });
  }
});

describe("by state", () => {
  test("each finds those whom the list shows in it, in every order, and as many as are counted", async () => {
    const project = await manyStates();
    const everybody = await listed(project, {});
    expect(new Set(everybody.map(({ state }) => state))).toEqual(new Set(contactStates));
    const condition = sql`${c.projectId} = ${project.projectId}`;
    const { reachable, excluded } = await countByState(database.db, project.projectId, {
      condition,
    });
    expect(
      await countByState(database.db, project.projectId, { condition, once: true }),
    ).toMatchObject({ reachable, excluded });
    const counted = { reachable, ...excluded };
    for (const state of contactStates) {
      const expected = everybody.filter((one) => one.state === state).map(({ email }) => email);
      expect(expected).toHaveLength(counted[state]);
      for (const sort of sorts) {
        const found = await addresses(project, { state, sort });
        expect(found.toSorted(), `${state} ${sort}`).toEqual(expected.toSorted());
        if (sort === "email") expect(found).toEqual(expected.toSorted());
        if (sort === "-createdAt") expect(found).toEqual(expected);
      }
    }
  });

  test("together with other filters", async () => {
    const project = await manyStates();
    const everybody = await listed(project, {});
    const odd = await createSegment(project.ctx, {
      name: "Odd",
      filter: { and: [{ field: "tags", op: "exists", value: false }] },
    });
    const isEven = (email: string) => Number(email.slice(1, 5)) % 2 === 0;
    for (const state of contactStates) {
      const those = everybody.filter((one) => one.state === state).map(({ email }) => email);
      expect(await addresses(project, { state, tag: "even" })).toEqual(those.filter(isEven));
      expect(await addresses(project, { state, segmentId: odd.id })).toEqual(
        those.filter((email) => !isEven(email)),
      );
      expect(await addresses(project, { state, search: "P001" })).toEqual(
        those.filter((email) => email.startsWith("P001")),
      );
      expect(await addresses(project, { state, startDate: "2001-01-01" })).toEqual(those);
      expect(await addresses(project, { state, endDate: "2001-01-01" })).toEqual([]);
    }
  });

  test("is obeyed by changes to all that match, and by the export", async () => {
    const project = await manyStates();
    for (const state of contactStates) {
      const expected = await addresses(project, { state });
      const stream = await exportContacts(project.ctx, { state });
      const lines = (await new Response(stream).text()).trim().split(/\r?\n/).slice(1);
      expect(lines.map((line) => line.split(",", 1)[0])).toEqual(expected);
      const change = { action: "delete", name: "", filter: { state } } as const;
      expect((await previewBulkChange(project.ctx, change)).contacts).toBe(expected.length);
    }
    const begun = await startBulkChange(project.ctx, {
      ...{ action: "tag", name: "seen", filter: { state: "domain", endDate: "2001-01-01" } },
    });
    expect(begun.total).toBe(0);
  });

  test.each(sorts)(
    "reads little of many contacts, also when nobody is in it (%s)",
    async (sort) => {
      const db = connect(database.url, { max: 1 });
      try {
        const made = await makeProject(db);
        const project = { ...made, ctx: { ...made.ctx, db } };
        // Where nearly all contacts are one project's, Postgres walks along all ids and leaves the others out.
        await db.execute(sql`delete from contacts`);
        await seedContacts(db, made.projectId, 20_000, { consent: sql`'never'` });
        await db.execute(sql`
        insert into suppressions (id, project_id, email, reason)
        select new_id(${made.projectId}), ${made.projectId}, 'gone' || n || '@elsewhere.example', 'manual'
        from generate_series(1, 3000) n`);
        await db.execute(sql`
        insert into suppressions (id, project_id, email, reason)
        values (${newId(made.projectId)}, ${made.projectId}, '@elsewhere.example', 'domain')`);
        await db.execute(sql`vacuum analyze contacts, suppressions`);
        for (const state of contactStates) {
          const query = contactListQuery.parse({ state, sort, limit: 50 });
          const read = await rowsRead(db, ["contacts"], async () => {
            const { data } = await listContacts(project.ctx, query);
            expect(data).toHaveLength(state === "never_subscribed" ? 50 : 0);
          });
          expect(read, state).toBeLessThan(5_000);
        }
        await db.execute(sql`update contacts set consent = 'subscribed'`);
        await db.execute(sql`vacuum analyze contacts`);
        for (const [subscribed, state] of contradictions) {
          const query = contactListQuery.parse({ subscribed, state, sort, limit: 50 });
          const read = await rowsRead(db, ["contacts"], async () => {
            expect((await listContacts(project.ctx, query)).data).toEqual([]);
          });
          expect(read, state).toBeLessThan(100);
        }
      } finally {
        await db.$client.end({ timeout: 5 });
      }
    },
    60_000,
  );
});

describe("by when they were added", () => {
  test("whole days in UTC or instants, both ends included, in every order", async () => {
    const project = await makeProject(database.db);
    const at = async (time: string, count = 1) => {
      for (let n = 0; n < count; n++) {
        await database.db.execute(sql`
          insert into contacts (id, project_id, email, consent, created_at)
          values (${newId(project.projectId, Date.parse(time) + n)}, ${project.projectId},
            ${`${time}.${n}@added.example`}, 'subscribed', ${time}::timestamptz)`);
      }
      return `${time}.0@added.example`;
    };
    const [before, first, , last, after] = [
      await at("2026-03-01T23:59:59.999Z"),
      await at("2026-03-02T00:00:00.000Z"),
      await at("2026-03-02T12:00:00.000Z", 20),
      await at("2026-03-03T23:59:59.999Z"),
      await at("2026-03-04T00:00:00.000Z"),
    ];
    for (const sort of sorts) {
      const within = await addresses(project, {
        ...{ startDate: "2026-03-02", endDate: "2026-03-03", sort },
      });
      expect(within).toHaveLength(22);
      expect(within).toEqual(expect.arrayContaining([first, last]));
      expect(await addresses(project, { startDate: "2026-03-03", sort })).toHaveLength(2);
      expect(await addresses(project, { endDate: "2026-03-01", sort })).toEqual([before]);
      expect(await addresses(project, { startDate: "2026-03-04T00:00:00Z", sort })).toEqual([
        after,
      ]);
      expect(await addresses(project, { startDate: "2027-01-01", sort })).toEqual([]);
      expect(await addresses(project, { startDate: "0001-01-01", sort })).toHaveLength(24);
    }
    expect(() => contactListQuery.parse({ startDate: "yesterday" })).toThrow();
  });

  test.each(sorts)(
    "reads little of many contacts (%s)",
    async (sort) => {
      const db = connect(database.url, { max: 1 });
      try {
        const made = await makeProject(db);
        await seedContacts(db, made.projectId, 20_000);
        await db.execute(sql`vacuum analyze contacts`);
        for (const range of [
          { startDate: "2030-01-01" },
          { endDate: "2010-01-01" },
          { startDate: "2019-01-01", endDate: "2019-01-07" },
        ]) {
          const query = contactListQuery.parse({ ...range, sort, limit: 50 });
          const read = await rowsRead(db, ["contacts"], () =>
            listContacts({ ...made.ctx, db }, query),
          );
          expect(read).toBeLessThan(5_000);
        }
      } finally {
        await db.$client.end({ timeout: 5 });
      }
    },
    60_000,
  );
});
