import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { campaigns, segments } from "@/db/schema";
import { variantsOf } from "@/lib/domain/ab-tests/settings";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { insertSegment } from "@/lib/domain/segments/segments";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { blankContent, type ContentKey } from "./content";
import { written } from "./keep-version";
import { findCampaignRow, toCampaign } from "./read";
import type { CampaignRow } from "./readiness";
import type { CampaignFollowUp, FollowUpAudience } from "./action-schema";
import type { Campaign } from "./schema";

/** A new draft that says what `original` says, except for `changes`. */
async function insertCopy(
  tx: Transaction,
  ctx: Context,
  original: CampaignRow,
  changes: Partial<Pick<CampaignRow, ContentKey>>,
): Promise<CampaignRow> {
  const content = Object.fromEntries(
    Object.keys(blankContent).map((key) => [key, original[key as ContentKey]]),
  ) as Pick<CampaignRow, ContentKey>;
  const [row] = await tx
    .insert(campaigns)
    // The original's deadline does not apply to a copy.
    .values({
      ...content,
      sendBefore: null,
      ...changes,
      ...written(ctx),
      id: newId(ctx.projectId),
      projectId: ctx.projectId,
    })
    .returning();
  if (!row) throw new Error("An insert returned no row.");
  await audit(tx, ctx, "duplicate.campaign", encodeId("campaign", row.id), {
    name: row.name,
    of: encodeId("campaign", original.id),
  });
  return row;
}

const longestName = 200;
const named = (text: string) => text.slice(0, longestName).toWellFormed();

/** A new draft with the same content and audience. Throws NOT_FOUND. Needs editor. */
export async function duplicateCampaign(ctx: Context, id: string): Promise<Campaign> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    const original = await findCampaignRow(tx, ctx, id);
    const row = await insertCopy(tx, ctx, original, { name: named(`Copy of ${original.name}`) });
    return toCampaign(tx, row);
  });
}

const audiences: Record<FollowUpAudience, string> = {
  not_opened: "Did not open",
  not_clicked: "Did not click in",
  opened: "Opened",
  clicked: "Clicked in",
};

/** The project's segment with this filter, created if there is none: pressing twice creates one. */
async function findOrMakeSegment(
  tx: Transaction,
  ctx: Context,
  name: string,
  filter: SegmentFilter,
): Promise<string> {
  const [existing] = await tx
    .select({ id: segments.id })
    .from(segments)
    .where(
      and(
        eq(segments.projectId, ctx.projectId),
        eq(segments.name, name),
        sql`${segments.filter} = ${JSON.stringify(filter)}::jsonb`,
      ),
    )
    .limit(1);
  return existing?.id ?? (await insertSegment(tx, ctx, { name, filter })).id;
}

/**
 * A new draft with a campaign's content for those of its people who did, or did not do, something with it; their
 * segment is created. After an A/B test it says what the winner said. Throws NOT_FOUND, and CONFLICT for a campaign
 * that has not begun. Needs editor.
 */
export async function followUpCampaign(
  ctx: Context,
  id: string,
  { audience }: CampaignFollowUp,
): Promise<Campaign> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    // Somebody who presses at the same time waits, and then finds the segment.
    const original = await findCampaignRow(tx, ctx, id, true);
    if (original.startedAt === null) {
      throw new AppError(
        "CONFLICT",
        "The campaign has not been sent yet, so there is nobody to follow up with.",
      );
    }
    const campaign = { field: `campaign.${id}`, op: "eq" as const, value: audience };
    const list = original.listId && encodeId("list", original.listId);
    const filter: SegmentFilter = {
      and: [campaign, ...(list ? [{ field: "list", op: "eq" as const, value: list }] : [])],
    };
    const name = named(`${audiences[audience]}: ${original.name}`);
    const segmentId = await findOrMakeSegment(tx, ctx, name, filter);
    const { subject, previewText, fromName, html, text } =
      variantsOf(original)[(original.winner ?? 1) - 1] ?? original;
    const row = await insertCopy(tx, ctx, original, {
      ...{ subject, previewText, fromName, html, text },
      design: html === original.html ? original.design : null,
      templateId: html === null ? original.templateId : null,
      name: named(`Follow-up: ${original.name}`),
      abTest: null,
      listId: null,
      segmentId,
    });
    return toCampaign(tx, row);
  });
}
