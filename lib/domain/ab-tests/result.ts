import { and, eq, gte, inArray, sql, type Column } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Executor } from "@/db/client";
import { variantNames, type CampaignStatus, type VariantName, type WinnerMetric } from "@/db/enums";
import { campaigns, hourlyFigures, messages } from "@/db/schema";
import type { WinnerDecision } from "@/db/schema/campaigns";
import { slotsPerVariant } from "@/lib/ground/counters/counters";
import { explain } from "./explain";
import { probabilitiesToBeBest, type Trials } from "./probability-to-be-best";
import type { AbTestPhase, AbTestResult, VariantResult } from "./schema";
import { clearProbability } from "./terms";

/** The columns of a campaign that say where its test stands. */
export interface TestState {
  status: CampaignStatus;
  variantMessageIds: string[] | null;
  tested: number;
  winnerDueAt: Date | null;
  winner: number | null;
  winnerAt: Date | null;
  winnerDecision: WinnerDecision | null;
}

/** null when there is no test, or it has not begun. */
export function phaseOf(
  row: Pick<TestState, "status" | "variantMessageIds" | "winner" | "winnerDueAt">,
): AbTestPhase | null {
  if (row.variantMessageIds === null) return null;
  if (row.status === "SENT") return "done";
  if (row.status !== "SENDING" && row.status !== "PAUSED") return "stopped";
  if (row.winner !== null) return "sending_winner";
  return row.winnerDueAt === null ? "testing" : "awaiting_winner";
}

const total = (column: Column) => sql<number>`coalesce(sum(${column}), 0)::int`;
const variantOf = sql<number>`${hourlyFigures.slot} / ${sql.raw(`${slotsPerVariant}`)}`;

const figureColumns = {
  sent: total(hourlyFigures.sent),
  delivered: total(hourlyFigures.delivered),
  inferred: total(hourlyFigures.inferred),
  opened: total(hourlyFigures.opened),
  clicked: total(hourlyFigures.clicked),
  bounced: total(hourlyFigures.bounced),
  complained: total(hourlyFigures.complained),
  unsubscribed: total(hourlyFigures.unsubscribed),
};
type VariantFigures = Record<keyof typeof figureColumns, number>;

/** The figures of each variant's people in the test, in the order of the variants. */
export async function readVariantFigures(
  executor: Executor,
  campaign: { id: string; projectId: string; variants: number },
): Promise<VariantFigures[]> {
  const rows = await executor
    .select({ variant: variantOf, ...figureColumns })
    .from(hourlyFigures)
    .where(
      and(
        eq(hourlyFigures.projectId, campaign.projectId),
        eq(hourlyFigures.campaignId, campaign.id),
        gte(hourlyFigures.slot, slotsPerVariant),
      ),
    )
    .groupBy(variantOf);
  const none = Object.fromEntries(
    Object.keys(figureColumns).map((name) => [name, 0]),
  ) as VariantFigures;
  return Array.from({ length: campaign.variants }, (_, index) => ({
    ...none,
    ...rows.find(({ variant }) => variant === index + 1),
  }));
}

/** What the metric says about a variant: how many of those whose mail a server accepted did it. */
function trialsOf(figures: VariantFigures, metric: WinnerMetric): Trials {
  const succeeded = metric === "opens" ? figures.opened : figures.clicked;
  // A bounce report may arrive after somebody has read the mail.
  return { succeeded, tried: Math.max(succeeded, figures.sent - figures.bounced) };
}

const probabilitiesByFigures = new LRUCache<string, number[]>({ max: 1_000 });

/** Pages ask every two seconds, and the figures of a test stay the same for a long time. */
function probabilitiesOf(variants: readonly Trials[]): number[] {
  const key = variants.map(({ tried, succeeded }) => `${tried}/${succeeded}`).join(" ");
  const remembered = probabilitiesByFigures.get(key);
  if (remembered) return remembered;
  const probabilities = probabilitiesToBeBest(variants);
  probabilitiesByFigures.set(key, probabilities);
  return probabilities;
}

/** What is recorded at the moment a winner is found. */
export async function readDecision(
  executor: Executor,
  campaign: { id: string; projectId: string; variants: number },
  { by, metric }: Pick<WinnerDecision, "by" | "metric">,
): Promise<WinnerDecision> {
  const figures = await readVariantFigures(executor, campaign);
  const trials = figures.map((one) => trialsOf(one, metric));
  const probabilities = probabilitiesOf(trials);
  return {
    by,
    metric,
    variants: trials.map((one, index) => ({
      ...one,
      probabilityToBeBest: probabilities[index] ?? 0,
    })),
  };
}

/** How many of the test's people were dealt each variant: they are dealt in turns. */
function dealt(tested: number, variants: number): number[] {
  return Array.from({ length: variants }, (_, index) =>
    Math.max(0, Math.ceil((tested - index) / variants)),
  );
}

/** Four digits: it is shown as a percentage with two. */
const rounded = (share: number) => Math.round(share * 10_000) / 10_000;
const rate = (count: number, of: number) => (of === 0 ? 0 : rounded(Math.min(1, count / of)));

export const nameOf = (variant: number): VariantName => variantNames[variant - 1] ?? "A";

function outcomeOf({ winner, winnerDecision }: TestState): {
  outcome: AbTestResult["outcome"];
  winnerProbability: number | null;
} {
  if (winner === null || winnerDecision === null) return { outcome: null, winnerProbability: null };
  const probability = winnerDecision.variants[winner - 1]?.probabilityToBeBest ?? 0;
  const clear = probability >= clearProbability;
  return {
    outcome:
      winnerDecision.by === "person"
        ? "chosen_by_hand"
        : clear
          ? "clear_winner"
          : "no_clear_winner",
    winnerProbability: rounded(probability),
  };
}

/** How a campaign's test stands or ended; null before it begins, or when there is none. */
export async function readAbTestResult(
  executor: Executor,
  row: TestState & { id: string; projectId: string; recipients: number },
): Promise<AbTestResult | null> {
  const phase = phaseOf(row);
  if (phase === null || row.variantMessageIds === null) return null;
  const variants = row.variantMessageIds.length;
  const [settings] = await executor
    .select({
      metric: sql<WinnerMetric>`${campaigns.abTest} ->> 'winnerMetric'`,
    })
    .from(campaigns)
    .where(eq(campaigns.id, row.id));
  const contents = await executor
    .select({
      id: messages.id,
      subject: messages.subject,
      previewText: messages.previewText,
      fromName: messages.fromName,
    })
    .from(messages)
    .where(inArray(messages.id, row.variantMessageIds));
  const figures = await readVariantFigures(executor, { ...row, variants });
  const metric = settings?.metric ?? "opens";
  const probabilities = probabilitiesOf(figures.map((one) => trialsOf(one, metric)));
  const recipients = dealt(row.tested, variants);
  const results = row.variantMessageIds.map((id, index): VariantResult => {
    const content = contents.find((message) => message.id === id);
    const counts = figures[index] as VariantFigures;
    const opens = trialsOf(counts, "opens");
    const clicks = trialsOf(counts, "clicks");
    return {
      variant: nameOf(index + 1),
      subject: content?.subject ?? "",
      previewText: content?.previewText ?? "",
      fromName: content?.fromName ?? "",
      recipients: recipients[index] ?? 0,
      sent: counts.sent,
      delivered: counts.delivered,
      opened: counts.opened,
      clicked: counts.clicked,
      bounced: counts.bounced,
      complained: counts.complained,
      unsubscribed: counts.unsubscribed,
      openRate: rate(opens.succeeded, opens.tried),
      clickRate: rate(clicks.succeeded, clicks.tried),
      probabilityToBeBest: rounded(probabilities[index] ?? 0),
    };
  });
  const result = {
    phase,
    winnerMetric: metric,
    testRecipients: row.tested,
    decidesAt: row.winnerDueAt?.toISOString() ?? null,
    winner: row.winner === null ? null : nameOf(row.winner),
    decidedAt: row.winnerAt?.toISOString() ?? null,
    ...outcomeOf(row),
    variants: results,
  };
  return { ...result, explanation: explain(result, row) };
}
