import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import { changePreferences } from "@/lib/domain/opt-outs/change-preferences";
import { recordVisits } from "@/lib/domain/tracking/record";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { timelineQuery, type TimelineEntry } from "./schema";
import { listTimeline } from "./timeline";
import { timelineStatement } from "./timeline-statement";

const database = useTestDatabase();
const query = (given: Record<string, unknown> = {}) => timelineQuery.parse(given);
const read = async ({ ctx }: TestProject, id: string, kinds?: string) =>
  (await listTimeline(ctx, id, query({ limit: 100, ...(kinds && { kinds }) }))).data;
const types = (entries: readonly TimelineEntry[]) => entries.map(({ type }) => type);
const person = { userAgent: "Mozilla/5.0 Firefox/140.0", address: "203.0.113.7" };

async function add({ ctx }: TestProject, email: string, more: object = {}) {
  return (await upsertContact(ctx, { email, ...more })).contact;
}

describe("a change of fields", () => {
  test("is told with both values and who made it, whichever way it came", async () => {
    const project = await makeProject(database.db);
    const { ctx, userId } = project;
    const { id } = await add(project, "ada@example.com", { data: { plan: "free", old: 1 } });
    await updateContact(ctx, id, { firstName: "Ada", data: { plan: "pro", old: null } });
    await upsertContact(ctx, { email: "ADA@example.com", tags: ["vip"] });
    await upsertContacts(ctx, [{ email: "ada@example.com", lastName: "L" }, { email: "b@x.test" }]);
    // Nothing of this changes a field.
    await updateContact(ctx, id, { firstName: "Ada", subscribed: false });
    const changes = (await read(project, id, "changes,lists")).map(({ change }) => change);
    expect(changes).toMatchObject([
      { before: { lastName: "" }, after: { lastName: "L" } },
      { before: { tags: [] }, after: { tags: ["vip"] } },
      {
        before: { firstName: "", data: { plan: "free", old: 1 } },
        after: { firstName: "Ada", data: { plan: "pro" } },
      },
    ]);
    expect(changes[2]?.before).toEqual({ firstName: "", data: { plan: "free", old: 1 } });
    const by = { type: "user", name: expect.stringContaining("@") as string };
    for (const change of changes) expect(change?.by).toMatchObject(by);
    const [row] = await database.db.execute(sql`
      select bool_and(actor_id = ${userId}) as own from contact_changes`);
    expect(row).toEqual({ own: true });
    expect(types(await read(project, id, "changes"))).toEqual(["changed", "changed"]);
    expect(types(await read(project, id, "lists"))).toEqual(["changed"]);
  });

  test("of upserts that share a statement is each its own caller's", async () => {
    const [one, other] = [await makeProject(database.db), await makeProject(database.db)];
    const people = [await add(one, "ada@example.com"), await add(other, "ada@example.com")];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        upsertContact([one, other][n % 2]?.ctx ?? one.ctx, {
          ...{ email: "ada@example.com", firstName: `Ada ${n}` },
        }),
      ),
    );
    for (const [index, project] of [one, other].entries()) {
      const entries = await read(project, people[index]?.id ?? "", "changes");
      expect(entries.length).toBeGreaterThan(0);
      const [row] = await database.db.execute(sql`
        select count(*) filter (where actor_id is distinct from ${project.userId})::int as wrong
        from contact_changes where project_id = ${project.projectId}`);
      expect(row).toEqual({ wrong: 0 });
    }
  });

  test("is erased with the contact", async () => {
    const project = await makeProject(database.db);
    const { id } = await add(project, "gone@example.com");
    await updateContact(project.ctx, id, { firstName: "Ada" });
    await deleteContact(project.ctx, id);
    const [row] = await database.db.execute(sql`
      select count(*)::int as left from contact_changes where contact_id = ${decodeId("contact", id)}`);
    expect(row).toEqual({ left: 0 });
    await expect(listTimeline(project.ctx, id, query())).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("the timeline", () => {
  test("holds mail, opens, clicks, lists and consent, and is narrowed to each", async () => {
    const project = await makeProject(database.db);
    const { ctx } = project;
    const list = await makeList(ctx, { name: "Weekly" });
    const member = await join(ctx, list.id, "ada@example.com");
    const mail = await campaignMail(database.db, ctx, { ...member, listId: list.id });
    await recordVisits(database.db, [
      { emailId: mail.emailId, link: null, visitor: person },
      { emailId: mail.emailId, link: { id: 7n, url: "https://a.test", links: 1 }, visitor: person },
    ]);
    // A machine's visit is none of the person's acts.
    const other = await campaignMail(database.db, ctx, { ...member, listId: list.id });
    const machine = { userAgent: "Mozilla/5.0", address: "203.0.113.7" };
    await recordVisits(database.db, [{ emailId: other.emailId, link: null, visitor: machine }]);
    const evidence = { ipAddress: "192.0.2.7", userAgent: "Firefox", text: "Leave" };
    await changePreferences(database.db, mail.token, { action: "leave-all" }, evidence);

    const id = member.contactId;
    expect(types(await read(project, id, "emails"))).toEqual(["email", "email"]);
    const seen = await read(project, id, "engagement");
    expect(types(seen).sort()).toEqual(["clicked", "opened"]);
    expect(seen.map(({ times }) => times)).toEqual([1, 1]);
    expect(seen[0]?.email).toMatchObject({ subject: "Hello", campaign: { name: "Issue" } });
    const lists = await read(project, id, "lists");
    expect(lists.map(({ subscription }) => subscription?.list?.name)).toEqual(["Weekly"]);
    const consent = await read(project, id, "consent");
    expect(consent[0]?.subscription).toMatchObject({
      ...{ after: "unsubscribed", text: "Leave", by: { type: "link" } },
    });
    const all = await read(project, id);
    expect(new Set(types(all))).toEqual(new Set(["email", "opened", "clicked", "subscription"]));
    expect(new Set(all.map((entry) => entry.id)).size).toBe(all.length);
    const times = all.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());

    const stranger = await makeProject(database.db);
    await expect(listTimeline(stranger.ctx, id, query())).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("of 10,000 events comes page by page, each entry once, and reads a page by index", async () => {
    const project = await makeProject(database.db);
    const { ctx, projectId } = project;
    const contact = await add(project, "busy@example.com");
    const member = { contactId: contact.id, email: contact.email };
    const mail = await campaignMail(database.db, ctx, member);
    // Many share one moment.
    await database.db.execute(sql`
      insert into emails (id, project_id, message_id, contact_id, source, status, opened_at, created_at)
      select new_id(project_id), project_id, message_id, contact_id, 'TRANSACTIONAL', 'OPENED',
        created_at - make_interval(mins => n / 3), created_at - make_interval(mins => n / 3)
      from emails, generate_series(1, 3000) n where id = ${mail.emailId}`);
    await database.db.execute(sql`
      insert into contact_changes (id, project_id, contact_id, before, after, created_at)
      select new_id(${projectId}::uuid), ${projectId}, ${decodeId("contact", contact.id)}, '{"firstName": "a"}',
        '{"firstName": "b"}', app_now() - make_interval(mins => n / 3) from generate_series(1, 4000) n`);
    // Mail to others.
    await database.db.execute(sql`
      insert into emails (id, project_id, message_id, contact_id, source, status)
      select new_id(project_id), project_id, message_id, gen_random_uuid(), 'TRANSACTIONAL', 'SENT'
      from emails, generate_series(1, 20000) n where id = ${mail.emailId}`);
    await database.db.execute(sql`analyze emails, contact_changes`);
    const seen = new Set<string>();
    let cursor: string | undefined;
    let count = 0;
    do {
      const page = await listTimeline(ctx, contact.id, query({ limit: 100, cursor }));
      for (const { id } of page.data) seen.add(id);
      count += page.data.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect([count, seen.size]).toEqual([10_002, 10_002]);

    const asked = {
      ...{ projectId, ids: [decodeId("contact", contact.id) ?? ""], addresses: [contact.email] },
      ...{ kinds: new Set(["emails", "changes"] as const), after: null, limit: 26 },
    };
    const plan = await database.db.execute<{ "QUERY PLAN": string }>(
      sql`explain ${timelineStatement(asked)}`,
    );
    const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
    expect(text).toMatch(/Index Scan Backward using contact_changes_/);
    expect(text).toMatch(/emails_contact/);
    expect(text).not.toMatch(/Seq Scan on (emails|contact_changes|consent_changes)/);
  });

  test("refuses cursors and kinds that are none", async () => {
    const project = await makeProject(database.db);
    const { id } = await add(project, "ada@example.com");
    expect(timelineQuery.safeParse({ kinds: "emails,moods" }).success).toBe(false);
    const ref = "01890000-0000-7000-8000-000000000000";
    const at = "2026-02-28T10:00:00.000000Z";
    const forged = [
      ["2026-02-31T10:00:00.000000Z", "email", ref, "0"],
      [at, "email", ref, "9999999999999999999"],
      [at, "email", "x", "0"],
    ].map((parts) => Buffer.from(JSON.stringify(parts)).toString("base64url"));
    for (const cursor of [...forged, "bm90IGEgY3Vyc29y"]) {
      await expect(listTimeline(project.ctx, id, query({ cursor }))).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
  });
});
