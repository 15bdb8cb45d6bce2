import { and, count, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { emailQueue, hourlyFigures } from "@/db/schema";
import { probabilitiesToBeBest } from "@/lib/domain/ab-tests/probability-to-be-best";
import { readVariantFigures } from "@/lib/domain/ab-tests/result";
import { clearProbability } from "@/lib/domain/ab-tests/terms";
import { arrivalOf, arrivedOf } from "@/lib/ground/counters/arrival";
import { requireRole, type Context } from "@/lib/ground/context";
import { asleepOfCampaigns } from "@/lib/ground/queue/email-queue";
import { findCampaignRow } from "./read";
import type { CampaignRow } from "./readiness";
import type { CampaignSpread } from "./spread-schema";

const hourText = (time: unknown) => new Date(String(time)).toISOString();

async function readHours(
  executor: Executor,
  { id, projectId }: CampaignRow,
): Promise<CampaignSpread["hours"]> {
  const sent = await executor
    .select({
      hour: sql<string>`${hourlyFigures.hour}::text`,
      sent: sql<number>`sum(${hourlyFigures.sent})::int`,
    })
    .from(hourlyFigures)
    .where(and(eq(hourlyFigures.projectId, projectId), eq(hourlyFigures.campaignId, id)))
    .groupBy(hourlyFigures.hour);
  const waiting = await executor
    .select({
      hour: sql<string>`date_trunc('hour', ${emailQueue.dueAt}, 'UTC')::text`,
      waiting: count(),
    })
    .from(emailQueue)
    .where(
      and(eq(emailQueue.campaignId, id), asleepOfCampaigns, sql`${emailQueue.dueAt} < 'infinity'`),
    )
    .groupBy(sql`1`);
  const hours = new Map<string, CampaignSpread["hours"][number]>();
  const at = (hour: string) => {
    const figures = hours.get(hour) ?? { hour, sent: 0, waiting: 0 };
    hours.set(hour, figures);
    return figures;
  };
  for (const row of sent) if (row.sent > 0) at(hourText(row.hour)).sent += row.sent;
  for (const row of waiting) at(hourText(row.hour)).waiting += row.waiting;
  return [...hours.values()].sort((one, other) => (one.hour < other.hour ? -1 : 1));
}

const points = (share: number) => `${(Math.abs(share) * 100).toFixed(1)} points`;

async function readComparison(
  executor: Executor,
  { id, projectId }: CampaignRow,
): Promise<CampaignSpread["comparison"]> {
  const figures = await readVariantFigures(executor, { id, projectId, variants: 2 });
  // Both groups were handed to the same servers, so both are measured against the same base.
  const sum = (name: keyof (typeof figures)[number]) =>
    figures.reduce((total, one) => total + one[name], 0);
  const { confirmed: deliveryConfirmed } = arrivalOf({
    ...{ sent: sum("sent"), delivered: sum("delivered") },
    ...{ inferred: sum("inferred"), bounced: sum("bounced") },
  });
  const groups = figures.map((one) => ({
    ...one,
    arrived: arrivedOf({ deliveryConfirmed, ...one }),
  }));
  const [ownHour, control] = groups.map(({ sent, delivered, opened, clicked, arrived }) => ({
    ...{ people: sent, delivered, opened, clicked },
    openRate: arrived === 0 ? 0 : Math.min(1, opened / arrived),
  }));
  if (!ownHour || !control) return null;
  if (groups.some(({ arrived }) => arrived === 0)) {
    const sentence = "There is nothing to compare until both groups have received the campaign.";
    return { deliveryConfirmed, ownHour, control, sentence };
  }
  const [probability = 0] = probabilitiesToBeBest(
    groups.map(({ arrived, opened }) => ({ tried: Math.max(arrived, opened), succeeded: opened })),
  );
  const difference = ownHour.openRate - control.openRate;
  const verdict =
    probability >= clearProbability
      ? "their own hour is better"
      : probability <= 1 - clearProbability
        ? "their own hour is worse"
        : "the difference may be chance";
  const sentence = `At their own hour ${points(difference)} ${difference < 0 ? "fewer" : "more"} opened it than in the control group: ${verdict}.`;
  return { deliveryConfirmed, ownHour, control, sentence };
}

/**
 * The hours over which a campaign with personal times is spread, and what those times gained: the control group got
 * it at the ordinary time. Throws NOT_FOUND. Needs viewer.
 */
export async function getCampaignSpread(ctx: Context, id: string): Promise<CampaignSpread> {
  requireRole(ctx, "viewer");
  const campaign = await findCampaignRow(ctx.db, ctx, id);
  return {
    hours: await readHours(ctx.db, campaign),
    comparison:
      campaign.personalTime?.mode === "reader" ? await readComparison(ctx.db, campaign) : null,
  };
}
