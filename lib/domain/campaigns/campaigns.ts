import { and, eq, inArray, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { campaigns } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { checkVariants } from "@/lib/domain/ab-tests/settings";
import { checkContent } from "@/lib/mail/content/rendering";
import { checkSchedule, checkSendBefore, databaseTime } from "@/lib/domain/emails/normalize";
import { announce } from "@/lib/ground/queue/announce";
import { blankContent, changesOf, withDesignedBody } from "./content";
import { versionAfter, written } from "./keep-version";
import { faulty, findProblem, missingFields, type CampaignRow } from "./readiness";
import { farthestCampaignDays } from "./action-schema";
import { type Campaign, type CampaignInput, type CampaignUpdate } from "./schema";
import { toCampaign, owned, campaignUuid, findCampaignRow } from "./read";
import { refuseLive } from "./test-keys";

/**
 * Creates a draft. Throws VALIDATION_ERROR for anything that is missing (unless `incomplete`) or does not parse,
 * NOT_FOUND for a template, segment or list that the project does not have. Needs editor.
 */
export async function createCampaign(ctx: Context, draft: CampaignInput): Promise<Campaign> {
  requireRole(ctx, "editor");
  const input = withDesignedBody(draft);
  await checkContent(ctx.projectId, { ...input, html: input.body });
  await checkVariants(ctx.projectId, input.abTest?.variants);
  return ctx.db.transaction(async (tx) => {
    const content = { ...blankContent, ...(await changesOf(tx, ctx.projectId, input)) };
    refuseTwoTimings(content);
    if (!input.incomplete) {
      const unnamed = input.name === undefined ? [{ path: "name", message: "is required" }] : [];
      const fault = faulty([...unnamed, ...missingFields(content)]);
      if (fault) throw fault;
    }
    const [row] = await tx
      .insert(campaigns)
      .values({ ...content, ...written(ctx), id: newId(ctx.projectId), projectId: ctx.projectId })
      .returning();
    if (!row) throw new Error("An insert returned no row.");
    await audit(tx, ctx, "create.campaign", encodeId("campaign", row.id), { name: row.name });
    return toCampaign(tx, row);
  });
}

/**
 * Changes the given fields of a DRAFT or SCHEDULED campaign; a scheduled one has to stay ready to be sent. Throws
 * NOT_FOUND, CONFLICT in another state or when it was changed since `basedOn`, VALIDATION_ERROR,
 * DOMAIN_NOT_VERIFIED. `restores`: it is an earlier version that comes back. Needs editor.
 */
export async function updateCampaign(
  ctx: Context,
  id: string,
  update: CampaignUpdate,
  { restores = false }: { restores?: boolean } = {},
): Promise<Campaign> {
  requireRole(ctx, "editor");
  const input = withDesignedBody(update);
  await checkContent(ctx.projectId, { ...input, html: input.body });
  await checkVariants(ctx.projectId, input.abTest?.variants);
  const campaign = await ctx.db.transaction(async (tx) => {
    const before = await findCampaignRow(tx, ctx, id, true);
    if (before.status !== "DRAFT" && before.status !== "SCHEDULED") {
      throw new AppError(
        "CONFLICT",
        `Only drafts and scheduled campaigns can be changed; this one is ${before.status}.`,
      );
    }
    refuseLive(ctx, before);
    if (input.scheduledAt !== undefined && before.status === "DRAFT") {
      throw new AppError(
        "CONFLICT",
        "The campaign is a DRAFT and has no time to change: schedule it with POST /v1/campaigns/{id}/schedule.",
      );
    }
    refuseStale(input.basedOn, before.updatedAt);
    const changes = await changesOf(tx, ctx.projectId, input, before);
    const after = { ...before, ...changes };
    refuseTwoTimings(after);
    if (before.status === "DRAFT" && !input.incomplete) {
      const fault = faulty(missingFields(after).filter(({ path }) => touches(input, path)));
      if (fault) throw fault;
    }
    if (before.status === "SCHEDULED") {
      const problem = await findProblem(tx, after);
      if (problem) throw problem;
    }
    const time = before.status === "SCHEDULED" ? await timesOf(tx, input, after) : {};
    const version = await versionAfter(tx, ctx, { before, changes, restores });
    const [row] = await tx
      .update(campaigns)
      .set({ ...changes, ...time, ...version, updatedAt: laterThan(campaigns.updatedAt) })
      .where(and(owned(ctx, before.id), eq(campaigns.status, before.status)))
      .returning();
    if (!row) throw new Error("A locked campaign changed its state.");
    await audit(tx, ctx, "update.campaign", encodeId("campaign", row.id), { name: row.name });
    return toCampaign(tx, row);
  });
  if (campaign.status === "SCHEDULED") announce(ctx.db, "campaigns_due");
  return campaign;
}

/** A test has to reach its people at the same time: those who got it hours later would decide it too late. */
function refuseTwoTimings({ abTest, personalTime }: Pick<CampaignRow, "abTest" | "personalTime">) {
  if (abTest && personalTime) throw invalid("personalTime", "cannot be combined with an A/B test");
}

/** When a scheduled campaign starts from now on, if that changes. Throws VALIDATION_ERROR, as scheduling it would. */
async function timesOf(
  executor: Executor,
  input: CampaignUpdate,
  { scheduledAt, sendBefore }: Pick<CampaignRow, "scheduledAt" | "sendBefore">,
): Promise<Partial<Pick<CampaignRow, "scheduledAt" | "dueAt">>> {
  if (input.scheduledAt === undefined && input.sendBefore === undefined) return {};
  const now = await databaseTime(executor);
  const moved =
    input.scheduledAt === undefined
      ? null
      : new Date(checkSchedule(input.scheduledAt, "", now, farthestCampaignDays));
  const start = moved ?? scheduledAt;
  if (sendBefore) {
    const text = start && start.toISOString();
    checkSendBefore(sendBefore.toISOString(), "", { now, scheduledAt: text });
  }
  return moved ? { scheduledAt: moved, dueAt: moved } : {};
}

/** Whether an update sets the missing field: an existing gap in a draft may stay. */
function touches(input: CampaignUpdate, path: string): boolean {
  if (path.startsWith("abTest.")) return "abTest" in input || "subject" in input;
  if (path !== "body") return path in input;
  return ["body", "html", "htmlBody", "design", "templateId"].some((name) => name in input);
}

/** Drafts and cancelled campaigns only; mail that went out stays in the log. Throws NOT_FOUND, CONFLICT. Needs editor. */
export async function deleteCampaign(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const uuid = campaignUuid(id);
  await ctx.db.transaction(async (tx) => {
    // A cancelled campaign whose waiting mail is still being ended (due_at) needs its row a moment longer.
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
