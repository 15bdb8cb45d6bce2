import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditLog, campaigns, reportLinks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createCampaign, deleteCampaign } from "@/lib/domain/campaigns/campaigns";
import { deleteProject } from "@/lib/domain/projects/delete";
import { createProject } from "@/lib/domain/projects/projects";
import { createSession } from "@/lib/domain/users/sessions";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { reportToken, recipientToken } from "@/lib/mail/tracking/tokens";
import { makeProject, type TestProject } from "@/lib/testing";
import { createReportLink, deleteReportLink, listReportLinks, openReport } from "./links";
import { mostReportLinks } from "./schema";

const database = useTestDatabase();
let project: TestProject;
let ctx: Context;
let campaignId: string;

beforeEach(async () => {
  project = await makeProject(database.db, { name: "Tea" });
  ctx = project.ctx;
  ({ id: campaignId } = await createCampaign(ctx, { name: "News", incomplete: true }));
});

const tokenOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);
const opening = (url: string) => openReport(database.db, tokenOf(url), { counted: true });
const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test("a link says who made it, when, until when, and how often it was opened", async () => {
  const made = await createReportLink(ctx, campaignId, { name: "Board", expiresAt: soon(2) });
  expect(made).toMatchObject({
    ...{ name: "Board", opens: 0, lastOpenedAt: null, expired: false },
    author: { type: "user", id: encodeId("user", project.userId) },
  });
  expect(made.author?.name).toMatch(/@example\.com$/);
  const opened = { projectId: ctx.projectId, campaignId: decodeId("campaign", campaignId) };
  expect(await opening(made.url)).toEqual(opened);
  expect(await openReport(database.db, tokenOf(made.url), { counted: false })).toEqual(opened);
  const { data } = await listReportLinks(ctx, campaignId);
  expect(data).toMatchObject([{ ...made, opens: 1, lastOpenedAt: expect.any(String) as string }]);
  const second = await createReportLink(ctx, campaignId, {});
  const names = (await listReportLinks(ctx, campaignId)).data.map(({ id }) => id);
  expect(names).toEqual([second.id, made.id]);
});

test("what the database holds opens nothing without the secret", async () => {
  const { url, id } = await createReportLink(ctx, campaignId, { name: "Board" });
  const [row] = await database.db.execute<{ row: string }>(
    sql`select to_jsonb(l)::text as row from report_links l where id = ${decodeId("reportLink", id)}`,
  );
  expect(row?.row).toContain("Board");
  expect(row?.row).not.toContain(tokenOf(url));
  const uuid = decodeId("reportLink", id) ?? "";
  for (const forged of [id, uuid, recipientToken(uuid), `${tokenOf(url)}A`, tokenOf(url).slice(1)])
    expect(await openReport(database.db, forged, { counted: true })).toBe("unknown");
});

test("a link ends when it expires, is revoked, or its campaign is deleted", async () => {
  const expiring = await createReportLink(ctx, campaignId, { expiresAt: soon(1) });
  const revoked = await createReportLink(ctx, campaignId, {});
  const stays = await createReportLink(ctx, campaignId, {});
  await deleteReportLink(ctx, campaignId, revoked.id);
  expect(await opening(revoked.url)).toBe("ended");
  await expect(deleteReportLink(ctx, campaignId, revoked.id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await opening(expiring.url)).toMatchObject({ projectId: ctx.projectId });
  await database.travel("61 minutes");
  expect(await opening(expiring.url)).toBe("ended");
  const { data } = await listReportLinks(ctx, campaignId);
  expect(data.map(({ expired, opens }) => [expired, opens])).toEqual([
    [false, 0],
    [true, 1],
  ]);
  expect(await opening(stays.url)).toMatchObject({ projectId: ctx.projectId });
  await deleteCampaign(ctx, campaignId);
  expect(await opening(stays.url)).toBe("ended");
  expect(await database.db.$count(reportLinks, eq(reportLinks.projectId, ctx.projectId))).toBe(0);
});

test("a link of a row that another project's campaign is in opens nothing", async () => {
  const { url } = await createReportLink(ctx, campaignId, {});
  const other = await makeProject(database.db);
  await database.db.update(reportLinks).set({ projectId: other.projectId });
  expect(await opening(url)).toBe("ended");
});

test("deleting the project ends its links at once", async () => {
  const { url } = await createReportLink(ctx, campaignId, {});
  await createProject(database.db, { name: "Spare", ownerUserId: project.userId });
  const where = { address: "192.0.2.1", userAgent: "Firefox", platformTokenId: null };
  const { id } = await createSession(database.db, { userId: project.userId, ...where });
  await deleteProject({ ...ctx, session: { id, onlyProject: false } }, { name: "Tea" });
  expect(await database.db.$count(campaigns, eq(campaigns.projectId, ctx.projectId))).toBe(1);
  expect(await opening(url)).toBe("ended");
});

test("viewers and keys that only send may not share, nor see the links", async () => {
  const { id } = await createReportLink(ctx, campaignId, {});
  const others: Context[] = [
    { ...ctx, role: "viewer" },
    { ...ctx, sendingOnly: true },
  ];
  for (const other of others) {
    const tries = [
      () => listReportLinks(other, campaignId),
      () => createReportLink(other, campaignId, {}),
      () => deleteReportLink(other, campaignId, id),
    ];
    for (const one of tries) await expect(one()).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
  const editor: Context = { ...ctx, role: "editor" };
  expect((await listReportLinks(editor, campaignId)).data).toHaveLength(1);
  await deleteReportLink(editor, campaignId, id);
});

test("another project's campaigns and links are not there, nor another campaign's links", async () => {
  const { id } = await createReportLink(ctx, campaignId, {});
  const { ctx: other } = await makeProject(database.db);
  const theirs = await createCampaign(other, { name: "Theirs", incomplete: true });
  const second = await createCampaign(ctx, { name: "Second", incomplete: true });
  const tries = [
    () => listReportLinks(other, campaignId),
    () => createReportLink(other, campaignId, {}),
    () => deleteReportLink(other, campaignId, id),
    () => deleteReportLink(other, theirs.id, id),
    () => deleteReportLink(ctx, second.id, id),
    () => deleteReportLink(ctx, campaignId, reportToken(decodeId("reportLink", id) ?? "")),
  ];
  for (const one of tries) await expect(one()).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await listReportLinks(ctx, campaignId)).data).toHaveLength(1);
});

test("an end in the past is refused by name, and so is one link too many", async () => {
  await expect(createReportLink(ctx, campaignId, { expiresAt: soon(-1) })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "expiresAt" }],
  });
  const outcomes = await Promise.allSettled(
    Array.from({ length: mostReportLinks + 2 }, () => createReportLink(ctx, campaignId, {})),
  );
  const refused = outcomes.flatMap((one) =>
    one.status === "rejected" ? [(one.reason as { code: string }).code] : [],
  );
  expect(refused).toEqual(["CONFLICT", "CONFLICT"]);
});

test("the audit log has both, with the campaign and the link's name", async () => {
  const { id } = await createReportLink(ctx, campaignId, { name: "Board" });
  await deleteReportLink(ctx, campaignId, id);
  const entries = await database.db
    .select({ action: auditLog.action, target: auditLog.target, details: auditLog.details })
    .from(auditLog)
    .where(and(eq(auditLog.projectId, ctx.projectId), sql`${auditLog.action} like '%.reportLink'`))
    .orderBy(auditLog.id);
  expect(entries).toEqual([
    { action: "create.reportLink", target: campaignId, details: { name: "Board" } },
    { action: "delete.reportLink", target: campaignId, details: { name: "Board" } },
  ]);
});
