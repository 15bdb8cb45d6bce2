import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { listContacts } from "@/lib/domain/contacts/contacts";
import { exportContacts } from "@/lib/domain/contacts/export";
import { contactQuery } from "@/lib/domain/contacts/schema";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { createList } from "@/lib/domain/lists/lists";
import { addSubscriber, unsubscribe } from "@/lib/domain/lists/change-subscribers";
import { makeProject } from "@/lib/testing";
import { validate } from "@/lib/ground/validate";
import { segmentFilter, segmentInput, type SegmentFilter } from "./schema";
import { createSegment, deleteSegment, getSegment, listSegments, updateSegment } from "./segments";
import { listSegmentContacts, previewSegment } from "@/lib/domain/segment-members/segment-members";

const database = useTestDatabase();
const pro: SegmentFilter = { and: [{ field: "data.plan", op: "eq", value: "pro" }] };
const make = (ctx: Context, filter: SegmentFilter = pro, name = "Pro") =>
  createSegment(ctx, { name, filter });

/** The first parts of the addresses that a filter finds. */
async function names(ctx: Context, filter: unknown): Promise<string[]> {
  const { count, sample } = await previewSegment(ctx, segmentFilter.parse(filter));
  expect(sample).toHaveLength(Math.min(count, 10));
  return sample.map(({ email }) => email.split("@")[0] ?? "").sort();
}

async function people(
  ctx: Context,
  count: number,
  data: Record<string, unknown>,
): Promise<string[]> {
  const contacts = Array.from({ length: count }, () => ({
    email: `${newUnownedId()}@example.com`,
    data,
  }));
  return (await upsertContacts(ctx, contacts)).data.map(({ id }) => id);
}

describe("filters", () => {
  test.each([
    ["filter", "text"],
    ["filter", {}],
    ["filter", { field: "email", op: "eq", value: "a" }],
    ["filter", { and: [], or: [{ field: "email", op: "exists" }] }],
    ["filter", { nand: [] }],
    ["filter.or", { or: [] }],
    ["filter.and", { and: {} }],
    ["filter.and[0]", { and: ["email"] }],
    ["filter.and[0].field", { and: [{ field: "age", op: "eq", value: 1 }] }],
    ["filter.and[0].field", { and: [{ field: "data", op: "eq", value: 1 }] }],
    ["filter.and[0].field", { and: [{ field: "data..a", op: "eq", value: 1 }] }],
    ["filter.and[0].field", { and: [{ field: "campaign.cmp_1", op: "eq", value: "sent" }] }],
    ["filter.and[0].field", { and: [{ op: "eq", value: 1 }] }],
    ["filter.and[1].op", { and: [{ or: [{ field: "tags", op: "exists" }] }, { field: "email" }] }],
    [
      "filter.and[2].op",
      { and: [{ and: [] }, { and: [] }, { field: "email", op: "like", value: "a" }] },
    ],
    ["filter.and[0].or[1].value", { and: [{ or: [{ and: [] }, { field: "email", op: "eq" }] }] }],
    ["filter.and[0].value", { and: [{ field: "email", op: "eq", value: null }] }],
    ["filter.and[0].value", { and: [{ field: "email", op: "eq", value: ["a"] }] }],
    ["filter.and[0].value", { and: [{ field: "email", op: "in", value: "a" }] }],
    ["filter.and[0].value", { and: [{ field: "email", op: "in", value: [] }] }],
    ["filter.and[0].value", { and: [{ field: "email", op: "exists", value: "yes" }] }],
    ["filter.and[0].value", { and: [{ field: "list", op: "eq", value: "lst_1" }] }],
    ["filter.and[0].op", { and: [{ field: "tags", op: "starts_with", value: "v" }] }],
    ["filter.and[0].value", { and: [{ field: "email", op: "ends_with", value: "" }] }],
    ["filter.and[0].op", { and: [{ field: "email", op: "in_last", days: 3 }] }],
    ["filter.and[0].op", { and: [{ field: "engagementScore", op: "in_last", days: 3 }] }],
    ["filter.and[0].value", { and: [{ field: "createdAt", op: "in_last", value: 3 }] }],
    ["filter.and[0].days", { and: [{ field: "createdAt", op: "in_last" }] }],
    ["filter.and[0].days", { and: [{ field: "createdAt", op: "before_last", days: 0 }] }],
    ["filter.and[0].days", { and: [{ field: "createdAt", op: "before_last", days: 3651 }] }],
    ["filter.and[0].days", { and: [{ field: "createdAt", op: "before_last", days: 1.5 }] }],
    ["filter.and[0].days", { and: [{ field: "createdAt", op: "before_last", days: "7" }] }],
    ["filter.and[0].hours", { and: [{ field: "createdAt", op: "in_last", days: 1, hours: 1 }] }],
    ["filter.and[0].days", { and: [{ field: "email", op: "eq", value: "a", days: 3 }] }],
    ["filter.and[0]", { and: [{ or: [{ field: "tags", op: "exists" }], hours: 3 }] }],
    ["filter.and[0].op", { and: [{ field: "tags", op: "at_least", value: 1 }] }],
    ["filter.and[0].op", { and: [{ field: "openedEmails", op: "gt", value: 1 }] }],
    ["filter.and[0].value", { and: [{ field: "openedEmails", op: "at_least" }] }],
    ["filter.and[0].value", { and: [{ field: "openedEmails", op: "at_least", value: 0 }] }],
    ["filter.and[0].value", { and: [{ field: "openedEmails", op: "eq", value: "1" }] }],
    ["filter.and[0].value", { and: [{ field: "sentEmails", op: "at_most", value: 1001 }] }],
    ["filter.and[0].days", { and: [{ field: "sentEmails", op: "eq", value: 1, days: 0 }] }],
    [
      "filter.and[0].days",
      { and: [{ field: "sentEmails", op: "eq", value: 1, days: 2, to: "2026-01-01" }] },
    ],
    [
      "filter.and[0].from",
      { and: [{ field: "sentEmails", op: "eq", value: 1, from: "2026-02-30" }] },
    ],
    [
      "filter.and[0].to",
      { and: [{ field: "sentEmails", op: "eq", value: 1, from: "2026-02-02", to: "2026-02-01" }] },
    ],
    [
      "filter.and[0].campaign",
      { and: [{ field: "sentEmails", op: "eq", value: 1, campaign: "lst_1" }] },
    ],
    ["filter.and[0].campaign", { and: [{ field: "tags", op: "exists", campaign: "cmp_1" }] }],
    [
      "filter.and[0].from",
      { and: [{ field: "createdAt", op: "in_last", days: 1, from: "2026-01-01" }] },
    ],
    ["filter.and[0].day", { and: [{ field: "createdAt", op: "in_last", day: 3 }] }],
    ["filter", { and: Array.from({ length: 101 }, () => ({ field: "tags", op: "exists" })) }],
  ])("a fault is named by its place: %s", (path, filter) => {
    let details: unknown;
    try {
      validate(segmentInput, { name: "S", filter });
    } catch (error) {
      ({ details } = error as { details: unknown });
    }
    expect(details).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
  });

  test("a name that comes close to another is told so", () => {
    const faultOf = (condition: object) => {
      try {
        return validate(segmentFilter, { and: [condition] }, ["filter"]);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(faultOf({ field: "created_at", op: "exists" })).toMatch(/did you mean createdAt\?$/);
    expect(faultOf({ field: "email", op: "startsWith", value: "a" })).toMatch(
      /did you mean starts_with\?$/,
    );
    expect(faultOf({ field: "createdAt", op: "in_last", day: 3 })).toContain("did you mean days?");
  });

  test("values never become SQL, whatever they hold", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContact(ctx, { email: "ada@example.com", data: { "a'b": "'; drop table x; --" } });
    const value = "'; drop table x; --";
    expect(await names(ctx, { and: [{ field: "data.a'b", op: "eq", value }] })).toEqual(["ada"]);
    for (const op of ["eq", "contains", "gt", "lt", "neq"]) {
      for (const field of ["email", "tags", "data.a'b", "createdAt", "lastOpenedAt"]) {
        await names(ctx, {
          or: [
            { field, op, value },
            { field, op, value: "%_\\" },
          ],
        });
      }
    }
  });

  test("list: who is subscribed to it now", async () => {
    const { ctx } = await makeProject(database.db);
    const { ctx: other } = await makeProject(database.db);
    const input = { name: "News", fromEmail: "news@sandbox.test" };
    const [list, second] = [await createList(ctx, input), await createList(ctx, input)];
    const add = (name: string, id: string, by = ctx) =>
      addSubscriber(by, id, { email: `${name}@example.com`, source: "api" });
    await add("ada", list.id);
    const gone = await add("grace", list.id);
    await unsubscribe(ctx, gone.id);
    await add("linus", second.id);
    await upsertContact(ctx, { email: "nobody@example.com" });
    const on = (op: string, value: unknown) => ({ and: [{ field: "list", op, value }] });
    expect(await names(ctx, on("eq", list.id))).toEqual(["ada"]);
    expect(await names(ctx, on("contains", list.id))).toEqual(["ada"]);
    expect(await names(ctx, on("in", [list.id, second.id]))).toEqual(["ada", "linus"]);
    expect(await names(ctx, on("neq", list.id))).toEqual(["grace", "linus", "nobody"]);
    expect(await names(ctx, on("exists", false))).toEqual(["grace", "nobody"]);
    expect(await names(other, on("eq", list.id))).toEqual([]);
  });

  test("what was sent, opened and clicked, and how a campaign's email ended", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const campaignId = newUnownedId();
    const email = async (name: string, times: Record<string, string>, campaign = true) => {
      const { contact } = await upsertContact(ctx, { email: `${name}@example.com` });
      await database.db.execute(sql`
        insert into emails (id, project_id, message_id, contact_id, campaign_id, source, status,
          sent_at, opened_at, clicked_at, bounced_at)
        values (${newUnownedId()}, ${projectId}, ${newUnownedId()}, ${decodeId("contact", contact.id)},
          ${campaign ? campaignId : null}, 'CAMPAIGN', 'SENT', ${times["sent"] ?? null},
          ${times["opened"] ?? null}, ${times["clicked"] ?? null}, ${times["bounced"] ?? null})`);
    };
    await email("ada", { sent: "2026-01-01", opened: "2026-01-02", clicked: "2026-01-03" });
    await email("ada", { sent: "2026-02-01", opened: "2026-02-02T10:00:00Z" }, false);
    await email("grace", { sent: "2026-01-01", opened: "2026-01-02T10:00:00Z" });
    await email("linus", { sent: "2026-01-01", bounced: "2026-01-01" });
    await email("queued", {});
    await upsertContact(ctx, { email: "nobody@example.com" });
    const is = (field: string, op: string, value?: unknown) =>
      names(ctx, { and: [{ field, op, ...(value === undefined ? {} : { value }) }] });
    expect(await is("lastOpenedAt", "gt", "2026-01-31")).toEqual(["ada"]);
    expect(await is("lastOpenedAt", "lt", "2026-01-31")).toEqual(["grace"]);
    expect(await is("lastOpenedAt", "eq", "2026-02-02T10:00:00Z")).toEqual(["ada"]);
    expect(await is("lastOpenedAt", "neq", "2026-02-02T10:00:00Z")).toHaveLength(4);
    expect(await is("lastOpenedAt", "exists", false)).toEqual(["linus", "nobody", "queued"]);
    expect(await is("lastClickedAt", "exists")).toEqual(["ada"]);
    expect(await is("lastSentAt", "lt", "2026-01-15")).toEqual(["grace", "linus"]);
    const campaign = `campaign.${encodeId("campaign", campaignId)}`;
    expect(await is(campaign, "eq", "sent")).toEqual(["ada", "grace", "linus"]);
    expect(await is(campaign, "in", ["clicked", "bounced"])).toEqual(["ada", "linus"]);
    expect(await is(campaign, "neq", "opened")).toEqual(["linus", "nobody", "queued"]);
    expect(await is(campaign, "exists")).toEqual(["ada", "grace", "linus", "queued"]);
    expect(
      await names(ctx, {
        and: [
          { field: campaign, op: "eq", value: "opened" },
          { field: campaign, op: "neq", value: "clicked" },
        ],
      }),
    ).toEqual(["grace"]);
    await email("recent", { sent: new Date(Date.now() - 3_600_000).toISOString() });
    const last = (field: string, op: string, days: number) =>
      names(ctx, { and: [{ field, op, days }] });
    expect(await last("lastSentAt", "in_last", 1)).toEqual(["recent"]);
    expect(await last("lastSentAt", "before_last", 1)).toEqual(["ada", "grace", "linus"]);
    expect(await last("lastSentAt", "not_in_last", 1)).toEqual([
      ...["ada", "grace", "linus", "nobody", "queued"],
    ]);
    expect(await last("lastOpenedAt", "not_in_last", 1)).toHaveLength(6);
  });
});

describe("segments", () => {
  test("are made, changed, listed and deleted, each with its count", async () => {
    const { ctx } = await makeProject(database.db);
    await people(ctx, 3, { plan: "pro" });
    await people(ctx, 2, { plan: "free" });
    const created = await make(ctx);
    expect(created).toMatchObject({ name: "Pro", filter: pro, contactCount: 3 });
    expect(created.countedAt).not.toBeNull();
    const changed = await updateSegment(ctx, created.id, {
      filter: { or: [{ field: "data.plan", op: "in", value: ["pro", "free"] }] },
    });
    expect(changed).toMatchObject({ name: "Pro", contactCount: 5 });
    const second = await make(ctx, pro, "100% pro");
    const page = (given: Record<string, unknown>) => listSegments(ctx, { limit: 1, ...given });
    const first = await page({});
    expect(first.data).toEqual([expect.objectContaining({ id: second.id, contactCount: 3 })]);
    const rest = await page({ cursor: first.nextCursor });
    expect(rest.data.map(({ id }) => id)).toEqual([created.id]);
    expect(rest.nextCursor).toBeUndefined();
    expect((await page({ search: "0% P", limit: 5 })).data.map(({ id }) => id)).toEqual([
      second.id,
    ]);
    await deleteSegment(ctx, created.id);
    await expect(getSegment(ctx, created.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const actions = await database.db.execute<{ action: string }>(sql`
      select action from audit_log where project_id = ${ctx.projectId} order by id`);
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["create.segment", "update.segment", "delete.segment"]),
    );
  });

  test("are the project's own, and a viewer only reads", async () => {
    const { ctx } = await makeProject(database.db);
    const { ctx: other } = await makeProject(database.db);
    const { id } = await make(ctx);
    const missing = { code: "NOT_FOUND" };
    for (const wrongId of [id, "seg_nonsense", encodeId("contact", newUnownedId())]) {
      await expect(getSegment(other, wrongId)).rejects.toMatchObject(missing);
      await expect(updateSegment(other, wrongId, { name: "X" })).rejects.toMatchObject(missing);
      await expect(deleteSegment(other, wrongId)).rejects.toMatchObject(missing);
      await expect(listSegmentContacts(other, wrongId, { limit: 5 })).rejects.toMatchObject(
        missing,
      );
      const query = contactQuery.parse({ segmentId: wrongId });
      await expect(listContacts(other, query)).rejects.toMatchObject(missing);
      await expect(exportContacts(other, { segmentId: wrongId })).rejects.toMatchObject(missing);
    }
    const viewer = { ...ctx, role: "viewer" as const };
    expect((await getSegment(viewer, id)).name).toBe("Pro");
    const refused = { code: "NOT_ALLOWED" };
    await expect(make(viewer)).rejects.toMatchObject(refused);
    await expect(updateSegment(viewer, id, {})).rejects.toMatchObject(refused);
    await expect(deleteSegment(viewer, id)).rejects.toMatchObject(refused);
    await expect(getSegment({ ...ctx, sendingOnly: true }, id)).rejects.toMatchObject(refused);
  });

  test("members come by cursor, each once, here, in the contacts' list and in the export", async () => {
    const { ctx } = await makeProject(database.db);
    const members = (await people(ctx, 25, { plan: "pro" })).reverse();
    await people(ctx, 25, { plan: "free" });
    const { id } = await make(ctx);
    const walk = async (
      read: (cursor?: string) => Promise<{ data: { id: string }[]; nextCursor?: string }>,
    ) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await read(cursor);
        seen.push(...page.data.map((one) => one.id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return seen;
    };
    const byId = (ids: string[]) => [...ids].sort().reverse();
    const query = { limit: 10 };
    expect(await walk((cursor) => listSegmentContacts(ctx, id, { ...query, cursor }))).toEqual(
      byId(members),
    );
    expect(
      await walk((cursor) =>
        listContacts(ctx, contactQuery.parse({ limit: 10, cursor, segmentId: id })),
      ),
    ).toEqual(byId(members));
    const csv = await new Response(await exportContacts(ctx, { segmentId: id })).text();
    expect(csv.trim().split("\n")).toHaveLength(26);
  });

  test("people come and go as time passes, though nobody changes anything", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContact(ctx, { email: "ada@example.com" });
    const segment = await make(ctx, { and: [{ field: "createdAt", op: "in_last", days: 2 }] });
    const left = await make(ctx, { and: [{ field: "createdAt", op: "before_last", hours: 48 }] });
    expect([segment.contactCount, left.contactCount]).toEqual([1, 0]);
    await database.travel("47 hours");
    expect((await getSegment(ctx, segment.id)).contactCount).toBe(1);
    await database.travel("1 hour");
    expect((await getSegment(ctx, segment.id)).contactCount).toBe(0);
    expect((await getSegment(ctx, left.id)).contactCount).toBe(1);
    expect((await listSegmentContacts(ctx, segment.id, { limit: 5 })).data).toEqual([]);
  });
});
