import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Database, Transaction } from "@/db/client";
import { errorCode, retryConflicts } from "@/db/errors";
import { campaigns } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { announce } from "@/lib/ground/queue/announce";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import { hopeless, putOff } from "./failed-steps";
import { AppError, isAppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { metrics } from "@/lib/ground/metrics/metrics";
import { noteTeamLetter } from "@/lib/domain/team-letters/note";
import { emitEvents } from "@/lib/ground/events/emit";
import { traced } from "@/lib/ground/traces/traces";
import { freezeNextRecipients } from "./audience";
import { takeTestStep } from "./ab-test";
import { endWaiting, hasUntried, senderStands } from "./end";
import { freezeContent } from "./freeze";
import { guardCampaign, tellPaused } from "@/lib/engine/guard/guard";

/*
 * What a campaign's row calls for when its due_at has come, one step at a time:
 *   SCHEDULED                        starts: SENDING
 *   SENDING without message          its content is frozen, or it FAILED
 *   SENDING, PAUSED, audience open   the next recipients are written down
 *   SENDING, audience complete       an A/B test takes its steps (see ab-test.ts), then
 *                                    looked at until each recipient was tried once: SENT
 *   CANCELLED, FAILED                what still waits is ended
 * A step is one transaction under the row's lock, which is the claim: any number of workers and cron
 * calls take the steps in turns, and a crash leaves no half of one. A step goes behind whatever else is
 * due, so that a large audience does not keep other campaigns waiting.
 */

const heldSeconds = 2;

interface Step {
  set?: PgUpdateSetSource<typeof campaigns>;
  /** Seconds until the next step; null when there is none. */
  next: number | null;
  /** Emails written down. */
  added?: number;
  /** Whether mail that waited for the winner of its A/B test may go out now. */
  released?: boolean;
}

/** What a run did. */
export interface AdvanceSummary {
  steps: number;
  /** Emails written down. */
  recipients: number;
}

/** Takes every step that is due, the longest overdue first, until none is left or the signal aborts. */
export async function advanceCampaigns(db: Database, signal: AbortSignal): Promise<AdvanceSummary> {
  const summary: AdvanceSummary = { steps: 0, recipients: 0 };
  while (!signal.aborted) {
    const added = await advanceOne(db);
    if (added === null) break;
    summary.steps++;
    summary.recipients += added;
    metrics.accepted.inc({ source: "CAMPAIGN" }, added);
  }
  return summary;
}

/**
 * One step of the campaign that is longest overdue; resolves to the number of recipients added, null when none is
 * due.
 */
async function advanceOne(db: Database): Promise<number | null> {
  const taken: Taken = { sendingId: null, released: false };
  const added = await takeStep(db, taken);
  if (taken.released || (added ?? 0) > 0) announce(db, "emails_due");
  if (taken.sendingId === null) return added;
  // Complaints come from elsewhere and bounces from all workers, so those who hand mail over do not see all of
  // them.
  const paused = await guardCampaign(db, taken.sendingId);
  if (paused) await tellPaused(db, paused);
  return added;
}

/** What a step was taken on. */
interface Taken {
  /** A campaign whose mail goes out, uuid. */
  sendingId: string | null;
  released: boolean;
}

async function takeStep(db: Database, taken: Taken): Promise<number | null> {
  let id: string | null = null;
  let refusal: AppError | null = null;
  const take = () =>
    db.transaction(async (tx) => {
      const [campaign] = await tx
        .select()
        .from(campaigns)
        .where(
          and(
            lte(campaigns.dueAt, now),
            worksHere(campaigns.projectId),
            id === null ? undefined : eq(campaigns.id, id),
          ),
        )
        .orderBy(asc(campaigns.dueAt))
        .limit(1)
        .for("update", { skipLocked: true });
      if (!campaign) return null;
      id = campaign.id;
      taken.sendingId = campaign.status === "SENDING" ? id : null;
      const attributes = {
        "lettermill.campaign.id": campaign.id,
        "lettermill.project.id": campaign.projectId,
        "lettermill.campaign.status": campaign.status,
      };
      const { set, next, added, released } = await traced("advance campaign", { attributes }, () =>
        refusal ? refuse(tx, campaign, refusal) : step(tx, campaign),
      );
      await tx
        .update(campaigns)
        .set({
          ...set,
          failedSteps: 0,
          dueAt: next === null ? null : sql`app_now() + make_interval(secs => ${next}::float8)`,
        })
        .where(eq(campaigns.id, campaign.id));
      taken.released = released === true;
      return added ?? 0;
    });
  try {
    try {
      return await retryConflicts(take);
    } catch (error) {
      if (id === null || !isAppError(error)) throw error;
      // The step's writes are rolled back; the reason why it may not continue is recorded separately.
      refusal = error;
      return (await retryConflicts(take)) ?? 0;
    }
  } catch (error) {
    if (id === null) throw error;
    log.error({ campaignId: id, code: errorCode(error) }, "A campaign's step failed.");
    if (!(await putOff(db, id, error))) return 0;
    refusal = new AppError("INTERNAL_ERROR", hopeless);
    return (await retryConflicts(take)) ?? 0;
  }
}

async function step(tx: Transaction, campaign: CampaignRow): Promise<Step> {
  switch (campaign.status) {
    case "SCHEDULED":
      return start(tx, campaign, { status: "SENDING", startedAt: now, updatedAt: now });
    case "SENDING":
      if (campaign.messageId === null) return start(tx, campaign, {});
      if (campaign.audienceDoneAt === null) {
        return writeAudience(tx, campaign, campaign.messageId);
      }
      return (await takeTestStep(tx, campaign)) ?? (await finish(tx, campaign, campaign.messageId));
    case "PAUSED":
      if (campaign.messageId === null || campaign.audienceDoneAt !== null) return { next: null };
      return writeAudience(tx, campaign, campaign.messageId);
    case "CANCELLED":
    case "FAILED": {
      const left = await endWaiting(tx, campaign);
      return { next: left === "all" ? null : left === "some" ? 0 : heldSeconds };
    }
    case "DRAFT":
    case "SENT":
      return { next: null };
  }
}

async function start(
  tx: Transaction,
  campaign: CampaignRow,
  begun: PgUpdateSetSource<typeof campaigns>,
): Promise<Step> {
  const messageIds = await freezeContent(tx, campaign);
  const [messageId] = messageIds;
  const variantMessageIds = campaign.abTest && messageIds;
  await tell(tx, campaign, "campaign.started", {});
  return { set: { ...begun, messageId, variantMessageIds, failureReason: null }, next: 0 };
}

async function writeAudience(
  tx: Transaction,
  campaign: CampaignRow,
  messageId: string,
): Promise<Step> {
  const { added, tested, cursor, done, filter } = await freezeNextRecipients(
    tx,
    campaign,
    messageId,
  );
  return {
    set: {
      recipients: campaign.recipients + added,
      tested: campaign.tested + tested,
      audienceCursor: cursor,
      ...(campaign.audienceCursor === null ? { audienceFilter: filter } : {}),
      ...(done ? { audienceDoneAt: now } : {}),
    },
    next: 0,
    added,
  };
}

async function finish(tx: Transaction, campaign: CampaignRow, messageId: string): Promise<Step> {
  if (!(await hasUntried(tx, campaign.id))) {
    await tell(tx, campaign, "campaign.sent", { recipients: campaign.recipients });
    await noteTeamLetter(tx, campaign.projectId, "campaignSent", { subjectId: campaign.id });
    return { set: { status: "SENT", finishedAt: now, updatedAt: now }, next: null };
  }
  if (!(await senderStands(tx, messageId))) {
    throw new AppError(
      "DOMAIN_NOT_VERIFIED",
      inEnglish("The sender domain is no longer verified in this project."),
    );
  }
  const [row] = await tx
    .select({
      seconds: sql<number>`extract(epoch from app_now() - ${campaigns.startedAt})::float8`,
    })
    .from(campaigns)
    .where(eq(campaigns.id, campaign.id));
  // A short campaign ends at once, a long one within seconds.
  return { next: Math.min(10, Math.max(0.5, (row?.seconds ?? 0) / 30)) };
}

/**
 * A used-up monthly limit pauses it, since it can continue with a higher limit or next month. Anything else ends
 * it.
 */
async function refuse(tx: Transaction, campaign: CampaignRow, error: AppError): Promise<Step> {
  const reason = error.message;
  if (!["SCHEDULED", "SENDING", "PAUSED"].includes(campaign.status)) return { next: 0 };
  const { projectId, id: subjectId, name } = campaign;
  await noteTeamLetter(tx, projectId, "campaignStopped", { subjectId, name, reason });
  if (error.code === "PAYMENT_REQUIRED") {
    await tell(tx, campaign, "campaign.paused", { reason });
    return {
      set: { status: "PAUSED", pausedAt: now, failureReason: reason, updatedAt: now },
      next: null,
    };
  }
  await tell(tx, campaign, "campaign.failed", { reason });
  // Recipients selected so far are ended by the next step.
  return {
    set: { status: "FAILED", failureReason: reason, finishedAt: now, updatedAt: now },
    next: 0,
  };
}

async function tell(
  tx: Transaction,
  campaign: CampaignRow,
  type: "campaign.started" | "campaign.sent" | "campaign.paused" | "campaign.failed",
  more: Record<string, unknown>,
): Promise<void> {
  const data = { campaignId: encodeId("campaign", campaign.id), name: campaign.name, ...more };
  await emitEvents(tx, [{ projectId: campaign.projectId, type, data }]);
}
