import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { listAuditEntries } from "@/lib/domain/audit/read";
import { getBulkChange, listBulkChanges } from "@/lib/domain/contact-fields/bulk-change-rows";
import { previewBulkChange, startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import {
  describeContactField,
  listContactFields,
  listContactTags,
} from "@/lib/domain/contact-fields/fields";
import { bulkChangeInput } from "@/lib/domain/contact-fields/schema";
import { getContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createForm, getForm } from "@/lib/domain/forms/forms";
import { createSegment, getSegment } from "@/lib/domain/segments/segments";
import { createSavedBlock } from "@/lib/domain/saved-blocks/saved-blocks";
import { savedBlockInput } from "@/lib/domain/saved-blocks/schema";
import { createTemplate } from "@/lib/domain/templates/templates";
import type { Context } from "@/lib/ground/context";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { runBulkChanges } from "./run";

const database = useTestDatabase();

const add = (ctx: Context, email: string, data: Record<string, unknown>, tags: string[] = []) =>
  upsertContact(ctx, { email, data, tags });
const start = (ctx: Context, input: object) =>
  startBulkChange(ctx, validate(bulkChangeInput, input));
const preview = (ctx: Context, input: object) =>
  previewBulkChange(ctx, validate(bulkChangeInput, input));
const run = () => runBulkChanges(database.db, AbortSignal.timeout(20_000));
const dataOf = async (ctx: Context, email: string) => (await getContact(ctx, email)).data;
const tagsOf = async (ctx: Context, email: string) => (await getContact(ctx, email)).tags;

/** Many contacts, so that a change takes several chunks. */
async function addMany(projectId: string, count: number) {
  await database.db.execute(sql`
    insert into contacts (id, project_id, email, consent, tags, data)
    select new_id(${projectId}), ${projectId}, 'many' || n || '@example.com', 'subscribed',
      array['vip'], jsonb_build_object('plan', n)
    from generate_series(1, ${count}) n`);
}

describe("renaming a field", () => {
  const rename = { action: "rename_field", name: "plan", newName: "tier" };

  test("changes everybody who has it, and nobody else's contacts", async () => {
    const { ctx } = await makeProject(database.db);
    const other = await makeProject(database.db);
    await add(ctx, "ada@example.com", { plan: "pro", city: "Bern" });
    await add(ctx, "eve@example.com", { city: "Rome" });
    await add(other.ctx, "ada@example.com", { plan: "pro" });
    const { id } = await start(ctx, rename);
    await run();
    expect(await dataOf(ctx, "ada@example.com")).toEqual({ tier: "pro", city: "Bern" });
    expect(await dataOf(ctx, "eve@example.com")).toEqual({ city: "Rome" });
    expect(await dataOf(other.ctx, "ada@example.com")).toEqual({ plan: "pro" });
    expect(await getBulkChange(ctx, id)).toMatchObject({
      status: "COMPLETED",
      progress: 1,
      changed: 1,
    });
    await expect(getBulkChange(other.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await listBulkChanges(other.ctx, { limit: 10 })).data).toEqual([]);
  });

  test("renames it in segments, forms and its description", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "ada@example.com", { plan: { name: "pro" } });
    await describeContactField(ctx, "plan", {
      kind: "text",
      description: "What they pay for",
      acceptMisfits: true,
    });
    const { id } = await createSegment(ctx, {
      name: "Pro",
      filter: { or: [{ and: [{ field: "data.plan.name", op: "eq", value: "pro" }] }] },
    });
    const form = await createForm(ctx, {
      name: "Footer",
      questions: [{ key: "data.plan", label: "Plan", required: true }],
    });
    await start(ctx, rename);
    await run();
    const segment = await getSegment(ctx, id);
    expect(segment.filter).toEqual({
      or: [{ and: [{ field: "data.tier.name", op: "eq", value: "pro" }] }],
    });
    expect(segment.contactCount).toBe(1);
    expect((await getForm(ctx, form.id)).questions).toEqual([
      { key: "data.tier", label: "Plan", required: true },
    ]);
    expect((await listContactFields(ctx)).data).toMatchObject([
      { key: "tier", described: true, description: "What they pay for", contacts: 1 },
    ]);
  });

  test("is refused for a name that contacts have, and puts both together when told to", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "both@example.com", { plan: "old", tier: "new" });
    await add(ctx, "ada@example.com", { plan: "pro" });
    await expect(start(ctx, rename)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await preview(ctx, rename)).toMatchObject({
      contacts: 2,
      both: 1,
      taken: true,
      refusal: expect.stringContaining("tier already"),
    });
    expect(await preview(ctx, { ...rename, merge: true })).toMatchObject({
      taken: true,
      refusal: null,
    });
    expect(await preview(ctx, { ...rename, newName: "level" })).toMatchObject({
      taken: false,
      refusal: null,
    });
    await start(ctx, { ...rename, merge: true });
    await run();
    expect(await dataOf(ctx, "both@example.com")).toEqual({ tier: "new" });
    expect(await dataOf(ctx, "ada@example.com")).toEqual({ tier: "pro" });
  });

  test("continues where a worker that died left it, and a second change is refused meanwhile", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await addMany(projectId, 12_000);
    const { id } = await start(ctx, rename);
    await expect(start(ctx, { action: "remove_tag", name: "vip" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect((await start(ctx, rename)).id).toBe(id);
    // Dies with its second chunk: the claim and the first one are committed.
    let transactions = 0;
    const dying = new Proxy(database.db, {
      get: (db, name) =>
        name === "transaction" && ++transactions > 1
          ? () => new Promise(() => undefined)
          : (Reflect.get(db, name) as unknown),
    });
    void runBulkChanges(dying, new AbortController().signal);
    await expect
      .poll(async () => (await getBulkChange(ctx, id)).progress, { timeout: 20_000 })
      .toBeGreaterThan(0);
    const { progress } = await getBulkChange(ctx, id);
    expect(progress).toBeLessThan(0.5);
    expect(await run()).toBe(0);
    await database.travel("3 minutes");
    expect(await run()).toBe(12_000);
    expect(await getBulkChange(ctx, id)).toMatchObject({ status: "COMPLETED", changed: 12_000 });
    const [left] = await database.db.execute(sql`
      select count(*) filter (where data ? 'plan')::int as old,
        count(*) filter (where data ? 'tier')::int as new from contacts where project_id = ${projectId}`);
    expect(left).toEqual({ old: 0, new: 12_000 });
  });

  test("takes along what got the old name after the copy", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "ada@example.com", { plan: "late" });
    await start(ctx, rename);
    await database.db.execute(sql`update bulk_changes set stage = 'clear'`);
    await run();
    expect(await dataOf(ctx, "ada@example.com")).toEqual({ tier: "late" });
  });
});

describe("removing a field", () => {
  test("is refused while a segment or a form uses it", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "ada@example.com", { plan: "pro", city: "Bern" });
    await createSegment(ctx, {
      name: "Not free",
      filter: { and: [{ field: "data.plan", op: "neq", value: "free" }] },
    });
    await createForm(ctx, {
      name: "Footer",
      questions: [{ key: "data.city", label: "City", required: false }],
    });
    for (const [name, user] of [
      ["plan", "the segment Not free"],
      ["city", "the form Footer"],
    ]) {
      await expect(start(ctx, { action: "remove_field", name })).rejects.toMatchObject({
        code: "CONFLICT",
        message: expect.stringContaining(user ?? "") as string,
      });
    }
  });

  test("takes it from everybody and forgets its description", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "ada@example.com", { plan: "pro", city: "Bern" });
    await describeContactField(ctx, "plan", { kind: "text" });
    await start(ctx, { action: "remove_field", name: "plan" });
    await run();
    expect(await dataOf(ctx, "ada@example.com")).toEqual({ city: "Bern" });
    expect((await listContactFields(ctx)).data.map(({ key }) => key)).toEqual(["city"]);
  });
});

describe("tags", () => {
  test("are renamed, in filters too, and keep the others", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "ada@example.com", {}, ["vip", "press"]);
    const { id } = await createSegment(ctx, {
      name: "Guests",
      filter: { and: [{ field: "tags", op: "in", value: ["vip", "press"] }] },
    });
    await start(ctx, { action: "rename_tag", name: "vip", newName: "guest" });
    await run();
    expect((await tagsOf(ctx, "ada@example.com")).sort()).toEqual(["guest", "press"]);
    expect((await getSegment(ctx, id)).filter).toEqual({
      and: [{ field: "tags", op: "in", value: ["guest", "press"] }],
    });
    expect((await listContactTags(ctx)).data).toEqual([
      { tag: "guest", contacts: 1 },
      { tag: "press", contacts: 1 },
    ]);
  });

  test("go into another without being there twice", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "both@example.com", {}, ["vip", "guest"]);
    const merge = { action: "rename_tag", name: "vip", newName: "guest" };
    await expect(start(ctx, merge)).rejects.toMatchObject({ code: "CONFLICT" });
    await start(ctx, { ...merge, merge: true });
    await run();
    expect(await tagsOf(ctx, "both@example.com")).toEqual(["guest"]);
  });

  test("are put on all that match, and taken off them", async () => {
    const { ctx } = await makeProject(database.db);
    await add(ctx, "ada@example.com", { plan: "pro" });
    await add(ctx, "eve@example.com", { plan: "free" }, ["old"]);
    const segment = await createSegment(ctx, {
      name: "Pro",
      filter: { and: [{ field: "data.plan", op: "eq", value: "pro" }] },
    });
    const tagged = { action: "tag", name: "vip", filter: { segmentId: segment.id } };
    expect(await preview(ctx, tagged)).toMatchObject({ contacts: 1, refusal: null });
    await start(ctx, tagged);
    await run();
    expect(await tagsOf(ctx, "ada@example.com")).toEqual(["vip"]);
    expect(await tagsOf(ctx, "eve@example.com")).toEqual(["old"]);
    await start(ctx, { action: "untag", name: "old", filter: { tag: "old" } });
    await run();
    expect(await tagsOf(ctx, "eve@example.com")).toEqual([]);
    const other = await makeProject(database.db);
    await expect(start(other.ctx, tagged)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

test("what names a field is found before it is renamed", async () => {
  const { ctx } = await makeProject(database.db);
  await add(ctx, "ada@example.com", { plan: "pro" });
  await createTemplate(ctx, {
    name: "Welcome",
    subject: "Your {{ plan }}",
    body: "<p>{% if data.plan == 'pro' %}Thanks{% endif %}, planner</p>",
  });
  await createTemplate(ctx, { name: "Other", subject: "A plan", body: "<p>{{ planet }}</p>" });
  const line = (words: object) => ({ type: "paragraph", content: [words] });
  const placeholder = { type: "placeholder", attrs: { name: "data.plan", fallback: "none" } };
  for (const [name, words] of [
    ["Signature", placeholder],
    ["Planner", { type: "text", text: "Our plan" }],
  ] as const) {
    const input = validate(savedBlockInput, { name, content: [line(words)] });
    await createSavedBlock(ctx, input);
  }
  const found = await preview(ctx, { action: "rename_field", name: "plan", newName: "tier" });
  expect(found).toMatchObject({ contacts: 1, both: 0, refusal: null });
  expect(found.savedBlocks).toMatchObject([
    { name: "Signature", placeholders: ["{{ data.plan | default: 'none' }}"] },
  ]);
  expect(found.templates).toEqual([
    {
      id: expect.any(String) as string,
      name: "Welcome",
      placeholders: ["{{ plan }}", "{% if data.plan == 'pro' %}"],
    },
  ]);
});

test("a viewer may look and change nothing; every change is in the audit log", async () => {
  const { ctx } = await makeProject(database.db);
  const viewer: Context = { ...ctx, role: "viewer" };
  const removal = { action: "remove_tag", name: "vip" };
  await expect(start(viewer, removal)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await expect(describeContactField(viewer, "plan", { kind: "text" })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  expect(await preview(viewer, removal)).toMatchObject({ contacts: 0 });
  await start(ctx, removal);
  const { data } = await listAuditEntries(ctx, { limit: 1 });
  expect(data).toMatchObject([{ action: "remove.contactTag" }]);
});
