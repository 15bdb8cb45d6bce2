import { and, count, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  consentChanges,
  contacts,
  emails,
  messages,
  projectEvents,
  subscribers,
} from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { listAuditEntries } from "@/lib/domain/audit/read";
import { getBulkChange } from "@/lib/domain/contact-fields/bulk-change-rows";
import { startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import { bulkChangeInput } from "@/lib/domain/contact-fields/schema";
import { cancelBulkChange, undoBulkChange } from "@/lib/domain/contact-fields/take-back";
import { getContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { addListField } from "@/lib/domain/lists/lists";
import { unsubscribe } from "@/lib/domain/lists/change-subscribers";
import type { Context } from "@/lib/ground/context";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { join, makeList } from "@/lib/testing/opt-outs";
import { runBulkChange, runBulkChanges } from "./run";
import { runSmall } from "./small";

const database = useTestDatabase();

const add = async (ctx: Context, email: string, more: object = {}) =>
  (await upsertContact(ctx, { email, ...more })).contact.id;
const start = (ctx: Context, input: object) =>
  startBulkChange(ctx, validate(bulkChangeInput, input));
const run = () => runBulkChanges(database.db, AbortSignal.timeout(60_000));
const tagsOf = async (ctx: Context, email: string) => (await getContact(ctx, email)).tags;
const tagAll = { action: "tag", name: "vip", filter: {} };

async function addMany(projectId: string, number: number) {
  await database.db.execute(sql`
    insert into contacts (id, project_id, email, consent, tags, data)
    select new_id(${projectId}), ${projectId}, 'many' || n || '@example.com', 'subscribed', '{}', '{}'
    from generate_series(1, ${number}) n`);
}

const eventsOf = async (projectId: string) => {
  const rows = await database.db
    .select({ event: projectEvents.event, number: count() })
    .from(projectEvents)
    .where(eq(projectEvents.projectId, projectId))
    .groupBy(projectEvents.event);
  return Object.fromEntries(rows.map(({ event, number }) => [event, number]));
};

const statusesOf = async (ctx: Context) => {
  const rows = await database.db
    .select({ email: contacts.email, status: subscribers.status })
    .from(subscribers)
    .innerJoin(contacts, eq(contacts.id, subscribers.contactId))
    .where(eq(subscribers.projectId, ctx.projectId));
  return Object.fromEntries(
    rows.map(({ email, status }) => [email.replace("@example.com", ""), status]),
  );
};

describe("a change of chosen contacts", () => {
  test("is about those who match when it is asked for, and nobody who comes later or is another project's", async () => {
    const { ctx } = await makeProject(database.db);
    const other = await makeProject(database.db);
    await add(ctx, "ada@example.com");
    await add(other.ctx, "ada@example.com");
    const { id, total } = await start(ctx, tagAll);
    expect(total).toBe(1);
    await add(ctx, "later@example.com");
    await run();
    expect(await tagsOf(ctx, "ada@example.com")).toEqual(["vip"]);
    expect(await tagsOf(ctx, "later@example.com")).toEqual([]);
    expect(await tagsOf(other.ctx, "ada@example.com")).toEqual([]);
    for (const act of [getBulkChange, cancelBulkChange, undoBulkChange]) {
      await expect(act(other.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("goes on with the same contacts after its worker died, and counts nobody twice", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await addMany(projectId, 5_000);
    const { id } = await start(ctx, tagAll);
    let transactions = 0;
    const dying = new Proxy(database.db, {
      get: (db, name) =>
        name === "transaction" && ++transactions > 1
          ? () => new Promise(() => undefined)
          : (Reflect.get(db, name) as unknown),
    });
    void runBulkChanges(dying, new AbortController().signal);
    await expect
      .poll(async () => (await getBulkChange(ctx, id)).processed, { timeout: 20_000 })
      .toBe(2_000);
    expect(await run()).toBe(0);
    await database.travel("3 minutes");
    expect(await run()).toBe(3_000);
    expect(await getBulkChange(ctx, id)).toMatchObject({
      ...{ status: "COMPLETED", total: 5_000, processed: 5_000, changed: 5_000, refused: {} },
    });
    expect((await eventsOf(projectId))["contact.updated"]).toBe(5_000);
  });

  test("is cancelled between two chunks: who was changed stays changed, and may be taken back", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await addMany(projectId, 3_000);
    const { id } = await start(ctx, tagAll);
    await cancelBulkChange(ctx, id);
    expect(await run()).toBe(0);
    expect(await getBulkChange(ctx, id)).toMatchObject({
      ...{ status: "CANCELLED", changed: 0, undoable: false },
    });
    await expect(cancelBulkChange(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
    const rename = await start(ctx, { action: "rename_tag", name: "a", newName: "b" });
    await expect(cancelBulkChange(ctx, rename.id)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("is taken back for exactly those whom it changed, once", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "before@example.com", { tags: ["vip"] });
    await add(ctx, "ada@example.com");
    const { id } = await start(ctx, tagAll);
    await expect(undoBulkChange(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
    await run();
    expect(await getBulkChange(ctx, id)).toMatchObject({ changed: 1, undoable: true });
    const back = await undoBulkChange(ctx, id);
    expect(back).toMatchObject({ action: "untag", total: 1 });
    await run();
    expect(await tagsOf(ctx, "before@example.com")).toEqual(["vip"]);
    expect(await tagsOf(ctx, "ada@example.com")).toEqual([]);
    expect((await getBulkChange(ctx, id)).undoable).toBe(false);
    await expect(undoBulkChange(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("says whom it passed over and why", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await add(ctx, "full@example.com", {
      tags: Array.from({ length: 100 }, (_, index) => `tag${index}`),
    });
    await add(ctx, "gone@example.com");
    await add(ctx, "has@example.com", { tags: ["vip"] });
    const { id } = await start(ctx, tagAll);
    await database.db
      .delete(contacts)
      .where(and(eq(contacts.projectId, projectId), eq(contacts.email, "gone@example.com")));
    await run();
    expect(await getBulkChange(ctx, id)).toMatchObject({
      ...{ status: "COMPLETED", total: 3, changed: 0, refused: { gone: 1, tagLimit: 1 } },
    });
  });

  test("of few is made at once; ids of nobody and of other projects are ignored", async () => {
    const { ctx } = await makeProject(database.db);
    const other = await makeProject(database.db);
    const contactIds = [
      await add(ctx, "ada@example.com"),
      await add(other.ctx, "eve@example.com"),
      "con_nobody",
    ];
    const change = await start(ctx, { action: "tag", name: "vip", contactIds });
    expect(await runSmall(ctx, change)).toMatchObject({ status: "COMPLETED", changed: 1 });
    expect(await tagsOf(ctx, "ada@example.com")).toEqual(["vip"]);
    expect(await tagsOf(other.ctx, "eve@example.com")).toEqual([]);
    // A worker that was faster keeps it.
    await runBulkChange(database.db, "00000000-0000-7000-8000-000000000000");
  });

  test("needs an editor, and names what is wrong", async () => {
    const { ctx } = await makeProject(database.db);
    const viewer: Context = { ...ctx, role: "viewer" };
    await expect(start(viewer, tagAll)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    for (const act of [cancelBulkChange, undoBulkChange]) {
      await expect(act(viewer, "bch_x")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    }
    for (const [wrong, path] of [
      [{ action: "tag", filter: {} }, "name"],
      [{ action: "delete" }, "filter"],
      [{ action: "delete", name: "vip", filter: {} }, "name"],
      [{ action: "join_list", filter: {} }, "listId"],
      [{ action: "unsubscribe", filter: {}, listId: "lst_x" }, "listId"],
      [{ action: "unsubscribe", filter: {}, contactIds: ["con_x"] }, "contactIds"],
      [{ action: "remove_tag", name: "vip", contactIds: ["con_x"] }, "contactIds"],
    ] as const) {
      expect(() => validate(bulkChangeInput, wrong)).toThrow(path);
    }
    await expect(
      start(ctx, { action: "join_list", filter: {}, listId: "lst_x" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

test("unsubscribing writes each person's history and tells of each, and of nobody who had left", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await add(ctx, "ada@example.com");
  await add(ctx, "left@example.com", { unsubscribed: true });
  const { id } = await start(ctx, { action: "unsubscribe", filter: {} });
  await run();
  expect(await getBulkChange(ctx, id)).toMatchObject({ changed: 1, undoable: false });
  expect((await getContact(ctx, "ada@example.com")).subscribed).toBe(false);
  expect(await eventsOf(projectId)).toMatchObject({
    ...{ "contact.unsubscribed": 1, "contact.updated": 1 },
  });
  const history = await database.db
    .select()
    .from(consentChanges)
    .where(and(eq(consentChanges.projectId, projectId), eq(consentChanges.before, "subscribed")));
  expect(history).toMatchObject([
    { after: "unsubscribed", origin: ctx.actor.type, actorId: ctx.actor.id, listId: null },
  ]);
  const { data } = await listAuditEntries(ctx, { limit: 1 });
  expect(data).toMatchObject([{ action: "unsubscribe.contacts", details: { contacts: 1 + 1 } }]);
});

test("deleting erases each of them", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  for (let index = 0; index < 30; index++) await add(ctx, `p${index}@example.com`);
  await add(ctx, "stays@example.org");
  const { id } = await start(ctx, { action: "delete", filter: { search: "@example.com" } });
  await run();
  expect(await getBulkChange(ctx, id)).toMatchObject({ status: "COMPLETED", changed: 30 });
  expect(await database.db.$count(contacts, eq(contacts.projectId, projectId))).toBe(1);
  expect((await eventsOf(projectId))["contact.deleted"]).toBe(30);
});

describe("joining a list", () => {
  test("adds those who are not on it, and brings nobody back who left it or everything", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const list = await makeList(ctx);
    await add(ctx, "new@example.com");
    await add(ctx, "everything@example.com", { unsubscribed: true });
    await join(ctx, list.id, "member@example.com");
    const left = await join(ctx, list.id, "left@example.com");
    await unsubscribe(ctx, left.id);
    const before = await eventsOf(projectId);
    const { id, name } = await start(ctx, { action: "join_list", listId: list.id, filter: {} });
    expect(name).toBe("News");
    await run();
    expect(await getBulkChange(ctx, id)).toMatchObject({
      ...{ total: 4, changed: 1, refused: { unsubscribed: 1, leftList: 1 }, listId: list.id },
    });
    expect(await statusesOf(ctx)).toEqual({
      ...{ new: "subscribed", member: "subscribed", left: "unsubscribed" },
    });
    const after = await eventsOf(projectId);
    expect(after["contact.subscribed"]).toBe((before["contact.subscribed"] ?? 0) + 1);
    await database.db.execute(sql`
      update subscribers set status = 'bounced' where project_id = ${projectId} and contact_id in (
        select id from contacts where project_id = ${projectId} and email = 'new@example.com')`);
    const leaving = await start(ctx, { action: "leave_list", listId: list.id, filter: {} });
    await run();
    expect(await statusesOf(ctx)).toEqual({ left: "unsubscribed" });
    expect(await getBulkChange(ctx, leaving.id)).toMatchObject({
      ...{ changed: 2, refused: { leftList: 1 } },
    });
  });

  test("asks each of them where the list wants confirmation, into the captured mailbox with a test key", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const list = await makeList(ctx, { subscribeConfirmation: true });
    await add(ctx, "ada@example.com");
    await add(ctx, "eve@example.com", { unsubscribed: true });
    const input = { action: "join_list", listId: list.id, filter: {} };
    await start({ ...ctx, testMode: true }, input);
    await run();
    expect(await statusesOf(ctx)).toEqual({ ada: "unconfirmed" });
    const mail = await database.db
      .select({ recipient: emails.recipient, test: messages.test })
      .from(emails)
      .innerJoin(messages, eq(messages.id, emails.messageId))
      .where(eq(emails.projectId, projectId));
    expect(mail).toEqual([{ recipient: "ada@example.com", test: true }]);
    await start(ctx, input);
    await run();
    expect(await database.db.$count(emails, eq(emails.projectId, projectId))).toBe(1);
  });

  test("asks nobody whose address is suppressed, and says of whom mail bounced or who complained", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const list = await makeList(ctx, { subscribeConfirmation: true });
    const reasons = ["hard_bounce", "complaint", "manual"] as const;
    for (const reason of reasons) {
      await add(ctx, `${reason}@example.com`);
      await database.db.execute(sql`
        insert into suppressions (id, project_id, email, reason)
        values (new_id(${projectId}), ${projectId}, ${`${reason}@example.com`}, ${reason})`);
    }
    await start(ctx, { action: "join_list", listId: list.id, filter: {} });
    await run();
    expect(await statusesOf(ctx)).toEqual({
      ...{ hard_bounce: "bounced", complaint: "complained", manual: "unconfirmed" },
    });
    expect(await database.db.$count(emails, eq(emails.projectId, projectId))).toBe(0);
  });

  test("is refused where the list requires what many cannot be given", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx);
    await addListField(ctx, list.id, { tag: "CITY", label: "City", type: "text", required: true });
    await expect(
      start(ctx, { action: "join_list", listId: list.id, filter: {} }),
    ).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("CITY") });
  });
});
