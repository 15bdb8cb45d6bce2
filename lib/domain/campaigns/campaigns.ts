import { and, desc, eq, getTableColumns, inArray, lt, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { campaigns } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { checkContent } from "@/lib/mail/content/rendering";
import { checkSchedule, databaseTime } from "@/lib/domain/emails/normalize";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { changesOf } from "./content";
import { faulty, findProblem, missingFields, type CampaignRow } from "./readiness";
import {
  farthestCampaignDays,
  type Campaign,
  type CampaignActivity,
  type CampaignInput,
  type CampaignProgress,
  type CampaignQuery,
  type CampaignSummary,
  type CampaignUpdate,
} from "./schema";
import { readActivity, readFigures, readStats } from "./stats";

const { html: _html, text: _text, ...summaryColumns } = getTableColumns(campaigns);
type SummaryRow = Omit<CampaignRow, "html" | "text">;

const iso = (time: Date | null) => time?.toISOString() ?? null;

function toSummary(row: SummaryRow): Omit<CampaignSummary, "stats"> {
  return {
    id: encodeId("campaign", row.id),
    name: row.name,
    status: row.status,
    subject: row.subject,
    previewText: row.previewText,
    from: row.fromEmail,
    fromName: row.fromName,
    replyTo: row.replyTo,
    templateId: row.templateId && encodeId("template", row.templateId),
    segmentId: row.segmentId && encodeId("segment", row.segmentId),
    listId: row.listId && encodeId("list", row.listId),
    tracking: { opens: row.trackOpens, clicks: row.trackClicks },
    utm: row.utm,
    scheduledAt: iso(row.scheduledAt),
    timeZone: row.timeZone,
    startedAt: iso(row.startedAt),
    pausedAt: iso(row.pausedAt),
    audienceDoneAt: iso(row.audienceDoneAt),
    finishedAt: iso(row.finishedAt),
    failureReason: row.failureReason,
    audienceComplete: row.audienceDoneAt !== null,
    test: row.test,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The campaign as the API shows it, with its figures as `executor` sees them. */
export async function toCampaign(executor: Executor, row: CampaignRow): Promise<Campaign> {
  const stats = await readStats(executor, row.projectId, row);
  return { ...toSummary(row), body: row.html, text: row.text, stats };
}

const owned = (ctx: Context, uuid: string) =>
  and(eq(campaigns.projectId, ctx.projectId), eq(campaigns.id, uuid));

/** The stored id of a path's; throws NOT_FOUND. */
export function campaignUuid(id: string): string {
  const uuid = decodeId("campaign", id);
  if (!uuid) throw notFound();
  return uuid;
}

/** The project's campaign by wire id; throws NOT_FOUND. */
export async function findCampaignRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock = false,
): Promise<CampaignRow> {
  const query = executor
    .select()
    .from(campaigns)
    .where(owned(ctx, campaignUuid(id)));
  const [row] = await (lock ? query.for("update") : query);
  if (!row) throw notFound();
  return row;
}

/** Newest first, with figures and without content. */
export async function listCampaigns(
  ctx: Context,
  query: CampaignQuery,
): Promise<Page<CampaignSummary>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const pattern = query.search ? containing(query.search) : null;
  const rows = await ctx.db
    .select(summaryColumns)
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, ctx.projectId),
        query.status ? eq(campaigns.status, query.status) : undefined,
        before ? lt(campaigns.id, before) : undefined,
        pattern
          ? sql`(${campaigns.name} ilike ${pattern} or ${campaigns.subject} ilike ${pattern})`
          : undefined,
      ),
    )
    .orderBy(desc(campaigns.id))
    .limit(query.limit + 1);
  const figuresOf = await readFigures(ctx.db, ctx.projectId, rows.slice(0, query.limit));
  return pageOf(
    rows,
    query.limit,
    (row) => ({ ...toSummary(row), stats: figuresOf(row.id) }),
    (row) => row.id,
  );
}

/** With its content and figures. Throws NOT_FOUND. */
export async function getCampaign(ctx: Context, id: string): Promise<Campaign> {
  requireRole(ctx, "viewer");
  return toCampaign(ctx.db, await findCampaignRow(ctx.db, ctx, id));
}

/** How far it is: what a page asks for every two seconds. Throws NOT_FOUND. */
export async function getCampaignProgress(ctx: Context, id: string): Promise<CampaignProgress> {
  requireRole(ctx, "viewer");
  const [row] = await ctx.db
    .select(summaryColumns)
    .from(campaigns)
    .where(owned(ctx, campaignUuid(id)));
  if (!row) throw notFound();
  return { ...toSummary(row), stats: await readStats(ctx.db, ctx.projectId, row) };
}

/** What happened by the hour. Throws NOT_FOUND. */
export async function getCampaignActivity(ctx: Context, id: string): Promise<CampaignActivity> {
  requireRole(ctx, "viewer");
  const uuid = campaignUuid(id);
  if ((await ctx.db.$count(campaigns, owned(ctx, uuid))) === 0) throw notFound();
  return readActivity(ctx.db, ctx.projectId, uuid);
}

const blank = {
  name: "Untitled campaign",
  subject: "",
  previewText: "",
  fromEmail: "",
  fromName: "",
  replyTo: null,
  html: null,
  text: null,
  templateId: null,
  segmentId: null,
  listId: null,
  trackOpens: null,
  trackClicks: null,
  utm: null,
  timeZone: null,
};

/**
 * Makes a draft. Throws VALIDATION_ERROR for what is missing (unless `incomplete`) or does not parse,
 * NOT_FOUND for a template, segment or list the project does not have. Needs editor.
 */
export async function createCampaign(ctx: Context, input: CampaignInput): Promise<Campaign> {
  requireRole(ctx, "editor");
  await checkContent(ctx.projectId, { ...input, html: input.body });
  return ctx.db.transaction(async (tx) => {
    const content = { ...blank, ...(await changesOf(tx, ctx.projectId, input)) };
    if (!input.incomplete) {
      const unnamed = input.name === undefined ? [{ path: "name", message: "is required" }] : [];
      const fault = faulty([...unnamed, ...missingFields(content)]);
      if (fault) throw fault;
    }
    const [row] = await tx
      .insert(campaigns)
      .values({ ...content, projectId: ctx.projectId })
      .returning();
    if (!row) throw new Error("An insert returned no row.");
    await audit(tx, ctx, "create.campaign", encodeId("campaign", row.id), { name: row.name });
    return toCampaign(tx, row);
  });
}

/**
 * Changes what is given, in DRAFT and SCHEDULED; a scheduled one has to stay ready to be sent. Throws
 * NOT_FOUND, CONFLICT in another state or when it was changed since `basedOn`, VALIDATION_ERROR,
 * DOMAIN_NOT_VERIFIED. Needs editor.
 */
export async function updateCampaign(
  ctx: Context,
  id: string,
  input: CampaignUpdate,
): Promise<Campaign> {
  requireRole(ctx, "editor");
  await checkContent(ctx.projectId, { ...input, html: input.body });
  return ctx.db.transaction(async (tx) => {
    const before = await findCampaignRow(tx, ctx, id, true);
    if (before.status !== "DRAFT" && before.status !== "SCHEDULED") {
      throw new AppError(
        "CONFLICT",
        `Only drafts and scheduled campaigns can be changed; this one is ${before.status}.`,
      );
    }
    if (input.scheduledAt !== undefined && before.status === "DRAFT") {
      throw new AppError(
        "CONFLICT",
        "The campaign is a DRAFT and has no time to move: schedule it with POST /v1/campaigns/{id}/schedule.",
      );
    }
    refuseStale(input.basedOn, before.updatedAt);
    const changes = await changesOf(tx, ctx.projectId, input);
    const after = { ...before, ...changes };
    if (before.status === "DRAFT" && !input.incomplete) {
      const fault = faulty(missingFields(after).filter(({ path }) => touches(input, path)));
      if (fault) throw fault;
    }
    if (before.status === "SCHEDULED") {
      const problem = await findProblem(tx, after);
      if (problem) throw problem;
    }
    const time = input.scheduledAt === undefined ? {} : await timeOf(tx, input.scheduledAt);
    const [row] = await tx
      .update(campaigns)
      .set({ ...changes, ...time, updatedAt: laterThan(campaigns.updatedAt) })
      .where(and(owned(ctx, before.id), eq(campaigns.status, before.status)))
      .returning();
    if (!row) throw new Error("A locked campaign changed its state.");
    if (row.status === "SCHEDULED") await tx.execute(sql`select pg_notify('campaigns_due', '')`);
    await audit(tx, ctx, "update.campaign", encodeId("campaign", row.id), { name: row.name });
    return toCampaign(tx, row);
  });
}

async function timeOf(executor: Executor, scheduledAt: string) {
  const text = checkSchedule(scheduledAt, "", await databaseTime(executor), farthestCampaignDays);
  return { scheduledAt: new Date(text), dueAt: new Date(text) };
}

/** Whether an update says something of the field that is missing: an old gap in a draft may stay. */
function touches(input: CampaignUpdate, path: string): boolean {
  if (path !== "body") return path in input;
  return ["body", "html", "htmlBody", "templateId"].some((name) => name in input);
}

/** Drafts and cancelled campaigns only; mail that went out stays in the log. Throws NOT_FOUND, CONFLICT. Needs editor. */
export async function deleteCampaign(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const uuid = campaignUuid(id);
  await ctx.db.transaction(async (tx) => {
    // A cancelled one whose waiting mail is still being ended (due_at) needs its row a moment longer.
    const [deleted] = await tx
      .delete(campaigns)
      .where(
        and(
          owned(ctx, uuid),
          inArray(campaigns.status, ["DRAFT", "CANCELLED"]),
          sql`${campaigns.dueAt} is null`,
        ),
      )
      .returning({ name: campaigns.name });
    if (!deleted) {
      const row = await findCampaignRow(tx, ctx, id);
      throw new AppError(
        "CONFLICT",
        row.status === "CANCELLED"
          ? "The campaign is still being cancelled: try again in a moment."
          : `Only drafts and cancelled campaigns can be deleted; this one is ${row.status}.`,
      );
    }
    await audit(tx, ctx, "delete.campaign", encodeId("campaign", uuid), { name: deleted.name });
  });
}

/** A new draft with the same content and audience. Throws NOT_FOUND. Needs editor. */
export async function duplicateCampaign(ctx: Context, id: string): Promise<Campaign> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    const original = await findCampaignRow(tx, ctx, id);
    const content = Object.fromEntries(
      Object.keys(blank).map((key) => [key, original[key as keyof typeof blank]]),
    ) as Pick<CampaignRow, keyof typeof blank>;
    const [row] = await tx
      .insert(campaigns)
      .values({
        ...content,
        name: `Copy of ${original.name}`.slice(0, 200).toWellFormed(),
        projectId: ctx.projectId,
      })
      .returning();
    if (!row) throw new Error("An insert returned no row.");
    await audit(tx, ctx, "duplicate.campaign", encodeId("campaign", row.id), {
      name: row.name,
      of: encodeId("campaign", original.id),
    });
    return toCampaign(tx, row);
  });
}
