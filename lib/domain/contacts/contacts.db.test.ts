import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { auditLog, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { sendEmail } from "@/lib/domain/emails/send";
import { getEmail } from "@/lib/domain/emails/read";
import { addSuppression, liftSuppression } from "@/lib/domain/suppressions/suppressions";
import { makeProject } from "@/lib/testing";
import { seedContacts } from "@/lib/testing/campaigns";
import { newId } from "@/lib/ground/ids/ids";
import { getContact, listContacts, updateContact } from "./contacts";
import { deleteContact } from "./delete";
import { exportContacts } from "./export";
import { contactQuery } from "./schema";
import { upsertContact, upsertContacts } from "./upsert";

const database = useTestDatabase();
const query = (given: Record<string, unknown> = {}) => contactQuery.parse(given);

describe("a contact's state", () => {
  test("is reachable, or the first reason why campaigns do not reach it", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const otherProject = await makeProject(database.db);
    const address = (name: string) => `${name}@state.example`;
    await upsertContacts(
      ctx,
      ["reachable", "hard_bounce", "complaint", "manual"].map((name) => ({ email: address(name) })),
    );
    await upsertContact(ctx, { email: address("unsubscribed"), subscribed: false });
    // Somebody who only ever got transactional mail.
    await sendEmail(ctx, {
      to: address("never_subscribed"),
      from: "hello@sandbox.test",
      subject: "State",
      body: "State",
    });
    await database.db.insert(suppressions).values([
      { id: newId(projectId), projectId, email: address("HARD_bounce"), reason: "hard_bounce" },
      { id: newId(projectId), projectId, email: address("complaint"), reason: "complaint" },
      { id: newId(projectId), projectId, email: address("manual"), reason: "manual" },
      {
        id: newId(otherProject.projectId),
        projectId: otherProject.projectId,
        email: address("reachable"),
        reason: "complaint",
      },
    ]);
    const { data } = await listContacts(ctx, query({ search: "@state.example" }));
    expect(data).toHaveLength(6);
    for (const { id, email, state } of data) {
      expect(email).toBe(address(String(state)));
      expect((await getContact(ctx, id)).state).toBe(state);
      expect((await upsertContact(ctx, { email })).contact.state).toBe(state);
    }
    const bounced = await updateContact(ctx, address("hard_bounce"), { subscribed: true });
    expect(bounced).toMatchObject({ subscribed: true, state: "hard_bounce" });
  });
});

describe("list", () => {
  test("1,000 contacts by cursor while 500 come and 200 go: each that stayed is seen once", async () => {
    const { ctx } = await makeProject(database.db);
    const created = await upsertContacts(
      ctx,
      Array.from({ length: 1000 }, (_, index) => ({ email: `c${index}@example.com` })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    let page = 0;
    const gone = new Set<string>();
    do {
      const answer = await listContacts(ctx, query({ limit: 50, cursor }));
      seen.push(...answer.data.map(({ id }) => id));
      cursor = answer.nextCursor;
      await upsertContacts(
        ctx,
        Array.from({ length: 32 }, (_, index) => ({ email: `new${page}-${index}@example.com` })),
      );
      for (const { id } of created.data.slice(page * 13, page * 13 + 13)) {
        await deleteContact(ctx, id);
        gone.add(id);
      }
      page++;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    const stayed = created.data.filter(({ id }) => !gone.has(id)).map(({ id }) => id);
    expect(stayed.filter((id) => !seen.includes(id))).toEqual([]);
    expect(gone.size).toBeGreaterThanOrEqual(200);
    // 260 deletions one after the other take their time on a machine with other work.
  }, 60_000);

  test("is sorted by address or by age, both ways, page by page, and refuses a cursor of another order", async () => {
    const { ctx } = await makeProject(database.db);
    const names = ["Bob", "ada", "Zoe", "eve", "Ümit"];
    for (const name of names) await upsertContact(ctx, { email: `${name}@example.com` });
    const all = async (sort?: string) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listContacts(ctx, query({ limit: 2, sort, cursor }));
        seen.push(...page.data.map(({ email }) => email.split("@", 1).join()));
        cursor = page.nextCursor;
      } while (cursor);
      return seen;
    };
    const byAddress = await all("email");
    expect(byAddress.slice(0, 3)).toEqual(["ada", "Bob", "eve"]);
    expect([...byAddress].sort()).toEqual([...names].sort());
    expect(await all("-email")).toEqual([...byAddress].reverse());
    expect(await all("createdAt")).toEqual(names);
    expect(await all("-createdAt")).toEqual([...names].reverse());
    expect(await all()).toEqual([...names].reverse());
    const { nextCursor: cursor } = await listContacts(ctx, query({ limit: 2, sort: "email" }));
    await expect(listContacts(ctx, query({ cursor }))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  test.each(["createdAt", "-createdAt", "email", "-email"] as const)(
    "finds everybody with a tag page by page, whether many have it or few far back (%s)",
    async (sort) => {
      const { ctx, projectId } = await makeProject(database.db);
      await seedContacts(database.db, projectId, 2_500, {
        email: sql`'p' || lpad(n::text, 4, '0') || '@example.org'`,
        tags: sql`case when n % 100 = 7 then array['common'] when n in (3, 4, 2400, 2490) then array['rare']
          else '{}'::text[] end`,
      });
      for (const [tag, count] of [
        ["common", 25],
        ["rare", 4],
        ["none", 0],
      ] as const) {
        const found: string[] = [];
        for (let cursor: string | undefined, first = true; first || cursor; first = false) {
          const page = await listContacts(ctx, query({ tag, sort, limit: 3, cursor }));
          found.push(...page.data.map(({ email }) => email));
          cursor = page.nextCursor;
        }
        expect(new Set(found).size).toBe(count);
        expect(found).toHaveLength(count);
        const inOrder = found.toSorted();
        if (sort === "email") expect(found).toEqual(inOrder);
        if (sort === "-email") expect(found).toEqual(inOrder.toReversed());
      }
    },
  );

  test("filters by search in address and name, subscription and tag; LIKE's wildcards are letters", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContacts(ctx, [
      { email: "ada@example.com", firstName: "Ada", tags: ["vip"] },
      { email: "grace_h@example.org", lastName: "Hopper", unsubscribed: true },
    ]);
    const emails = async (given: Record<string, unknown>) =>
      (await listContacts(ctx, query(given))).data.map(({ email }) => email);
    expect(await emails({ search: "HOPP" })).toEqual(["grace_h@example.org"]);
    expect(await emails({ search: "a_" })).toEqual([]);
    expect(await emails({ search: "e_h" })).toEqual(["grace_h@example.org"]);
    expect(await emails({ subscribed: "false" })).toEqual(["grace_h@example.org"]);
    expect(await emails({ tag: "vip" })).toEqual(["ada@example.com"]);
  });
});

test("another project's contact is unknown, by id and by address, and stays as it is", async () => {
  const [mine, theirs] = [await makeProject(database.db), await makeProject(database.db)];
  const { contact } = await upsertContact(theirs.ctx, { email: "ada@example.com" });
  for (const id of [contact.id, "ada@example.com", "con_nope", contact.id.replace("con_", "em_")]) {
    await expect(getContact(mine.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(updateContact(mine.ctx, id, { firstName: "X" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(deleteContact(mine.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect(await getContact(theirs.ctx, contact.id)).toEqual({
    ...contact,
    state: "reachable",
  });
});

test("an address that is another contact's is a conflict", async () => {
  const { ctx } = await makeProject(database.db);
  await upsertContacts(ctx, [{ email: "a@example.com" }, { email: "b@example.com" }]);
  await expect(
    updateContact(ctx, "a@example.com", { email: "B@example.com" }),
  ).rejects.toMatchObject({ code: "CONFLICT" });
});

describe("delete for good", () => {
  test("takes the address out of every table, keeps the figures, stops mail that waits", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const address = "forget.me@example.com";
    await addSuppression(ctx, { email: "Forget.Me@example.com" });
    await liftSuppression(ctx, address);
    const { result } = await sendEmail(
      ctx,
      {
        to: { email: address, name: "Forget Me" },
        from: "hello@sandbox.test",
        subject: "Hi",
        body: "<p>Hi</p>",
        scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
      },
      { once: { route: "POST /v1/send", key: "k", body: Buffer.from("b") } },
    );
    await database.db.execute(sql`
      insert into suppressions (id, project_id, email, reason)
      values (gen_random_uuid(), ${projectId}, ${address}, 'hard_bounce')`);
    await deleteContact(ctx, address);

    const tables = await database.db.execute<{ name: string }>(sql`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`);
    for (const { name } of tables) {
      const [traces] = await database.db.execute<{ n: number }>(sql`
        select count(*)::int as n from ${sql.identifier(name)} as t
        where to_jsonb(t)::text ilike ${`%${address}%`}`);
      expect({ name, n: traces?.n }).toEqual({ name, n: 0 });
    }
    const email = await getEmail(ctx, result.data.emails[0]?.email ?? "");
    expect(email).toMatchObject({ status: "FAILED", contact: null });
    // Every id knows whose it is, those of events too.
    const events = await database.db.execute<{ id: string }>(
      sql`select id from email_events where project_id = ${projectId}`,
    );
    expect(events).not.toEqual([]);
    expect(events.map(({ id }) => id.slice(14, 18))).toEqual(
      events.map(() => `7${projectId.slice(-3)}`),
    );

    // It comes back unsubscribed, and what bounced hard stays suppressed.
    expect((await upsertContact(ctx, { email: address })).contact.subscribed).toBe(false);
    const again = await sendEmail(ctx, {
      to: address,
      from: "hello@sandbox.test",
      subject: "Hi",
      body: "<p>Hi</p>",
    });
    expect(await getEmail(ctx, again.result.data.emails[0]?.email ?? "")).toMatchObject({
      status: "FAILED",
      events: [{ name: "queued" }, { name: "suppressed", data: { reason: "hard_bounce" } }],
    });
  });

  test("an implicit contact comes back unsubscribed, an explicit one as it says", async () => {
    const { ctx } = await makeProject(database.db);
    const message = { from: "hello@sandbox.test", subject: "Hi", body: "<p>Hi</p>" };
    for (const address of ["x@example.com", "y@example.com"]) {
      await upsertContact(ctx, { email: address });
      await deleteContact(ctx, address);
    }
    await sendEmail(ctx, { ...message, to: "x@example.com" });
    const [row] = await database.db.execute<{ consent: string }>(
      sql`select consent from contacts where project_id = ${ctx.projectId} and email = 'x@example.com'`,
    );
    expect(row?.consent).toBe("unsubscribed");
    await sendEmail(ctx, { ...message, to: "y@example.com", subscribed: true });
    expect((await getContact(ctx, "y@example.com")).subscribed).toBe(true);
  });
});

test("the export has exactly the contract's columns, safe cells, and every contact", async () => {
  const { ctx } = await makeProject(database.db);
  await upsertContacts(ctx, [
    { email: "a@example.com", data: { "=cmd": "=1+1", phone: "+49 30 1234", plan: 'p"ro' } },
    ...Array.from({ length: 900 }, (_, index) => ({ email: `n${index}@example.com` })),
  ]);
  const text = await new Response(await exportContacts(ctx, {})).text();
  const lines = text.trimEnd().split("\r\n");
  expect(lines[0]).toBe("email,subscribed,createdAt,'=cmd,phone,plan");
  expect(lines).toHaveLength(902);
  const row = lines.find((line) => line.startsWith("a@example.com"));
  expect(row).toMatch(/^a@example\.com,true,\d{4}-.*Z,'=1\+1,\+49 30 1234,"p""ro"$/);
  const exports = await database.db
    .select({ actorId: auditLog.actorId, details: auditLog.details })
    .from(auditLog)
    .where(and(eq(auditLog.projectId, ctx.projectId), eq(auditLog.action, "export.contacts")));
  expect(exports).toEqual([{ actorId: ctx.actor.id, details: { filters: [] } }]);
});

test("a change that was begun on another state is refused, and one on the last goes through", async () => {
  const { ctx } = await makeProject(database.db);
  const { contact } = await upsertContact(ctx, { email: "based@example.com" });
  const basedOn = contact.updatedAt;
  const first = await updateContact(ctx, contact.id, { firstName: "Ada", basedOn });
  await expect(updateContact(ctx, contact.id, { firstName: "Eve", basedOn })).rejects.toMatchObject(
    { code: "CONFLICT", details: [{ path: "basedOn" }] },
  );
  const second = await updateContact(ctx, contact.id, { lastName: "B", basedOn: first.updatedAt });
  expect(second).toMatchObject({ firstName: "Ada", lastName: "B" });
  expect(second.updatedAt > first.updatedAt && first.updatedAt > basedOn).toBe(true);
  // Without it the last write wins.
  expect(await updateContact(ctx, contact.id, { firstName: "Eve" })).toMatchObject({
    firstName: "Eve",
  });
});
