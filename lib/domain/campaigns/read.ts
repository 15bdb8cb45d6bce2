import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { campaigns } from "@/db/schema";
import { phaseOf, readAbTestResult } from "@/lib/domain/ab-tests/result";
import { toAbTestSettings } from "@/lib/domain/ab-tests/settings";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { findCampaignPace } from "@/lib/domain/sending-state/pace";
import { findWaiting } from "@/lib/domain/warm-up/waiting";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf } from "@/lib/ground/paging/cursor";
import { inOrder, timeSortKey, type SortKey } from "@/lib/ground/paging/order";
import type { Page } from "@/lib/ground/paging/schema";
import { keptTextOrNull } from "@/lib/ground/texts/kept-text";
import { findSlowedReceivers, pacedWaiting } from "./pace";
import type { CampaignRow } from "./readiness";
import type { Campaign, CampaignProgress, CampaignQuery, CampaignSummary } from "./schema";
import type { CampaignActivity } from "./stats-schema";
import { readActivity, readFigures, readStats } from "./stats";

const {
  html: _html,
  design: _design,
  text: _text,
  abTest: _abTest,
  audienceFilter: _filter,
  ...summaryColumns
} = getTableColumns(campaigns);
type SummaryRow = Omit<CampaignRow, "html" | "design" | "text" | "abTest" | "audienceFilter">;

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
    topicId: row.topicId && encodeId("topic", row.topicId),
    tracking: { opens: row.trackOpens, clicks: row.trackClicks },
    utm: row.utm,
    scheduledAt: iso(row.scheduledAt),
    timeZone: row.timeZone,
    personalTime: row.personalTime,
    sendBefore: iso(row.sendBefore),
    startedAt: iso(row.startedAt),
    pausedAt: iso(row.pausedAt),
    audienceDoneAt: iso(row.audienceDoneAt),
    finishedAt: iso(row.finishedAt),
    failureReason: keptTextOrNull(row.failureReason),
    guard: row.guard,
    abTestPhase: phaseOf(row),
    audienceComplete: row.audienceDoneAt !== null,
    test: row.test,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The campaign as the API shows it, with its figures as `executor` sees them. */
export async function toCampaign(executor: Executor, row: CampaignRow): Promise<Campaign> {
  const stats = await readStats(executor, row.projectId, row);
  const emailsPerHour = await findCampaignPace(executor, row.projectId);
  const waitsFor = pacedWaiting(await findWaiting(executor, row), emailsPerHour, stats.pending);
  return {
    ...toSummary(row),
    body: row.html,
    design: row.design as Record<string, unknown> | null,
    text: row.text,
    waitsFor,
    abTest: row.abTest && toAbTestSettings(row.abTest),
    stats,
    abTestResult: await readAbTestResult(executor, row),
  };
}

export const owned = (ctx: Context, uuid: string) =>
  and(eq(campaigns.projectId, ctx.projectId), eq(campaigns.id, uuid));

/** The stored id for an id from a path; throws NOT_FOUND. */
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

/** When a campaign went out or is to; what is planned for no time comes last of all. */
const outAt = sql`coalesce(${campaigns.startedAt}, ${campaigns.scheduledAt}, ${campaigns.sendBefore}, '9999-12-31Z')`;
const sortKeys: Readonly<Record<string, SortKey>> = {
  // Without regard to case, and as the database has them in lower case.
  name: { value: sql`lower(${campaigns.name})`, as: "text" },
  date: timeSortKey(outAt),
};

/** Newest first unless sorted otherwise, with figures and without content. */
export async function listCampaigns(
  ctx: Context,
  query: CampaignQuery,
): Promise<Page<CampaignSummary>> {
  requireRole(ctx, "viewer");
  const { by, after, key, cursorOf } = inOrder(query, campaigns.id, sortKeys);
  const pattern = query.search ? containing(query.search) : null;
  const rows = await ctx.db
    .select({ ...summaryColumns, key })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, ctx.projectId),
        query.status ? eq(campaigns.status, query.status) : undefined,
        after,
        pattern
          ? sql`(${campaigns.name} ilike ${pattern} or ${campaigns.subject} ilike ${pattern})`
          : undefined,
      ),
    )
    .orderBy(...by)
    .limit(query.limit + 1);
  const figuresOf = await readFigures(ctx.db, ctx.projectId, rows.slice(0, query.limit));
  return pageOf(
    rows,
    query.limit,
    (row) => ({ ...toSummary(row), stats: figuresOf(row.id) }),
    cursorOf,
  );
}

/** With its content and figures. Throws NOT_FOUND. */
export async function getCampaign(ctx: Context, id: string): Promise<Campaign> {
  requireRole(ctx, "viewer");
  return toCampaign(ctx.db, await findCampaignRow(ctx.db, ctx, id));
}

/** Its progress, which a page asks for every two seconds. Throws NOT_FOUND. */
export async function getCampaignProgress(ctx: Context, id: string): Promise<CampaignProgress> {
  requireRole(ctx, "viewer");
  const [row] = await ctx.db
    .select(summaryColumns)
    .from(campaigns)
    .where(owned(ctx, campaignUuid(id)));
  if (!row) throw notFound();
  const emailsPerHour = await findCampaignPace(ctx.db, ctx.projectId);
  const stats = await readStats(ctx.db, ctx.projectId, row);
  return {
    ...toSummary(row),
    waitsFor: pacedWaiting(await findWaiting(ctx.db, row), emailsPerHour, stats.pending),
    pace: emailsPerHour === null ? null : { emailsPerHour },
    slowed: await findSlowedReceivers(ctx.db, row),
    stats,
    abTestResult: await readAbTestResult(ctx.db, row),
  };
}

/** What happened by the hour. Throws NOT_FOUND. */
export async function getCampaignActivity(ctx: Context, id: string): Promise<CampaignActivity> {
  requireRole(ctx, "viewer");
  const uuid = campaignUuid(id);
  if ((await ctx.db.$count(campaigns, owned(ctx, uuid))) === 0) throw notFound();
  return readActivity(ctx.db, ctx.projectId, uuid);
}
