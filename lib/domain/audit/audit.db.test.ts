import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createApiKey, deleteApiKey } from "@/lib/domain/api-keys/api-keys";
import { createInboundRoute } from "@/lib/domain/inbound/routes";
import { createList, deleteList, updateList } from "@/lib/domain/lists/lists";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { audit } from "@/lib/ground/audit";
import { readRecords } from "@/lib/ground/csv-records";
import { systemContext, type Context } from "@/lib/ground/context";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { exportAuditLog } from "./export";
import { listAuditActors, listAuditEntries } from "./read";
import { auditQuery } from "./schema";

const database = useTestDatabase();
const query = (part: object = {}) => auditQuery.parse(part);
const origin = { address: "192.0.2.7", userAgent: "Mozilla/5.0 Firefox/140.0" };

/** A project whose log begins now. */
async function emptyLog() {
  const project = await makeProject(database.db);
  await database.db.execute(sql`delete from audit_log where project_id = ${project.projectId}`);
  const ctx: Context = { ...project.ctx, origin };
  return { ...project, ctx };
}

describe("the audit log", () => {
  test("says who did what to which thing, newest first, and from where", async () => {
    const { ctx, userId } = await emptyLog();
    const list = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
    const { contact } = await upsertContact(ctx, { email: "ada@example.com" });
    const subscriber = await addSubscriber(ctx, list.id, {
      email: "ada@example.com",
      source: "added",
    });
    const { data } = await listAuditEntries(ctx, query());
    const me = { type: "user", id: encodeId("user", userId), name: expect.any(String) as string };
    expect(data).toMatchObject([
      {
        action: "create.subscriber",
        target: { id: subscriber.id, name: "ada@example.com", pageId: contact.id },
      },
      {
        action: "create.contact",
        target: { id: contact.id, name: "ada@example.com", pageId: contact.id },
      },
      { action: "create.list", actor: me, target: { id: list.id, name: "News", pageId: list.id } },
    ]);
    expect(data[0]).toMatchObject(origin);
  });

  test("names what is gone as its entry does, and leads nowhere", async () => {
    const { ctx } = await emptyLog();
    const list = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
    await deleteList(ctx, list.id);
    const { data } = await listAuditEntries(ctx, query());
    expect(data.map(({ target }) => target)).toEqual([
      { id: list.id, name: "News", pageId: null },
      { id: list.id, name: "News", pageId: null },
    ]);
  });

  test("names an inbound route by its pattern", async () => {
    const { ctx } = await emptyLog();
    const { id: webhookId } = await createWebhook(ctx, {
      url: "https://shop.example/hook",
      events: ["email.received"],
    });
    const route = await createInboundRoute(ctx, { pattern: "orders+*@shop.example", webhookId });
    const { data } = await listAuditEntries(ctx, query({ action: "create.inboundRoute" }));
    expect(data[0]?.target).toEqual({ id: route.id, name: "orders+*@shop.example", pageId: null });
  });

  test("is filtered by action, by actor and by time, and paged without gaps", async () => {
    const { ctx, projectId, userId } = await emptyLog();
    const system = systemContext(database.db, projectId);
    const key: Context = { ...system, actor: { type: "apiKey", id: newUnownedId() } };
    for (const who of [ctx, system, key]) {
      const list = await createList(who, { name: "News", fromEmail: "news@sandbox.test" });
      await updateList(who, list.id, { name: "Other news" });
    }
    const read = async (part: object) =>
      (await listAuditEntries(ctx, query(part))).data.map(({ action, actor }) => [
        action,
        actor.type,
      ]);
    expect(await read({ action: "update.list" })).toEqual([
      ["update.list", "apiKey"],
      ["update.list", "system"],
      ["update.list", "user"],
    ]);
    expect(await read({ actor: encodeId("user", userId), action: "create.list" })).toEqual([
      ["create.list", "user"],
    ]);
    expect(await read({ actor: "system" })).toHaveLength(2);
    expect(await read({ actor: encodeId("apiKey", newUnownedId()) })).toEqual([]);
    expect(await read({ endDate: "2020-01-01" })).toEqual([]);
    expect(await read({ startDate: "2020-01-01" })).toHaveLength(6);

    const all = (await listAuditEntries(ctx, query())).data.map(({ id }) => id);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAuditEntries(ctx, query({ limit: 4, ...(cursor ? { cursor } : {}) }));
      paged.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(paged).toEqual(all);
  });

  test("keeps the name of a key that was revoked, and offers it as an actor", async () => {
    const { ctx, projectId } = await emptyLog();
    const key = await createApiKey(ctx, { name: "Shop", scope: "full", mode: "live" });
    await deleteApiKey(ctx, key.id);
    const { data } = await listAuditEntries(ctx, query());
    expect(data.map(({ action, target }) => [action, target?.name])).toEqual([
      ["delete.apiKey", "Shop"],
      ["create.apiKey", "Shop"],
    ]);
    expect((await listAuditActors(ctx)).data).toContainEqual({
      type: "apiKey",
      id: key.id,
      name: "Shop",
    });
    // What was written before addresses had a column.
    await audit(database.db, systemContext(database.db, projectId), "refuse.session", null, {
      by: "password",
      address: "192.0.2.9",
    });
    expect((await listAuditEntries(ctx, query({ limit: 1 }))).data).toMatchObject([
      { address: "192.0.2.9", userAgent: null, details: { by: "password" } },
    ]);
  });

  test("is for admins and owners, and each project's own", async () => {
    const { ctx } = await emptyLog();
    await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
    for (const role of ["viewer", "editor"] as const) {
      await expect(listAuditEntries({ ...ctx, role }, query())).rejects.toMatchObject({
        code: "NOT_ALLOWED",
      });
    }
    const { ctx: elsewhere } = await emptyLog();
    expect((await listAuditEntries({ ...elsewhere, role: "admin" }, query())).data).toEqual([]);
  });
});

test("the export has every entry in words, no formulas, and is itself in the log", async () => {
  const { ctx } = await emptyLog();
  await createList(ctx, { name: "=1+1", fromEmail: "news@sandbox.test" });
  const rows: string[][] = [];
  const text = await new Response(await exportAuditLog(ctx, {})).text();
  for await (const records of readRecords(Readable.from([text]), ",")) {
    rows.push(...records.map(({ cells }) => cells));
  }
  const [header = [], ...entries] = rows;
  const column = (name: string) => entries.map((cells) => cells[header.indexOf(name)]);
  expect(column("action")).toEqual(["export.auditLog", "create.list"]);
  expect(column("target")).toEqual(["", "'=1+1"]);
  expect(column("address")).toEqual(["192.0.2.7", "192.0.2.7"]);
  expect(column("what")[1]).toMatch(/@example\.com created the list =1\+1$/);
});
