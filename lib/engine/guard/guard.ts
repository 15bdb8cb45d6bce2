import { and, eq } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { errorCode } from "@/db/errors";
import { campaigns } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { GuardPause } from "@/db/schema/campaigns";
import { readFigures } from "@/lib/domain/campaigns/stats";
import { campaignResults } from "@/lib/domain/guard/campaign-results";
import { judgeResults } from "@/lib/domain/guard/judge";
import { mailTeam } from "@/lib/domain/team-letters/mail";
import { arrivalOf } from "@/lib/ground/counters/arrival";
import { emitEvents } from "@/lib/ground/events/emit";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import type { Texts } from "@/lib/ground/texts/texts";

type CampaignRow = typeof campaigns.$inferSelect;

/** The fate of all of a campaign's mail: the server's words, or why it cannot be made. */
export interface CommonRefusal {
  kind: "refused" | "unrendered";
  words: string;
}

/** Why a campaign is paused: a sentence for the dashboard, what the guard keeps of it, and the words of the letter. */
interface Cause {
  sentence: string;
  guard: GuardPause;
  explain: (text: Texts["text"]) => string;
}

/** A campaign that has just been paused. */
export interface Paused {
  campaign: CampaignRow;
  explain: Cause["explain"];
}

async function pause(
  tx: Transaction,
  campaignId: string,
  decide: (campaign: CampaignRow) => Promise<Cause | null>,
): Promise<Paused | null> {
  const [campaign] = await tx
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, campaignId), eq(campaigns.status, "SENDING")))
    .for("update");
  const decision = campaign && (await decide(campaign));
  if (!decision) return null;
  const { guard, sentence: reason, explain } = decision;
  await tx
    .update(campaigns)
    .set({ status: "PAUSED", pausedAt: now, failureReason: reason, guard, updatedAt: now })
    .where(eq(campaigns.id, campaignId));
  const data = {
    campaignId: encodeId("campaign", campaignId),
    name: campaign.name,
    reason,
    guard,
  };
  await emitEvents(tx, [{ projectId: campaign.projectId, type: "campaign.paused", data }]);
  return { campaign, explain };
}

/** Tells the team, once the pause is committed; that a letter does not leave undoes nothing. */
export async function tellPaused(db: Database, { campaign, explain }: Paused): Promise<void> {
  const { projectId, id } = campaign;
  try {
    const figuresOf = await readFigures(db, projectId, [campaign]);
    const { name } = campaign;
    const waiting = figuresOf(id).pending;
    await mailTeam(db, projectId, "campaignStopped", (project, { text }) => ({
      subject: text("mail.paused.subject"),
      preview: text("mail.paused.preview", { campaign: name, reason: explain(text) }),
      text: text("mail.paused.text", { project, campaign: name, reason: explain(text), waiting }),
      action: {
        label: text("mail.paused.button"),
        page: `/campaigns/${encodeId("campaign", id)}`,
      },
    }));
  } catch (error) {
    log.error({ campaignId: id, code: errorCode(error) }, "The team could not be told.");
  }
}

const refusalSentence = ({ kind, words }: CommonRefusal) =>
  kind === "refused"
    ? inEnglish("The mail server refuses this campaign's mail: {words}", { words })
    : inEnglish("This campaign's mail cannot be rendered: {words}", { words });

/**
 * Pauses a campaign whose mail cannot be made, or is refused, for every recipient. null when it was not sending.
 */
export async function pauseRefused(
  db: Database,
  campaignId: string,
  refusal: CommonRefusal,
): Promise<Paused | null> {
  return db.transaction((tx) =>
    pause(tx, campaignId, async (campaign) => {
      const { sent, bounced, complained } = await campaignResults(tx, campaign);
      return {
        sentence: refusalSentence(refusal),
        guard: { reason: "refusals", sent, bounced, complained },
        explain: (text) => text(`mail.paused.${refusal.kind}`, { words: refusal.words }),
      };
    }),
  );
}

/** What the guard says about a campaign's results; null when it may continue. */
async function judgeCampaign(
  executor: Transaction | Database,
  campaign: CampaignRow,
): Promise<Cause | null> {
  const results = await campaignResults(executor, campaign);
  const trouble = judgeResults(results, null);
  if (trouble?.verdict !== "tooHigh") return null;
  const { sent, bounced, complained } = results;
  const { reason } = trouble;
  const ofComplaints = arrivalOf(results).arrived;
  return {
    sentence: trouble.message,
    guard: { reason, sent, bounced, complained },
    explain: (text) =>
      reason === "bounces"
        ? text("mail.paused.bounces", { bounced, sent, share: bounced / sent })
        : text("mail.paused.complaints", {
            complained,
            sent: ofComplaints,
            share: complained / ofComplaints,
          }),
  };
}

/** Pauses a campaign whose results exceed the thresholds. null when they do not, or it was not sending. */
export async function guardCampaign(db: Database, campaignId: string): Promise<Paused | null> {
  const [campaign] = await db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.id, campaignId), eq(campaigns.status, "SENDING")));
  // Almost always nothing is wrong: the row is locked only when something is.
  if (!campaign || !(await judgeCampaign(db, campaign))) return null;
  return db.transaction((tx) => pause(tx, campaignId, (locked) => judgeCampaign(tx, locked)));
}
