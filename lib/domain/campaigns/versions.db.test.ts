import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { campaignVersions, memberships } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { deleteTemplate } from "@/lib/domain/templates/delete";
import { createTemplate } from "@/lib/domain/templates/templates";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { defaultTheme } from "@/lib/mail/design/schema";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { createCampaign, deleteCampaign, updateCampaign } from "./campaigns";
import { duplicateCampaign } from "./copies";
import { getCampaign } from "./read";
import { campaignUpdate } from "./schema";
import { scheduleCampaign, sendCampaign, unscheduleCampaign } from "./transitions";
import { mostVersions } from "./version-schema";
import { getCampaignVersion, listCampaignVersions, restoreCampaignVersion } from "./versions";

const database = useTestDatabase();
let ctx: Context;
let id: string;

/** A member of the project, signed in. */
async function member(name: string, role: "editor" | "viewer" = "editor"): Promise<Context> {
  const email = `${newId(ctx.projectId)}@example.com`;
  const user = await findOrCreateUser(database.db, { email, name });
  await database.db.insert(memberships).values({ projectId: ctx.projectId, userId: user.id, role });
  return { ...ctx, role, actor: { type: "user", id: user.id } };
}

beforeEach(async () => {
  ({ ctx } = await makeProject(database.db));
  ctx = await member("Ada");
  const news = { name: "News", subject: "One", from: "news@sandbox.test", body: "<p>One</p>" };
  ({ id } = await createCampaign(ctx, news));
});

const save = (fields: object, by = ctx) =>
  updateCampaign(by, id, validate(campaignUpdate, { incomplete: true, ...fields }));
const designOf = (text: string) => ({
  type: "doc",
  attrs: { theme: defaultTheme },
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});
const pause = () => database.travel("11 minutes");
/** Version and subject of each, newest first. */
const listed = async (by = ctx) =>
  (await listCampaignVersions(by, id)).map(({ version, subject }) => `${version} ${subject}`);
const missing = { code: "NOT_FOUND" };
const conflict = { code: "CONFLICT" };
const notAllowed = { code: "NOT_ALLOWED" };

test("what was there before a pause is kept, and none of what is saved while somebody types", async () => {
  for (const subject of ["T", "Tw", "Two"]) await save({ subject });
  expect(await listed()).toEqual(["1 Two"]);
  await database.travel("9 minutes");
  await save({ subject: "Two!" });
  await database.travel("9 minutes");
  await save({ subject: "Two!!" });
  expect(await listed()).toEqual(["1 Two!!"]);
  await pause();
  await save({ subject: "Three", body: "<p>Three</p>" });
  await save({ subject: "Three!" });
  expect(await listed()).toEqual(["2 Three!", "1 Two!!"]);
  const [current, before] = await listCampaignVersions(ctx, id);
  expect(current).toMatchObject({ isCurrent: true, author: { type: "user", name: "Ada" } });
  expect(before).toMatchObject({ isCurrent: false, author: { type: "user", name: "Ada" } });
  const apart = Date.parse(current?.savedAt ?? "") - Date.parse(before?.savedAt ?? "");
  expect(apart).toBeGreaterThan(10 * 60_000);
  expect(await getCampaignVersion(ctx, id, "1")).toMatchObject({
    ...{ version: 1, savedAt: before?.savedAt, subject: "Two!!", body: "<p>One</p>" },
  });
  expect(await getCampaignVersion(ctx, id, "2")).toMatchObject({
    ...{ version: 2, savedAt: current?.savedAt, subject: "Three!", body: "<p>Three</p>" },
  });
});

test("what changes nothing of what it says is no version, and no pause either", async () => {
  await pause();
  await save({
    name: "Other name",
    tracking: { opens: false },
    subject: "One",
    body: "<p>One</p>",
  });
  expect(await listed()).toEqual(["1 One"]);
  // The pause is that of the words, whatever else was changed meanwhile.
  await save({ subject: "Two" });
  expect(await listed()).toEqual(["2 Two", "1 One"]);
});

test("what somebody else wrote is kept however soon one goes on, and keys write for themselves", async () => {
  const grace = await member("Grace");
  await save({ subject: "Two" }, grace);
  await save({ subject: "Two!" }, grace);
  const assistant: Context = {
    ...grace,
    actor: {
      ...{ type: "assistant", id: newId(ctx.projectId) },
      userId: grace.actor.type === "user" ? grace.actor.id : "",
    },
  };
  await save({ subject: "Two, she had it written" }, assistant);
  await save({ subject: "Three" });
  const key: Context = { ...ctx, actor: { type: "apiKey", id: newId(ctx.projectId) } };
  await save({ subject: "Four" }, key);
  const versions = await listCampaignVersions(ctx, id);
  expect(versions.map(({ subject, author }) => [subject, author?.type, author?.name])).toEqual([
    ["Four", "apiKey", null],
    ["Three", "user", "Ada"],
    ["Two, she had it written", "user", "Grace"],
    ["One", "user", "Ada"],
  ]);
});

test("nothing written yet is no version", async () => {
  ({ id } = await createCampaign(ctx, { name: "Blank", incomplete: true }));
  await save({ from: "news@sandbox.test" });
  await pause();
  await save({ subject: "First words" });
  expect(await listed()).toEqual(["1 First words"]);
});

test("what was scheduled is kept when it is changed at once; what was sent is the newest", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await scheduleCampaign(ctx, id, { scheduledAt: tomorrow });
  await updateCampaign(ctx, id, { subject: "While scheduled" });
  await unscheduleCampaign(ctx, id);
  await save({ subject: "After it" });
  expect(await listed()).toEqual(["2 After it", "1 One"]);
  await sendCampaign(ctx, id, {});
  expect(await listed(await member("Vera", "viewer"))).toEqual(["2 After it", "1 One"]);
  await expect(restoreCampaignVersion(ctx, id, "1")).rejects.toMatchObject(conflict);
  expect((await getCampaign(ctx, id)).subject).toBe("After it");
});

test("a version comes back whole, and what it replaced and what came back are kept", async () => {
  const template = await createTemplate(ctx, { name: "T", subject: "S", body: "<p>T</p>" });
  const design = designOf("Drawn");
  const variants = [{ subject: "A" }, { subject: "B", design: designOf("Drawn B") }];
  const full = {
    ...{ previewText: "Preview", fromName: "Ada", replyTo: "ada@sandbox.test", text: "Plain" },
    ...{ design, abTest: { variants, testPercentage: 30 } },
  };
  await save(full);
  const before = await getCampaign(ctx, id);
  await pause();
  await save({
    ...{ previewText: "", from: null, replyTo: null, text: null, abTest: null, subject: "Bare" },
    ...{ templateId: template.id, name: "Renamed", topicId: null },
  });
  const bare = await getCampaign(ctx, id);
  const restored = await restoreCampaignVersion(ctx, id, "1", bare.updatedAt);
  const { subject, previewText, from, fromName, replyTo, body, design: drawn, text } = before;
  expect(restored).toMatchObject({
    ...{ subject, previewText, from, fromName, replyTo, body, text, templateId: null },
    ...{ abTest: before.abTest, name: "Renamed", status: "DRAFT" },
  });
  expect(JSON.stringify(restored.design)).toBe(JSON.stringify(drawn));
  expect(restored.updatedAt > bare.updatedAt).toBe(true);
  // Written on at once: both are there.
  await save({ subject: "A, and on" });
  expect(await listed()).toEqual(["4 A, and on", "3 A", "2 Bare", "1 A"]);
  const undone = await restoreCampaignVersion(ctx, id, "2");
  expect(undone).toMatchObject({ subject: "Bare", templateId: template.id, body: null, from: "" });
  expect(undone).toMatchObject({ abTest: null, text: null, design: null, replyTo: null });
  // The present one is no change.
  await restoreCampaignVersion(ctx, id, "5");
  expect(await listed()).toEqual(["5 Bare", "4 A, and on", "3 A", "2 Bare", "1 A"]);
});

test("what an emptied draft said comes back, and so does the emptied one", async () => {
  await pause();
  await save({ subject: "", body: null });
  await restoreCampaignVersion(ctx, id, "1");
  expect(await listed()).toEqual(["3 One", "2 ", "1 One"]);
  await restoreCampaignVersion(ctx, id, "2");
  expect(await getCampaign(ctx, id)).toMatchObject({ subject: "", body: null });
});

test("a version does not come back over what somebody else has saved meanwhile", async () => {
  await pause();
  const { updatedAt } = await save({ subject: "Two" });
  await save({ name: "Theirs" }, await member("Grace"));
  await expect(restoreCampaignVersion(ctx, id, "1", updatedAt)).rejects.toMatchObject(conflict);
  expect(await getCampaign(ctx, id)).toMatchObject({ subject: "Two", name: "Theirs" });
  expect(await listed()).toEqual(["2 Two", "1 One"]);
});

test("a scheduled campaign takes a version back only if it can be sent with it", async () => {
  await save({ subject: "" });
  await pause();
  await save({ subject: "Two" });
  const scheduledAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await scheduleCampaign(ctx, id, { scheduledAt });
  await expect(restoreCampaignVersion(ctx, id, "1")).rejects.toMatchObject({
    ...{ code: "VALIDATION_ERROR", details: [{ path: "subject" }] },
  });
  expect(await getCampaign(ctx, id)).toMatchObject({ subject: "Two", status: "SCHEDULED" });
});

test("a template that is gone is told, and nothing changes", async () => {
  const template = await createTemplate(ctx, { name: "T", subject: "S", body: "<p>T</p>" });
  await save({ templateId: template.id });
  await pause();
  await save({ body: "<p>Own</p>" });
  await deleteTemplate(ctx, template.id);
  await expect(restoreCampaignVersion(ctx, id, "1")).rejects.toMatchObject({
    ...{ code: "NOT_FOUND", details: [{ path: "templateId" }] },
  });
  expect(await getCampaign(ctx, id)).toMatchObject({ body: "<p>Own</p>" });
});

test(`${mostVersions} are kept beside the present one, the newest`, async () => {
  const others = [await member("Grace"), ctx];
  for (let at = 0; at < mostVersions + 5; at++) await save({ subject: `S${at}` }, others[at % 2]);
  const subjects = await listed();
  expect(subjects).toHaveLength(mostVersions + 1);
  expect(subjects.at(0)).toBe("56 S54");
  expect(subjects.at(-1)).toBe("6 S4");
  await expect(getCampaignVersion(ctx, id, "5")).rejects.toMatchObject(missing);
  expect(await getCampaignVersion(ctx, id, "6")).toMatchObject({ subject: "S4" });
});

test("saves that meet keep each version once", async () => {
  const others = await Promise.all(["Grace", "Alan", "Edsger", "Barbara"].map((n) => member(n)));
  await Promise.all(others.map((by, at) => save({ subject: `S${at}` }, by)));
  const versions = await listCampaignVersions(ctx, id);
  expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
  expect(new Set(versions.map(({ subject }) => subject)).size).toBe(5);
});

test("viewers look and editors restore; another project finds nothing", async () => {
  await pause();
  await save({ subject: "Two" });
  const viewer = await member("Vera", "viewer");
  expect(await listed(viewer)).toEqual(["2 Two", "1 One"]);
  expect(await getCampaignVersion(viewer, id, "1")).toMatchObject({ subject: "One" });
  await expect(restoreCampaignVersion(viewer, id, "1")).rejects.toMatchObject(notAllowed);
  const { ctx: stranger } = await makeProject(database.db);
  await expect(listCampaignVersions(stranger, id)).rejects.toMatchObject(missing);
  for (const version of ["1", "2"]) {
    await expect(getCampaignVersion(stranger, id, version)).rejects.toMatchObject(missing);
    await expect(restoreCampaignVersion(stranger, id, version)).rejects.toMatchObject(missing);
  }
  for (const version of ["0", "3", "-1", "1.0", "1e0", "999999999999", "one", " 1", ""]) {
    await expect(getCampaignVersion(ctx, id, version)).rejects.toMatchObject(missing);
    await expect(restoreCampaignVersion(ctx, id, version)).rejects.toMatchObject(missing);
  }
  const sending = { ...ctx, sendingOnly: true };
  await expect(listCampaignVersions(sending, id)).rejects.toMatchObject(notAllowed);
  expect((await getCampaign(ctx, id)).subject).toBe("Two");
});

test("versions go with their campaign, and a copy begins with its first", async () => {
  await pause();
  await save({ subject: "Two" });
  const copy = await duplicateCampaign(ctx, id);
  expect(await listCampaignVersions(ctx, copy.id)).toMatchObject([
    { version: 1, isCurrent: true, subject: "Two", author: { name: "Ada" } },
  ]);
  const ours = eq(campaignVersions.projectId, ctx.projectId);
  expect(await database.db.$count(campaignVersions, ours)).toBe(1);
  await deleteCampaign(ctx, id);
  expect(await database.db.$count(campaignVersions, ours)).toBe(0);
});

test("what was written before versions were kept is one, by nobody known", async () => {
  await database.db.execute(sql`
    update campaigns set content_at = null, author_type = null, author_id = null`);
  const { updatedAt } = await getCampaign(ctx, id);
  await save({ subject: "Two" });
  expect((await listCampaignVersions(ctx, id)).at(-1)).toEqual({
    ...{ version: 1, isCurrent: false, subject: "One", savedAt: updatedAt, author: null },
  });
});
