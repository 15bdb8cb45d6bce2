import { and, desc, eq, gt, lte, or, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { SuppressionReason } from "@/db/enums";
import { auditLog, suppressions } from "@/db/schema";
import { findFilter } from "@/lib/domain/campaigns/audience";
import { findCampaignRow } from "@/lib/domain/campaigns/read";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { suppresses } from "@/lib/domain/contact-states/suppressed";
import { findContactRow } from "@/lib/domain/contacts/contacts";
import type { ContactRow } from "@/lib/domain/contacts/rows";
import { findCampaignPace } from "@/lib/domain/sending-state/pace";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { isoTime } from "@/lib/ground/iso-time";
import { keptText } from "@/lib/ground/texts/kept-text";
import { t } from "@/lib/ground/texts/t";
import { domainOf } from "@/lib/mail/address";
import { findChoiceReason } from "./choices";
import { findEmailRow, reasonOfEmail, suppressedReason } from "./email-reasons";
import { findFailedConditions } from "./failed-conditions";
import { findMembershipReason, type ChoosingTime } from "./membership";
import type { Reason } from "./reason";
import type { RecipientCode, RecipientExplanation } from "./schema";

/**
 * Whether a contact (id or address) got a campaign, and exactly why or why not. If no email was written, the
 * audience's own conditions are checked in their order. Throws NOT_FOUND. Needs viewer.
 */
export async function explainRecipient(
  ctx: Context,
  campaignId: string,
  contactId: string,
): Promise<RecipientExplanation> {
  requireRole(ctx, "viewer");
  const campaign = await findCampaignRow(ctx.db, ctx, campaignId);
  const contact = await findContactRow(ctx.db, ctx, contactId);
  const email = await findEmailRow(ctx.db, campaign, contact.id);
  const explained = email
    ? reasonOfEmail(email, campaign, await findCampaignPace(ctx.db, ctx.projectId))
    : await reasonOfAbsence(ctx.db, campaign, contact);
  const { code, reason, since, suppression, failedConditions, serverReply, nextAt } = explained;
  return {
    campaignId: encodeId("campaign", campaign.id),
    contact: { id: encodeId("contact", contact.id), email: contact.email },
    outcome: outcomeOf(code),
    code,
    reason,
    since: isoTime(since),
    suppression: suppression ?? null,
    failedConditions: failedConditions ?? [],
    serverReply: serverReply ?? null,
    nextAt: isoTime(nextAt),
    emailId: email ? encodeId("email", email.id) : null,
  };
}

const received: readonly RecipientCode[] = ["sent", "delivered", "opened", "clicked", "complained"];
const waiting: readonly RecipientCode[] = [
  "audience_being_chosen",
  "waiting_for_warm_up",
  "waiting_for_winner",
  "waiting_for_hour",
  "waiting_for_retry",
  "waiting_for_turn",
  "being_sent",
  "campaign_paused",
];

function outcomeOf(code: RecipientCode): RecipientExplanation["outcome"] {
  if (code === "planned") return "planned";
  if (received.includes(code)) return "received";
  return waiting.includes(code) ? "waiting" : "not_received";
}

const hasBegun = ({ startedAt }: CampaignRow) => startedAt !== null;

/** Why there is no email for them. */
async function reasonOfAbsence(
  executor: Executor,
  campaign: CampaignRow,
  contact: ContactRow,
): Promise<Reason> {
  const { startedAt, audienceDoneAt, status } = campaign;
  if (!hasBegun(campaign) && status === "CANCELLED") {
    const reason = t("The campaign was cancelled before it began, and nobody got it.");
    return { code: "campaign_cancelled", reason, since: campaign.finishedAt };
  }
  if (startedAt !== null && new Date(contact.created_at) > startedAt) {
    const reason = t("They were added after the recipients had been chosen.");
    return { code: "added_later", reason, since: contact.created_at };
  }
  const now = await databaseNow(executor);
  const choosing = { from: startedAt ?? now, to: audienceDoneAt ?? now };
  return (
    (await findMembershipReason(executor, campaign, contact, choosing)) ??
    (await findSuppression(executor, contact, campaign.projectId, choosing)) ??
    (await findChoiceReason(executor, campaign, contact, choosing)) ??
    (await findSegmentReason(executor, campaign, contact)) ??
    reasonOfTheRest(campaign, contact)
  );
}

async function databaseNow(executor: Executor): Promise<Date> {
  const [row] = await executor.execute<{ now: string }>(sql`select app_now() as now`);
  return row ? new Date(row.now) : new Date();
}

/** A suppression that was in force while the audience was chosen, even if it has been lifted since. */
async function findSuppression(
  executor: Executor,
  contact: ContactRow,
  projectId: string,
  { from, to }: ChoosingTime,
): Promise<Reason | null> {
  const [standing] = await executor
    .select({ reason: suppressions.reason, createdAt: suppressions.createdAt })
    .from(suppressions)
    .where(and(suppresses(projectId, contact.email), lte(suppressions.createdAt, to)))
    .orderBy(suppressions.createdAt)
    .limit(1);
  if (standing) {
    return suppressedReason(standing.reason, standing.createdAt);
  }
  const [lifted] = await executor
    .select({ details: auditLog.details })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.projectId, projectId),
        or(
          eq(auditLog.target, encodeId("contact", contact.id)),
          sql`${auditLog.details} ->> 'domain' = ${domainOf(contact.email)}`,
        ),
        eq(auditLog.action, "delete.suppression"),
        gt(auditLog.createdAt, from),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1);
  const reason = lifted?.details["reason"];
  return reason === undefined ? null : suppressedReason(reason as SuppressionReason, null);
}

async function findSegmentReason(
  executor: Executor,
  campaign: CampaignRow,
  contact: ContactRow,
): Promise<Reason | null> {
  const { projectId, segmentId, audienceFilter } = campaign;
  if (segmentId === null) return null;
  const filter = audienceFilter ?? (await findFilter(executor, projectId, segmentId));
  if (!filter) {
    const reason = t("The campaign's segment was deleted, so its conditions are no longer known.");
    return { code: "segment_deleted", reason };
  }
  const failedConditions = await findFailedConditions(executor, contact, filter, projectId);
  if (failedConditions.length === 0) return null;
  return {
    code: "not_in_segment",
    reason: t("They are not in the campaign's segment. {reasons}", {
      reasons: failedConditions.map((failed) => failed.reason).join(" "),
    }),
    failedConditions,
  };
}

/** Nothing known about them rules them out. */
function reasonOfTheRest(campaign: CampaignRow, contact: ContactRow): Reason {
  const { status, audienceDoneAt, audienceCursor, finishedAt } = campaign;
  if (!hasBegun(campaign)) {
    return {
      code: "planned",
      reason: campaign.scheduledAt
        ? t("They would get it at its time.")
        : t("They would get it if it were sent now."),
      nextAt: campaign.scheduledAt,
    };
  }
  const notReached = audienceDoneAt === null && (audienceCursor ?? "") < contact.id;
  if (notReached && status === "CANCELLED") {
    const reason = t("The campaign was cancelled before they were chosen.");
    return { code: "campaign_cancelled", reason, since: finishedAt };
  }
  if (notReached && status === "FAILED") {
    const reason = t("The campaign was stopped before they were chosen: {reason}", {
      reason: keptText(campaign.failureReason ?? ""),
    });
    return { code: "campaign_failed", reason, since: finishedAt };
  }
  if (notReached) {
    const reason = t("The recipients are still being chosen, and they have not had their turn.");
    return { code: "audience_being_chosen", reason };
  }
  return {
    code: "changed_later",
    reason: t(
      "They meet every condition now but did not when the recipients were chosen: something about them has changed since.",
    ),
    since:
      new Date(contact.updated_at) > (audienceDoneAt ?? new Date(0)) ? contact.updated_at : null,
  };
}
