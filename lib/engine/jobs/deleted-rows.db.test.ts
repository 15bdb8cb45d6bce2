import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLog, deletedRows, memberships } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import {
  createInboundRoute,
  deleteInboundRoute,
  listInboundRoutes,
  restoreInboundRoute,
} from "@/lib/domain/inbound/routes";
import {
  createSavedBlock,
  deleteSavedBlock,
  listSavedBlocks,
  restoreSavedBlock,
} from "@/lib/domain/saved-blocks/saved-blocks";
import { mostSavedBlocks } from "@/lib/domain/saved-blocks/schema";
import {
  createSegment,
  deleteSegment,
  getSegment,
  restoreSegment,
} from "@/lib/domain/segments/segments";
import { deleteTemplate, restoreTemplate } from "@/lib/domain/templates/delete";
import { keepTemplateDraft, readTemplateDraft } from "@/lib/domain/templates/drafts";
import { createTemplate, getTemplate, updateTemplate } from "@/lib/domain/templates/templates";
import { listTemplateVersions } from "@/lib/domain/templates/versions";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { createWebhook, deleteWebhook } from "@/lib/domain/webhooks/webhooks";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { allOf } from "@/lib/testing/all-of";
import { cleanUp } from "./cleanup";

const database = useTestDatabase();
let ctx: Context;
beforeEach(async () => {
  ({ ctx } = await makeProject(database.db));
});

const versionsOf = async (...of: Parameters<typeof listTemplateVersions>) =>
  allOf(await listTemplateVersions(...of));
const kept = async () =>
  (await database.db.select().from(deletedRows).where(eq(deletedRows.projectId, ctx.projectId)))
    .length;
const gone = { code: "NOT_FOUND" };

/** A member of the project, signed in. */
async function member(): Promise<Context & { actor: { id: string } }> {
  const email = `${newId(ctx.projectId)}@example.com`;
  const { id } = await findOrCreateUser(database.db, { email });
  const of = { projectId: ctx.projectId, userId: id, role: "editor" } as const;
  await database.db.insert(memberships).values(of);
  return { ...ctx, role: "editor", actor: { type: "user", id } };
}

const line = [{ type: "spacer", attrs: { height: 24 } }];

test("a template comes back as it was: content, versions and the drafts of those who are still there", async () => {
  const [ada, grace] = [await member(), await member()];
  const input = { name: "News", subject: "Hi", body: '<p>\u00e9 \\ " {{ x }}</p>\n' };
  const { id } = await createTemplate(ctx, input);
  await updateTemplate(ctx, id, { subject: "Hello" });
  for (const by of [ada, grace]) {
    await keepTemplateDraft(by, id, { changes: { subject: "Mine" }, fromVersion: 2 });
  }
  const before = [await getTemplate(ctx, id), await versionsOf(ctx, id)];
  const drafted = await readTemplateDraft(ada, id);
  await deleteTemplate(ctx, id);
  await expect(getTemplate(ctx, id)).rejects.toMatchObject(gone);
  await database.db
    .delete(memberships)
    .where(and(eq(memberships.projectId, ctx.projectId), eq(memberships.userId, grace.actor.id)));

  await restoreTemplate(ctx, id);
  expect([await getTemplate(ctx, id), await versionsOf(ctx, id)]).toEqual(before);
  expect(await readTemplateDraft(ada, id)).toEqual(drafted);
  expect(await readTemplateDraft(grace, id)).not.toEqual(drafted);
  expect(await kept()).toBe(0);
  await expect(restoreTemplate(ctx, id)).rejects.toMatchObject(gone);
  // And again, as often as it is deleted.
  await deleteTemplate(ctx, id);
  await restoreTemplate(ctx, id);
  expect([await getTemplate(ctx, id), await versionsOf(ctx, id)]).toEqual(before);
  const told = await database.db
    .select({ details: auditLog.details })
    .from(auditLog)
    .where(and(eq(auditLog.projectId, ctx.projectId), eq(auditLog.action, "create.template")))
    .orderBy(auditLog.id);
  expect(told.slice(1)).toEqual([1, 2].map(() => ({ details: { name: "News", restored: true } })));
});

test("a segment comes back with its id, so that what refers to it finds it", async () => {
  const filter = { and: [{ field: "data.plan", op: "eq", value: "pro" }] } as const;
  const { id } = await createSegment(ctx, { name: "Pro", filter: { and: [...filter.and] } });
  const before = await getSegment(ctx, id);
  await deleteSegment(ctx, id);
  await restoreSegment(ctx, id);
  expect(await getSegment(ctx, id)).toEqual(before);
});

describe("what has taken its place stays", () => {
  test("another saved block with its name, and as many as there may be", async () => {
    const { id } = await createSavedBlock(ctx, { name: "Line", content: line });
    const [before] = (await listSavedBlocks(ctx)).data;
    await deleteSavedBlock(ctx, id);
    const other = await createSavedBlock(ctx, { name: "LINE", content: line });
    await expect(restoreSavedBlock(ctx, id)).rejects.toMatchObject({
      code: "CONFLICT",
      message: "Something else has its name or place by now.",
    });
    await deleteSavedBlock(ctx, other.id);
    for (let count = 0; count < mostSavedBlocks; count++) {
      await createSavedBlock(ctx, { name: `Line ${count}`, content: line });
    }
    await expect(restoreSavedBlock(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
    const [first] = (await listSavedBlocks(ctx)).data;
    await deleteSavedBlock(ctx, first?.id ?? "");
    await restoreSavedBlock(ctx, id);
    expect((await listSavedBlocks(ctx)).data.find((one) => one.id === id)).toEqual(before);
  });

  test("another route with its pattern; and one whose webhook is gone stays away", async () => {
    const webhook = await createWebhook(ctx, { url: "https://hooks.example.com", events: ["*"] });
    const route = { pattern: "support@example.com", webhookId: webhook.id };
    const { id } = await createInboundRoute(ctx, route);
    const before = await listInboundRoutes(ctx, { limit: 10 });
    await deleteInboundRoute(ctx, id);
    await restoreInboundRoute(ctx, id);
    expect(await listInboundRoutes(ctx, { limit: 10 })).toEqual(before);
    await deleteInboundRoute(ctx, id);
    const other = await createInboundRoute(ctx, route);
    await expect(restoreInboundRoute(ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
    await deleteInboundRoute(ctx, other.id);
    await deleteWebhook(ctx, webhook.id);
    await expect(restoreInboundRoute(ctx, id)).rejects.toMatchObject({
      code: "CONFLICT",
      message: "What it belonged to is gone, so that it cannot be brought back.",
    });
  });
});

test("nobody else brings it back: not another project, not a viewer, not after ten minutes", async () => {
  const { ctx: another } = await makeProject(database.db);
  const { id } = await createSegment(ctx, { name: "All", filter: { and: [] } });
  await deleteSegment(ctx, id);
  await expect(restoreSegment(another, id)).rejects.toMatchObject(gone);
  await expect(restoreSegment({ ...ctx, role: "viewer" }, id)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  await expect(restoreSegment(ctx, "seg_nonsense")).rejects.toMatchObject(gone);
  // Another kind of thing with that id there is none.
  await expect(restoreTemplate(ctx, id)).rejects.toMatchObject(gone);
  await database.travel("11 minutes");
  await expect(restoreSegment(ctx, id)).rejects.toMatchObject(gone);
  expect(await kept()).toBe(1);
  await cleanUp(database.db, AbortSignal.timeout(20_000));
  expect(await kept()).toBe(0);
});

test("of a template with a long history the newest fifty versions before the present one come back", async () => {
  const { id } = await createTemplate(ctx, { name: "News", subject: "0", body: "<p>Hi</p>" });
  for (let n = 1; n <= 55; n++) await updateTemplate(ctx, id, { subject: String(n) });
  await deleteTemplate(ctx, id);
  await restoreTemplate(ctx, id);
  expect(await getTemplate(ctx, id)).toMatchObject({ subject: "55", version: 56 });
  const numbers = (await versionsOf(ctx, id)).map(({ version }) => version);
  expect([numbers.length, Math.max(...numbers)]).toEqual([51, 56]);
});

test("what a program deletes is not kept, and nothing comes back that names a renamed field", async () => {
  const filter = { and: [{ field: "data.plan", op: "exists" as const }] };
  const segment = async () => (await createSegment(ctx, { name: "With a plan", filter })).id;
  const byProgram = await segment();
  await deleteSegment({ ...ctx, actor: { type: "apiKey", id: newId(ctx.projectId) } }, byProgram);
  expect(await kept()).toBe(0);
  await upsertContact(ctx, { email: "ada@example.com", data: { plan: "free" } });
  const id = await segment();
  await deleteSegment(ctx, id);
  await startBulkChange(ctx, { action: "rename_field", name: "plan", newName: "tariff" });
  await expect(restoreSegment(ctx, id)).rejects.toMatchObject(gone);
});
