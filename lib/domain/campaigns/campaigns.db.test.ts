import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { CampaignStatus } from "@/db/enums";
import { auditLog, campaigns } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { createList } from "@/lib/domain/lists/lists";
import { createSegment } from "@/lib/domain/segments/segments";
import { createTemplate } from "@/lib/domain/templates/templates";
import { makeProject } from "@/lib/testing";
import { validate } from "@/lib/ground/validate";
import { createCampaign, deleteCampaign, updateCampaign } from "./campaigns";
import { duplicateCampaign } from "./copies";
import { getCampaign, listCampaigns } from "./read";
import { campaignInput, campaignQuery, campaignUpdate } from "./schema";

const database = useTestDatabase();
let ctx: Context;
let stranger: Context;

beforeAll(async () => {
  ({ ctx } = await makeProject(database.db));
  ({ ctx: stranger } = await makeProject(database.db));
});

const news = {
  name: "November news",
  subject: "News for {{ firstName }}",
  from: "news@sandbox.test",
  body: "<p>Hello {{ firstName }}</p>",
};
const create = (fields: Record<string, unknown> = {}, by = ctx) =>
  Promise.resolve().then(() => createCampaign(by, validate(campaignInput, { ...news, ...fields })));
const update = (id: string, fields: Record<string, unknown>, by = ctx) =>
  Promise.resolve().then(() => updateCampaign(by, id, validate(campaignUpdate, fields)));
const putInto = (id: string, status: CampaignStatus) =>
  database.db
    .update(campaigns)
    .set({ status })
    .where(eq(campaigns.id, decodeId("campaign", id) ?? ""));
const list = (query: Record<string, unknown> = {}, by = ctx) =>
  listCampaigns(by, campaignQuery.parse(query));
const fault = (path: string) => ({
  code: "VALIDATION_ERROR",
  details: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
});
const missing = { code: "NOT_FOUND" };
const conflict = { code: "CONFLICT" };

const segmentOf = async (by: Context) =>
  (await createSegment(by, { name: "Pro", filter: { and: [] } })).id;
const listOf = async (by: Context) =>
  (await createList(by, { name: "News", fromEmail: "news@sandbox.test" })).id;
const templateOf = async (by: Context) =>
  (await createTemplate(by, { name: "T", subject: "S", body: "<p>T</p>" })).id;

describe("creating", () => {
  test("makes a draft with nothing sent", async () => {
    const created = await create({ fromName: "Example", replyTo: "Ada <ada@example.com>" });
    expect(created).toMatchObject({
      name: "November news",
      status: "DRAFT",
      subject: news.subject,
      from: "news@sandbox.test",
      fromName: "Example",
      replyTo: "Ada <ada@example.com>",
      body: news.body,
      text: null,
      segmentId: null,
      listId: null,
      templateId: null,
      scheduledAt: null,
      stats: { recipients: 0, pending: 0, sent: 0, openRate: 0, links: [] },
    });
    expect(await getCampaign(ctx, created.id)).toEqual(created);
    const written = await database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.target, created.id));
    expect(written.map(({ action }) => action)).toEqual(["create.campaign"]);
  });

  test.each(["body", "htmlBody", "html"])("takes the content as %s", async (name) => {
    const created = await create({ body: undefined, [name]: "<p>X</p>" });
    expect(created.body).toBe("<p>X</p>");
  });

  test("refuses two names of the content with different values", async () => {
    await expect(create({ htmlBody: "<p>Other</p>" })).rejects.toMatchObject(fault("htmlBody"));
    expect((await create({ htmlBody: news.body, html: news.body })).body).toBe(news.body);
  });

  test.each([
    [{ from: "news@sandbox.test", fromName: "A" }, "A"],
    [{ from: "B <news@sandbox.test>" }, "B"],
    [{ from: { email: "news@sandbox.test", name: "C" } }, "C"],
    [{ from: { email: "news@sandbox.test" }, fromName: "D" }, "D"],
    [{ from: { email: "news@sandbox.test", name: "E" }, fromName: "E" }, "E"],
  ])("takes the sender as %j", async (fields, fromName) => {
    expect(await create(fields)).toMatchObject({ from: "news@sandbox.test", fromName });
  });

  test.each(["name", "subject", "from", "body"])("needs %s", async (path) => {
    await expect(create({ [path]: undefined })).rejects.toMatchObject(fault(path));
  });

  test("a template stands in for the content, by either prefix of its id", async () => {
    const templateId = await templateOf(ctx);
    const created = await create({ body: undefined, templateId });
    expect(created).toMatchObject({ templateId, body: null });
    const tmpl = templateId.replace("tpl_", "tmpl_");
    expect((await create({ body: undefined, templateId: tmpl })).templateId).toBe(templateId);
  });

  test("incomplete keeps a draft of which anything may be missing", async () => {
    const created = await createCampaign(ctx, validate(campaignInput, { incomplete: true }));
    expect(created).toMatchObject({ status: "DRAFT", from: "", subject: "", body: null });
    expect(created.name).not.toBe("");
  });

  test.each([
    ["name", ""],
    ["name", "x".repeat(201)],
    ["name", 1],
    ["subject", "two\nlines"],
    ["subject", "x".repeat(999)],
    ["subject", "{{ open"],
    ["previewText", "{% if %}"],
    ["body", "{% if x %}never closed"],
    ["text", "{% nonsense %}"],
    ["from", "nobody"],
    ["fromName", "two\r\nlines"],
    ["replyTo", "nobody"],
    ["tracking.opens", { opens: "yes" }],
    ["utm.source", { source: 1 }],
    ["timeZone", "Mars/Olympus"],
    ["timeZone", "+01:00"],
  ])("refuses %s: %j", async (path, value) => {
    const name = path.split(".")[0] ?? path;
    await expect(create({ [name]: value })).rejects.toMatchObject(fault(path));
  });

  test("takes what is just within its bounds", async () => {
    const created = await create({
      name: "x".repeat(200),
      subject: "x".repeat(998),
      previewText: "Once {{ firstName }}",
      tracking: { opens: false },
      utm: { source: "news", medium: "" },
      timeZone: "Europe/Berlin",
    });
    expect(created).toMatchObject({
      tracking: { opens: false, clicks: null },
      utm: { source: "news" },
      timeZone: "Europe/Berlin",
    });
  });

  test("segment and list: one of them, and the project's own", async () => {
    const [segmentId, listId] = [await segmentOf(ctx), await listOf(ctx)];
    expect(await create({ segmentId })).toMatchObject({ segmentId, listId: null });
    expect(await create({ listId })).toMatchObject({ segmentId: null, listId });
    await expect(create({ segmentId, listId })).rejects.toMatchObject(fault("listId"));
    for (const fields of [
      { segmentId: await segmentOf(stranger) },
      { segmentId: listId },
      { segmentId: encodeId("segment", newUnownedId()) },
      { listId: await listOf(stranger) },
      { listId: "lst_nonsense" },
      { templateId: await templateOf(stranger) },
      { templateId: encodeId("template", newUnownedId()) },
    ]) {
      await expect(create(fields)).rejects.toMatchObject(missing);
    }
  });

  test("a domain that is not verified is for sending to refuse", async () => {
    expect((await create({ from: "news@unknown.example" })).status).toBe("DRAFT");
  });
});

describe("changing", () => {
  test("changes what is given and nothing else", async () => {
    const created = await create({ fromName: "Example", previewText: "Once" });
    const changed = await update(created.id, { subject: "Other" });
    expect({ ...changed, updatedAt: created.updatedAt }).toEqual({ ...created, subject: "Other" });
    expect(await update(created.id, { from: "else@sandbox.test" })).toMatchObject({
      from: "else@sandbox.test",
      fromName: "Example",
    });
  });

  test("what excludes each other replaces each other", async () => {
    const [segmentId, listId] = [await segmentOf(ctx), await listOf(ctx)];
    const templateId = await templateOf(ctx);
    const { id } = await create({ segmentId });
    expect(await update(id, { listId })).toMatchObject({ segmentId: null, listId });
    expect(await update(id, { segmentId })).toMatchObject({ segmentId, listId: null });
    expect(await update(id, { segmentId: null })).toMatchObject({ segmentId: null, listId: null });
    expect(await update(id, { templateId })).toMatchObject({ templateId, body: null });
    expect(await update(id, { body: "<p>Own</p>" })).toMatchObject({
      templateId: null,
      body: "<p>Own</p>",
    });
  });

  test("takes nothing away that sending needs, unless told", async () => {
    const { id } = await create();
    for (const [path, value] of [
      ["subject", " "],
      ["from", null],
      ["body", null],
    ] as const) {
      await expect(update(id, { [path]: value })).rejects.toMatchObject(fault(path));
    }
    expect(await update(id, { subject: "", incomplete: true })).toMatchObject({ subject: "" });
    // The gap that is there does not stand in the way of another change.
    expect(await update(id, { name: "Other" })).toMatchObject({ name: "Other", subject: "" });
  });

  test.each(["SENDING", "PAUSED", "SENT", "CANCELLED", "FAILED"] as const)(
    "is refused while it is %s",
    async (status) => {
      const { id } = await create();
      await putInto(id, status);
      await expect(update(id, { name: "Other" })).rejects.toMatchObject({
        ...conflict,
        message: expect.stringContaining(status) as unknown,
      });
      expect((await getCampaign(ctx, id)).name).toBe(news.name);
    },
  );

  test("of a scheduled one keeps it scheduled and ready, and moves its time", async () => {
    const { id } = await create();
    await putInto(id, "SCHEDULED");
    const scheduledAt = new Date(Date.now() + 7_200_000).toISOString();
    expect(await update(id, { name: "Other", scheduledAt })).toMatchObject({
      status: "SCHEDULED",
      name: "Other",
      scheduledAt,
    });
    const [row] = await database.db.execute<{ same: boolean }>(sql`
      select due_at = scheduled_at as same from campaigns where id = ${decodeId("campaign", id)}`);
    expect(row?.same).toBe(true);
    await expect(update(id, { subject: "", incomplete: true })).rejects.toMatchObject(
      fault("subject"),
    );
    await expect(update(id, { from: "news@unknown.example" })).rejects.toMatchObject({
      code: "DOMAIN_NOT_VERIFIED",
    });
    for (const days of [-1, 366]) {
      const time = new Date(Date.now() + days * 86_400_000).toISOString();
      await expect(update(id, { scheduledAt: time })).rejects.toMatchObject(fault("scheduledAt"));
    }
  });

  test("a draft has no time to move", async () => {
    const { id } = await create();
    const scheduledAt = new Date(Date.now() + 7_200_000).toISOString();
    await expect(update(id, { scheduledAt })).rejects.toMatchObject(conflict);
  });
});

describe("listing", () => {
  test("newest first by cursor, by state and by a part of name or subject", async () => {
    const { ctx: own } = await makeProject(database.db);
    const campaignsMade = [];
    for (const name of ["One", "Two 100%", "Three"])
      campaignsMade.push(await create({ name }, own));
    const [oldest, middle, newest] = campaignsMade.map(({ id }) => id);
    await putInto(middle ?? "", "SENT");
    const first = await list({ limit: "2" }, own);
    expect(first.data.map(({ id }) => id)).toEqual([newest, middle]);
    const rest = await list({ limit: "2", cursor: first.nextCursor }, own);
    expect(rest.data.map(({ id }) => id)).toEqual([oldest]);
    expect(rest.nextCursor).toBeUndefined();
    expect((await list({ status: "SENT" }, own)).data.map(({ id }) => id)).toEqual([middle]);
    expect((await list({ status: "DRAFT", search: "thr" }, own)).data).toHaveLength(1);
    expect((await list({ search: "0%" }, own)).data.map(({ id }) => id)).toEqual([middle]);
    expect((await list({ search: "NEWS FOR" }, own)).data).toHaveLength(3);
    expect(first.data[0]).not.toHaveProperty("body");
    expect(first.data[0]?.stats).toMatchObject({ recipients: 0, openRate: 0 });
  });
});

describe("deleting and duplicating", () => {
  test.each(["DRAFT", "CANCELLED"] as const)("a %s one can be deleted", async (status) => {
    const { id } = await create();
    await putInto(id, status);
    await deleteCampaign(ctx, id);
    await expect(getCampaign(ctx, id)).rejects.toMatchObject(missing);
    await expect(deleteCampaign(ctx, id)).rejects.toMatchObject(missing);
  });

  test.each(["SCHEDULED", "SENDING", "PAUSED", "SENT", "FAILED"] as const)(
    "a %s one cannot",
    async (status) => {
      const { id } = await create();
      await putInto(id, status);
      await expect(deleteCampaign(ctx, id)).rejects.toMatchObject({
        ...conflict,
        message: expect.stringContaining(status) as unknown,
      });
      expect((await getCampaign(ctx, id)).status).toBe(status);
    },
  );

  test("a copy of a sent one is a draft with its content and nothing of its fate", async () => {
    const created = await create({ segmentId: await segmentOf(ctx), utm: { source: "news" } });
    await database.db
      .update(campaigns)
      .set({ status: "SENT", recipients: 7, startedAt: new Date(), finishedAt: new Date() })
      .where(eq(campaigns.id, decodeId("campaign", created.id) ?? ""));
    const copy = await duplicateCampaign(ctx, created.id);
    const { id, createdAt, updatedAt, ...content } = created;
    expect(copy).toMatchObject({ ...content, name: `Copy of ${created.name}`, status: "DRAFT" });
    expect([id, createdAt]).not.toEqual([copy.id, updatedAt]);
    expect(copy.stats.recipients).toBe(0);
  });
});

test("are the project's own, and a viewer only reads", async () => {
  const { id } = await create();
  for (const foreignId of [
    id,
    "cmp_nonsense",
    encodeId("contact", newUnownedId()),
    encodeId("campaign", newUnownedId()),
  ]) {
    for (const attempt of [
      () => getCampaign(stranger, foreignId),
      () => update(foreignId, { name: "X" }, stranger),
      () => deleteCampaign(stranger, foreignId),
      () => duplicateCampaign(stranger, foreignId),
    ]) {
      await expect(attempt()).rejects.toMatchObject(missing);
    }
  }
  const viewer = { ...ctx, role: "viewer" as const };
  expect((await getCampaign(viewer, id)).name).toBe(news.name);
  const refused = { code: "NOT_ALLOWED" };
  for (const by of [viewer, { ...ctx, sendingOnly: true }]) {
    for (const attempt of [
      () => create({}, by),
      () => update(id, { name: "X" }, by),
      () => deleteCampaign(by, id),
      () => duplicateCampaign(by, id),
    ]) {
      await expect(attempt()).rejects.toMatchObject(refused);
    }
  }
  await expect(list({}, { ...ctx, sendingOnly: true })).rejects.toMatchObject(refused);
});

test("a design brings its HTML, is copied with it, and ends with another body or a template", async () => {
  const design = {
    type: "doc",
    attrs: { theme: {} },
    content: [{ type: "paragraph", content: [{ type: "text", text: "Drawn" }] }],
  };
  const { id } = await create({ design });
  const drawn = await getCampaign(ctx, id);
  expect(drawn.body).toMatch(/Drawn<\/td>/);
  const copy = await duplicateCampaign(ctx, id);
  expect(copy).toMatchObject({ body: drawn.body, design: drawn.design });
  expect((await update(id, { subject: "Other" })).design).toEqual(drawn.design);
  expect(await update(copy.id, { html: "<p>By hand</p>" })).toMatchObject({
    body: "<p>By hand</p>",
    design: null,
  });
  const block = { type: "html", attrs: { html: "x".repeat(500_000) } };
  const large = { ...design, content: Array.from({ length: 11 }, () => block) };
  for (const attempt of [() => create({ design: large }), () => update(id, { design: large })]) {
    await expect(attempt().then((campaign) => campaign.id)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "design", message: "makes a body that is larger than 5 MB" }],
    });
  }
  const templateId = await templateOf(ctx);
  expect(await update(id, { templateId })).toMatchObject({ body: null, design: null, templateId });
  expect(await update(id, { design })).toMatchObject({ body: drawn.body, templateId: null });
});
