import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { contacts, emails, lists, subscribers } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { getImport, startImport } from "@/lib/domain/imports/imports";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { join, makeList } from "@/lib/testing/opt-outs";
import { takeOverImports } from "./apply-rows";

const database = useTestDatabase();

async function importCsv(ctx: Context, csv: string, more: { tags?: string[]; listId?: string }) {
  const file = Readable.from([Buffer.from(csv)]);
  const { id } = await startImport(ctx, { file, filename: "people.csv", ...more });
  await takeOverImports(database.db, { signal: AbortSignal.timeout(20_000) });
  return getImport(ctx, id);
}
const tagsOf = async (ctx: Context, email: string) => (await getContact(ctx, email)).tags;

test("tags of an import come beside those people have, however often it is repeated", async () => {
  const { ctx } = await makeProject(database.db);
  await upsertContact(ctx, { email: "ada@example.com", tags: ["vip"] });
  const full = Array.from({ length: 100 }, (_, index) => `tag${index}`);
  await upsertContact(ctx, { email: "full@example.com", tags: full });
  const csv = "email,tags\nada@example.com,\nnew@example.com,press\nfull@example.com,\n";
  for (let times = 0; times < 2; times++) {
    expect(await importCsv(ctx, csv, { tags: ["fair", "press"] })).toMatchObject({
      ...{ status: "COMPLETED", refused: 0, tags: ["fair", "press"], listId: null, joined: 0 },
    });
    expect(await tagsOf(ctx, "ada@example.com")).toEqual(["vip", "fair", "press"]);
    expect(await tagsOf(ctx, "new@example.com")).toEqual(["press", "fair"]);
    expect(await tagsOf(ctx, "full@example.com")).toEqual(full);
  }
});

test("everybody in the file joins the list, but those who left it or everything", async () => {
  const { ctx } = await makeProject(database.db);
  const list = await makeList(ctx);
  await upsertContact(ctx, { email: "left@example.com", unsubscribed: true });
  await join(ctx, list.id, "member@example.com");
  const rows = Array.from({ length: 450 }, (_, index) => `p${index}@example.com`);
  const csv = ["email", "left@example.com", "member@example.com", ...rows].join("\n");
  expect(await importCsv(ctx, csv, { listId: list.id })).toMatchObject({
    ...{ status: "COMPLETED", created: 450, listId: list.id, joined: 450, notJoined: 1 },
  });
  const members = eq(subscribers.projectId, ctx.projectId);
  expect(await database.db.$count(subscribers, members)).toBe(451);
  expect(await importCsv(ctx, csv, { listId: list.id })).toMatchObject({
    ...{ updated: 452, joined: 0, notJoined: 1 },
  });
});

test("a list that wants confirmation asks each of them, and new people have agreed to nothing before", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const list = await makeList(ctx, { subscribeConfirmation: true });
  await importCsv(ctx, "email\nada@example.com\n", { listId: list.id });
  const [ada] = await database.db
    .select({ consent: contacts.consent, status: subscribers.status, source: subscribers.source })
    .from(contacts)
    .innerJoin(subscribers, eq(subscribers.contactId, contacts.id))
    .where(eq(contacts.projectId, projectId));
  expect(ada).toEqual({ consent: "never", status: "unconfirmed", source: "import" });
  expect(await database.db.$count(emails, eq(emails.projectId, projectId))).toBe(1);
});

test("an import into a list that is deleted meanwhile ends and says so; another project's list is not found", async () => {
  const { ctx } = await makeProject(database.db);
  const other = await makeProject(database.db);
  const list = await makeList(ctx);
  const csv = "email\nada@example.com\n";
  await expect(importCsv(other.ctx, csv, { listId: list.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const file = Readable.from([Buffer.from(csv)]);
  const { id } = await startImport(ctx, { file, listId: list.id });
  await database.db.delete(lists).where(eq(lists.id, decodeId("list", list.id) ?? ""));
  await takeOverImports(database.db, { signal: AbortSignal.timeout(20_000) });
  expect(await getImport(ctx, id)).toMatchObject({
    status: "FAILED",
    failureReason: "The list has been deleted meanwhile.",
  });
});
