import { eq } from "drizzle-orm";
import { variantNames } from "@/db/enums";
import { campaigns } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { nameOf, readDecision } from "@/lib/domain/ab-tests/result";
import type { WinnerChoice } from "@/lib/domain/ab-tests/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { announce } from "@/lib/ground/queue/announce";
import { findCampaignRow, toCampaign } from "./read";
import type { CampaignRow } from "./readiness";
import { refuseLive } from "./test-keys";
import type { Campaign } from "./schema";

/**
 * Ends a campaign's A/B test: everybody still waiting gets this variant. Repeating the same choice changes nothing.
 * Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT (no test is running, or another has won), NOT_ALLOWED to a test key of
 * what is live. Needs editor.
 */
export async function chooseWinner(
  ctx: Context,
  id: string,
  { variant }: WinnerChoice,
): Promise<Campaign> {
  requireRole(ctx, "editor");
  const chosen = 1 + variantNames.indexOf(variant);
  const campaign = await ctx.db.transaction(async (tx) => {
    const row = await findCampaignRow(tx, ctx, id, true);
    const { abTest, variantMessageIds } = row;
    if (abTest === null) throw new AppError("CONFLICT", "The campaign has no A/B test.");
    const names = variantNames.slice(0, abTest.variants.length);
    if (chosen > names.length) throw invalid("variant", `is not one of ${names.join(", ")}`);
    if (row.winner === chosen) return toCampaign(tx, row);
    const refusal = refusalOf(row);
    if (refusal !== null || variantMessageIds === null) {
      throw new AppError("CONFLICT", refusal ?? "The campaign's A/B test has not begun yet.");
    }
    refuseLive(ctx, row);
    const decision = await readDecision(
      tx,
      { ...row, variants: variantMessageIds.length },
      { by: "person", metric: abTest.winnerMetric },
    );
    const [after] = await tx
      .update(campaigns)
      .set({
        winner: chosen,
        winnerAt: now,
        winnerDecision: decision,
        dueAt: now,
        updatedAt: now,
      })
      .where(eq(campaigns.id, row.id))
      .returning();
    if (!after) throw new Error("A locked campaign is gone.");
    await audit(tx, ctx, "chooseWinner.campaign", encodeId("campaign", row.id), {
      name: row.name,
      variant,
    });
    return toCampaign(tx, after);
  });
  announce(ctx.db, "campaigns_due");
  return campaign;
}

function refusalOf({ status, winner }: CampaignRow): string | null {
  if (winner !== null) return `The campaign's winner has already been chosen: ${nameOf(winner)}.`;
  return status === "SENDING" || status === "PAUSED"
    ? null
    : `The campaign is ${status}: a winner can be chosen only while its A/B test is running.`;
}
