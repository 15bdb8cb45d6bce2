import { and, desc, eq, gt, lt, lte, ne, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { ConsentKind } from "@/db/enums";
import { consentChanges, emails, topicDepartures } from "@/db/schema";
import type { ContactRow } from "@/lib/domain/contacts/rows";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { t } from "@/lib/ground/texts/t";
import type { ChoosingTime } from "./membership";
import type { Reason } from "./reason";

/** The last choice of a kind that the person had made by a given time; null when there was none. */
async function choiceAt(
  executor: Executor,
  contact: ContactRow,
  { projectId, topicId }: CampaignRow,
  kind: ConsentKind,
  time: Date,
) {
  const [choice] = await executor
    .select()
    .from(consentChanges)
    .where(
      and(
        eq(consentChanges.projectId, projectId),
        eq(consentChanges.contactId, contact.id),
        eq(consentChanges.kind, kind),
        lte(consentChanges.createdAt, time),
        kind === "topic" && topicId ? eq(consentChanges.topicId, topicId) : undefined,
      ),
    )
    .orderBy(desc(consentChanges.id))
    .limit(1);
  return choice ?? null;
}

async function findTopicReason(
  executor: Executor,
  campaign: CampaignRow,
  contact: ContactRow,
  to: Date,
): Promise<Reason | null> {
  const { topicId } = campaign;
  if (topicId === null) return null;
  const reason = t("They had left the campaign's topic when the recipients were chosen.");
  const choice = await choiceAt(executor, contact, campaign, "topic", to);
  if (choice) {
    return choice.after === "unsubscribed"
      ? { code: "left_topic", reason, since: choice.createdAt }
      : null;
  }
  const [left] = await executor
    .select({ createdAt: topicDepartures.createdAt })
    .from(topicDepartures)
    .where(and(eq(topicDepartures.topicId, topicId), eq(topicDepartures.contactId, contact.id)));
  return left && left.createdAt <= to
    ? { code: "left_topic", reason, since: left.createdAt }
    : null;
}

async function findFrequencyReason(
  executor: Executor,
  campaign: CampaignRow,
  contact: ContactRow,
  { from, to }: ChoosingTime,
): Promise<Reason | null> {
  const choice = await choiceAt(executor, contact, campaign, "frequency", to);
  if (choice?.after !== "weekly") return null;
  const [lately] = await executor
    .select({ createdAt: emails.createdAt })
    .from(emails)
    .where(
      and(
        eq(emails.contactId, contact.id),
        eq(emails.source, "CAMPAIGN"),
        ne(emails.status, "FAILED"),
        ne(emails.campaignId, campaign.id),
        lt(emails.createdAt, to),
        gt(emails.createdAt, sql`${from.toISOString()}::timestamptz - interval '7 days'`),
      ),
    )
    .orderBy(desc(emails.createdAt))
    .limit(1);
  if (!lately) return null;
  const reason = t(
    "They asked for one campaign a week at most, and had one in the seven days before.",
  );
  return { code: "less_often", reason, since: lately.createdAt };
}

/** Why a break, the campaign's topic or how often they want mail kept them out; null when none of these did. */
export async function findChoiceReason(
  executor: Executor,
  campaign: CampaignRow,
  contact: ContactRow,
  choosing: ChoosingTime,
): Promise<Reason | null> {
  const { from, to } = choosing;
  const pause = await choiceAt(executor, contact, campaign, "pause", to);
  if (pause?.after === "paused" && pause.until !== null && pause.until > from) {
    const reason = t("They had asked for a break when the recipients were chosen.");
    return { code: "paused", reason, since: pause.createdAt, nextAt: null };
  }
  return (
    (await findTopicReason(executor, campaign, contact, to)) ??
    (await findFrequencyReason(executor, campaign, contact, choosing))
  );
}
