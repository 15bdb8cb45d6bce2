import { and, eq, inArray } from "drizzle-orm";
import { campaigns } from "@/db/schema";
import { probabilitiesToBeBest, type Trials } from "@/lib/domain/ab-tests/probability-to-be-best";
import { clearProbability } from "@/lib/domain/ab-tests/terms";
import { requireRole, type Context } from "@/lib/ground/context";
import { arrivedOf } from "@/lib/ground/counters/arrival";
import { notFound, noSuch } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { comparedRates, type Comparison } from "./compare-schema";
import { campaignUuid } from "./read";
import { readFigures } from "./stats";
import type { CampaignFigures } from "./stats-schema";

type Rate = (typeof comparedRates)[number];

/** How many did well, out of how many: for a bad event, those it did not happen to. */
const trialsOf: Record<Rate, (figures: CampaignFigures) => Trials> = {
  openRate: (figures) => ({ tried: arrivedOf(figures), succeeded: figures.opened }),
  clickRate: (figures) => ({ tried: arrivedOf(figures), succeeded: figures.clicked }),
  bounceRate: ({ sent, bounced }) => ({ tried: sent, succeeded: sent - bounced }),
  unsubscribeRate: (figures) => ({
    tried: arrivedOf(figures),
    succeeded: arrivedOf(figures) - figures.unsubscribed,
  }),
  complaintRate: (figures) => ({
    tried: arrivedOf(figures),
    succeeded: arrivedOf(figures) - figures.complained,
  }),
};

/**
 * There may be more reports than confirmed deliveries, since mail may be reported that was never confirmed as
 * delivered.
 */
const bounded = ({ tried, succeeded }: Trials): Trials => ({
  tried: Math.max(tried, succeeded),
  succeeded: Math.max(0, succeeded),
});

function compareRate(
  rate: Rate,
  compared: readonly { id: string; stats: CampaignFigures }[],
): Comparison["rates"][number] {
  const trials = compared.map(({ stats }) => bounded(trialsOf[rate](stats)));
  if (trials.length < 2 || trials.some(({ tried }) => tried === 0)) {
    return { rate, best: null, probability: 0, clear: false };
  }
  const shares = trials.map(({ tried, succeeded }) => succeeded / tried);
  const top = Math.max(...shares);
  const index = shares.indexOf(top);
  // If all did equally well, there is no best.
  const best = shares.every((share) => share === top) ? null : (compared[index]?.id ?? null);
  const probability = probabilitiesToBeBest(trials)[index] ?? 0;
  return { rate, best, probability, clear: best !== null && probability >= clearProbability };
}

/**
 * A campaign beside others, in the requested order, and for each rate which campaign is best and whether that may
 * be chance. Throws NOT_FOUND. Needs viewer.
 */
export async function compareCampaigns(
  ctx: Context,
  id: string,
  others: readonly string[],
): Promise<Comparison> {
  requireRole(ctx, "viewer");
  const own = campaignUuid(id);
  const uuids = [...new Set([own, ...others.map((other) => decodeId("campaign", other) ?? "")])];
  if (uuids.includes("")) throw noSuch("with", "campaign");
  const rows = await ctx.db
    .select({
      id: campaigns.id,
      name: campaigns.name,
      subject: campaigns.subject,
      status: campaigns.status,
      startedAt: campaigns.startedAt,
      recipients: campaigns.recipients,
    })
    .from(campaigns)
    .where(and(eq(campaigns.projectId, ctx.projectId), inArray(campaigns.id, uuids)));
  const figuresOf = await readFigures(ctx.db, ctx.projectId, rows);
  const compared = uuids.map((uuid) => {
    const row = rows.find(({ id }) => id === uuid);
    if (!row) throw uuid === own ? notFound() : noSuch("with", "campaign");
    return {
      id: encodeId("campaign", row.id),
      name: row.name,
      subject: row.subject,
      status: row.status,
      startedAt: row.startedAt?.toISOString() ?? null,
      stats: figuresOf(row.id),
    };
  });
  return { campaigns: compared, rates: comparedRates.map((rate) => compareRate(rate, compared)) };
}
