import { and, desc, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { apiKeys, campaigns, reportLinks, users } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { findCampaignRow } from "@/lib/domain/campaigns/read";
import { databaseTime } from "@/lib/domain/emails/normalize";
import { audit } from "@/lib/ground/audit";
import { authorOf } from "@/lib/ground/author";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { readReportToken } from "@/lib/mail/tracking/tokens";
import { appUrls } from "@/lib/mail/tracking/urls";
import { mostReportLinks, type ReportLink, type ReportLinkInput, type ReportLinks } from "./schema";

const hasExpired = sql<boolean>`coalesce(${reportLinks.expiresAt} <= app_now(), false)`;

const selectLinks = (executor: Executor) =>
  executor
    .select({ link: reportLinks, person: users.email, key: apiKeys.name, expired: hasExpired })
    .from(reportLinks)
    .leftJoin(users, and(eq(users.id, reportLinks.authorId), eq(reportLinks.authorType, "user")))
    .leftJoin(
      apiKeys,
      and(eq(apiKeys.id, reportLinks.authorId), eq(reportLinks.authorType, "apiKey")),
    );
type Row = Awaited<ReturnType<typeof selectLinks>>[number];

function toReportLink({ link, person, key, expired }: Row): ReportLink {
  const { authorType, authorId } = link;
  return {
    id: encodeId("reportLink", link.id),
    name: link.name,
    url: appUrls.report(link.id),
    expiresAt: link.expiresAt?.toISOString() ?? null,
    expired,
    author:
      authorType && authorId
        ? { type: authorType, id: encodeId(authorType, authorId), name: person ?? key }
        : null,
    opens: link.opens,
    lastOpenedAt: link.lastOpenedAt?.toISOString() ?? null,
    createdAt: link.createdAt.toISOString(),
  };
}

const ofCampaign = (ctx: Context, campaignId: string) =>
  and(eq(reportLinks.projectId, ctx.projectId), eq(reportLinks.campaignId, campaignId));

/** The links to a campaign's report, newest first. Throws NOT_FOUND. Needs editor: an address is as good as the link. */
export async function listReportLinks(ctx: Context, campaignId: string): Promise<ReportLinks> {
  requireRole(ctx, "editor");
  const campaign = await findCampaignRow(ctx.db, ctx, campaignId);
  const rows = await selectLinks(ctx.db)
    .where(ofCampaign(ctx, campaign.id))
    .orderBy(desc(reportLinks.id));
  return { data: rows.map(toReportLink) };
}

/** Throws NOT_FOUND; VALIDATION_ERROR for an end that has passed; CONFLICT when there are too many. Needs editor. */
export async function createReportLink(
  ctx: Context,
  campaignId: string,
  { name = "", expiresAt = null }: ReportLinkInput,
): Promise<ReportLink> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    // Locked, so that links made at the same time are counted.
    const campaign = await findCampaignRow(tx, ctx, campaignId, true);
    const end = expiresAt === null ? null : new Date(expiresAt);
    if (end !== null && end <= (await databaseTime(tx)))
      throw invalid("expiresAt", "is in the past");
    if ((await tx.$count(reportLinks, ofCampaign(ctx, campaign.id))) >= mostReportLinks) {
      throw new AppError(
        "CONFLICT",
        `A campaign's report has at most ${mostReportLinks} links: revoke one first.`,
      );
    }
    const id = newId(ctx.projectId);
    const of = { id, projectId: ctx.projectId, campaignId: campaign.id };
    await tx.insert(reportLinks).values({ ...of, name, expiresAt: end, ...authorOf(ctx) });
    await audit(tx, ctx, "create.reportLink", encodeId("campaign", campaign.id), { name });
    const [row] = await selectLinks(tx).where(eq(reportLinks.id, id));
    if (!row) throw new Error("An insert returned no row.");
    return toReportLink(row);
  });
}

/** Ends a link at once. Throws NOT_FOUND. Needs editor. */
export async function deleteReportLink(
  ctx: Context,
  campaignId: string,
  linkId: string,
): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const campaign = await findCampaignRow(tx, ctx, campaignId);
    const uuid = decodeId("reportLink", linkId);
    if (!uuid) throw notFound();
    const [deleted] = await tx
      .delete(reportLinks)
      .where(and(ofCampaign(ctx, campaign.id), eq(reportLinks.id, uuid)))
      .returning({ name: reportLinks.name });
    if (!deleted) throw notFound();
    const target = encodeId("campaign", campaign.id);
    await audit(tx, ctx, "delete.reportLink", target, { name: deleted.name });
  });
}

/** Whose report a link opens; ids are uuids. */
export interface OpenedReport {
  projectId: string;
  campaignId: string;
}

/**
 * What a link's token opens: `unknown` if we never made it, `ended` once it is revoked or has expired, or its campaign
 * or project is gone. `counted`: somebody is looking at the report.
 */
export async function openReport(
  executor: Executor,
  token: string,
  { counted }: { counted: boolean },
): Promise<OpenedReport | "unknown" | "ended"> {
  const id = readReportToken(token);
  if (id === null) return "unknown";
  const opened = { projectId: reportLinks.projectId, campaignId: reportLinks.campaignId };
  const isOpen = and(
    eq(reportLinks.id, id),
    sql`not ${hasExpired}`,
    sql`exists (select from ${campaigns} where ${campaigns.id} = ${reportLinks.campaignId}
      and ${campaigns.projectId} = ${reportLinks.projectId})`,
  );
  const [row] = counted
    ? await executor
        .update(reportLinks)
        .set({ opens: sql`${reportLinks.opens} + 1`, lastOpenedAt: now })
        .where(isOpen)
        .returning(opened)
    : await executor.select(opened).from(reportLinks).where(isOpen);
  return row ?? "ended";
}
