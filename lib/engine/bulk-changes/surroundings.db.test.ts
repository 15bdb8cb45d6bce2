import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { bulkChanges, campaigns, contactSurveys, formSignUps, teamLetters } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { getBulkChange } from "@/lib/domain/contact-fields/bulk-change-rows";
import { previewBulkChange, startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import { listContactFields } from "@/lib/domain/contact-fields/fields";
import { bulkChangeInput } from "@/lib/domain/contact-fields/schema";
import { countDueSurveys } from "@/lib/domain/contact-fields/survey";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createForm } from "@/lib/domain/forms/forms";
import { createTemplate } from "@/lib/domain/templates/templates";
import type { Context } from "@/lib/ground/context";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { runBulkChanges } from "./run";

const database = useTestDatabase();
const rename = { action: "rename_field", name: "plan", newName: "tier" };
const start = (ctx: Context, input: object) =>
  startBulkChange(ctx, validate(bulkChangeInput, input));
const preview = (ctx: Context, input: object) =>
  previewBulkChange(ctx, validate(bulkChangeInput, input));
const run = () => runBulkChanges(database.db, AbortSignal.timeout(20_000));
const add = (ctx: Context, email: string, data: Record<string, unknown>) =>
  upsertContact(ctx, { email, data });
const isPro = (field: string) => ({ and: [{ field, op: "eq", value: "pro" }] });
const uuidOf = (kind: Parameters<typeof decodeId>[0], id: string) => decodeId(kind, id) ?? "";

test("a rename goes on in the audience of a campaign that is choosing its recipients, and in no other project's", async () => {
  const { ctx } = await makeProject(database.db);
  const other = await makeProject(database.db);
  const ids = [];
  for (const own of [ctx, other.ctx]) {
    await add(own, "ada@example.com", { plan: "pro" });
    const { id } = await createCampaign(own, { name: "News", incomplete: true });
    ids.push(uuidOf("campaign", id));
    await database.db
      .update(campaigns)
      .set({ status: "SENDING", audienceFilter: isPro("data.plan") })
      .where(eq(campaigns.id, ids.at(-1) ?? ""));
  }
  await start(ctx, rename);
  await run();
  const filters = [];
  for (const id of ids) {
    const [row] = await database.db.select().from(campaigns).where(eq(campaigns.id, id));
    filters.push(row?.audienceFilter);
  }
  expect(filters).toEqual([isPro("data.tier"), isPro("data.plan")]);
});

/** What somebody answered who has not confirmed yet, or has. */
async function signUp(ctx: Context, formId: string, email: string, confirmed: boolean) {
  await database.db.insert(formSignUps).values({
    ...{ id: newId(ctx.projectId), projectId: ctx.projectId, formId: uuidOf("form", formId) },
    ...{ email, data: { plan: "pro", city: "Bern" }, language: "en", textHash: Buffer.alloc(32) },
    ...{ ipAddress: "192.0.2.1", userAgent: "", confirmedAt: confirmed ? new Date() : null },
  });
}

test("a rename goes on in what people answered who have yet to confirm; what was confirmed stays as evidence", async () => {
  const { ctx } = await makeProject(database.db);
  await add(ctx, "ada@example.com", { plan: "pro" });
  const form = await createForm(ctx, {
    name: "Footer",
    questions: [{ key: "data.plan", label: "Plan", required: true }],
  });
  await signUp(ctx, form.id, "open@example.com", false);
  await signUp(ctx, form.id, "done@example.com", true);
  await start(ctx, rename);
  await run();
  const rows = await database.db
    .select({ email: formSignUps.email, data: formSignUps.data })
    .from(formSignUps)
    .orderBy(formSignUps.email);
  expect(rows).toEqual([
    { email: "done@example.com", data: { plan: "pro", city: "Bern" } },
    { email: "open@example.com", data: { tier: "pro", city: "Bern" } },
  ]);
});

test("a change that cannot be made is tried ten times, then ends as failed and makes room for the next", async () => {
  const { ctx } = await makeProject(database.db);
  await add(ctx, "ada@example.com", { plan: "pro" });
  const { id } = await start(ctx, { action: "remove_field", name: "plan" });
  await database.db.execute(sql`
    create function refuse() returns trigger language plpgsql as
      $$begin raise exception 'no'; end$$`);
  await database.db.execute(sql`
    create trigger refused before update on contacts for each row execute function refuse()`);
  for (let tries = 1; tries < 10; tries++) {
    await run();
    expect((await getBulkChange(ctx, id)).status).toBe("RUNNING");
    // Not before its time.
    await run();
    await database.travel("31 seconds");
  }
  await run();
  await database.db.execute(sql`drop trigger refused on contacts`);
  expect(await getBulkChange(ctx, id)).toMatchObject({
    status: "FAILED",
    failureReason: "It failed again and again.",
    finishedAt: expect.any(String) as string,
  });
  const [row] = await database.db
    .select()
    .from(bulkChanges)
    .where(eq(bulkChanges.id, uuidOf("bulkChange", id)));
  expect(row).toMatchObject({ failedSteps: 10, dueAt: null, leaseId: null });
  const letters = await database.db
    .select({ kind: teamLetters.kind, data: teamLetters.data })
    .from(teamLetters)
    .where(eq(teamLetters.projectId, ctx.projectId));
  expect(letters).toEqual([
    {
      kind: "workFailed",
      data: {
        subject: "bulkChange",
        subjectId: uuidOf("bulkChange", id),
        reason: "It failed again and again.",
      },
    },
  ]);
  const again = await start(ctx, { action: "remove_field", name: "plan" });
  expect(again.id).not.toBe(id);
  await run();
  expect((await getBulkChange(ctx, again.id)).status).toBe("COMPLETED");
});

test("a preview names the forms, the campaigns not yet sent and the imports under way that use a field", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await add(ctx, "ada@example.com", { plan: "pro" });
  const form = await createForm(ctx, {
    name: "Footer",
    questions: [{ key: "data.plan", label: "Plan", required: false }],
  });
  const draft = await createCampaign(ctx, {
    ...{ name: "Draft", incomplete: true, subject: "Your {{ plan }}" },
  });
  const sent = await createCampaign(ctx, {
    ...{ name: "Sent", incomplete: true, subject: "Your {{ plan }}" },
  });
  await createCampaign(ctx, { name: "Other", incomplete: true, subject: "A plan for you" });
  await database.db
    .update(campaigns)
    .set({ status: "SENT" })
    .where(eq(campaigns.id, uuidOf("campaign", sent.id)));
  for (const [filename, status, data] of [
    ["under-way.csv", "RUNNING", { plan: "pro" }],
    ["done.csv", "COMPLETED", { plan: "pro" }],
    ["other.csv", "RUNNING", { city: "Bern" }],
  ] as const) {
    const id = newId(projectId);
    await database.db.execute(sql`
      insert into contact_imports (id, project_id, filename, status)
      values (${id}, ${projectId}, ${filename}, ${status})`);
    await database.db.execute(sql`
      insert into contact_import_rows (import_id, line, email, data)
      values (${id}, 2, 'eve@example.com', ${JSON.stringify(data)}::jsonb)`);
  }
  expect(await preview(ctx, rename)).toMatchObject({
    forms: [{ id: form.id, name: "Footer" }],
    campaigns: [{ id: draft.id, name: "Draft", placeholders: ["{{ plan }}"] }],
    imports: [{ name: "under-way.csv" }],
    segments: [],
    templates: [],
  });
});

test("a preview counts for a limited time, and reads what mentions a field one by one", async () => {
  const { ctx } = await makeProject(database.db);
  await add(ctx, "ada@example.com", { plan: "pro" });
  for (let n = 0; n < 3; n++) {
    await createTemplate(ctx, { name: `Offer ${n}`, subject: "Hi", body: "<p>{{ plan }}</p>" });
  }
  const input = validate(bulkChangeInput, rename);
  const statements = await recordStatements(
    database.url,
    async (db) => {
      const { templates } = await previewBulkChange({ ...ctx, db }, input);
      expect(templates).toHaveLength(3);
    },
    /statement_timeout|from "(?:contacts|templates)"|^commit/,
  );
  for (const part of statements.split(/^commit$/m)) {
    if (/from contacts|strpos\(/.test(part)) expect(part).toContain("statement_timeout");
  }
  expect(statements).toMatch(/^select set_config\('statement_timeout'/);
  const read = statements
    .split("\n\n")
    .filter((one) => /^select [^]*\bbody\b[^]*?\n ?from/.test(one));
  expect(read).toHaveLength(3);
  for (const one of read) expect(one).toMatch(/where templates\.id = \$1\n/);
});

test("a project that takes long to count is counted again by the job, and shows its previous figures until then", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await add(ctx, "ada@example.com", { plan: "pro" });
  const having = async () =>
    (await listContactFields(ctx)).data.map(({ key, contacts }) => [key, contacts]);
  expect(await having()).toEqual([["plan", 1]]);
  // As if the last count had taken two seconds: it holds for 200.
  await database.db
    .update(contactSurveys)
    .set({ countMilliseconds: 2_000 })
    .where(eq(contactSurveys.projectId, projectId));
  await add(ctx, "eve@example.com", { plan: "free" });
  const job = () => countDueSurveys(database.db, AbortSignal.timeout(20_000));
  await database.travel("199 seconds");
  expect(await having()).toEqual([["plan", 1]]);
  expect(await job()).toBe(0);
  await database.travel("2 seconds");
  expect(await having()).toEqual([["plan", 1]]);
  expect(await job()).toBe(1);
  expect(await having()).toEqual([["plan", 2]]);
  expect(await job()).toBe(0);
});
