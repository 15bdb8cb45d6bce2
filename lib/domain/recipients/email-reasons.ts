import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import {
  suppressionReasons,
  type EmailEventName,
  type EmailStatus,
  type SuppressionReason,
} from "@/db/enums";
import { emailEvents, emailQueue, emails } from "@/db/schema";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { ownedBy } from "@/lib/ground/by-id";
import { amount } from "@/lib/ground/amount";
import { keptText } from "@/lib/ground/texts/kept-text";
import { phrases, t } from "@/lib/ground/texts/t";
import type { Reason } from "./reason";

interface EmailRow extends Record<string, unknown> {
  id: string;
  status: EmailStatus;
  due_at: string | null;
  asleep: boolean;
  awaits_winner: boolean;
  warming: boolean;
  leased: boolean;
  attempts: number;
  times: Record<
    "sent" | "delivered" | "opened" | "clicked" | "complained" | "bounced",
    string | null
  >;
  /** The last event of each name that says why. */
  events: { name: EmailEventName; data: Record<string, unknown>; at: string }[];
}

/** The campaign's email to the contact, if one was written. */
export async function findEmailRow(
  executor: Executor,
  campaign: CampaignRow,
  contactId: string,
): Promise<EmailRow | null> {
  const [row] = await executor.execute<EmailRow>(sql`
    select ${emails.id}, ${emails.status}, coalesce(${emailQueue.asleep}, false) as asleep,
      coalesce(${emailQueue.attempts}, ${emails.attempts}) as attempts,
      case when ${emailQueue.dueAt} < 'infinity' then ${emailQueue.dueAt} end as due_at,
      coalesce(${emailQueue.dueAt} = 'infinity', false) as awaits_winner,
      ${emailQueue.warmupRank} is not null as warming, ${emailQueue.leaseId} is not null as leased,
      jsonb_build_object('sent', ${emails.sentAt}, 'delivered', ${emails.deliveredAt},
        'opened', ${emails.openedAt}, 'clicked', ${emails.clickedAt},
        'complained', ${emails.complainedAt}, 'bounced', ${emails.bouncedAt}) as times,
      coalesce((
        select jsonb_agg(jsonb_build_object(
            'name', ${emailEvents.name}, 'data', ${emailEvents.data}, 'at', ${emailEvents.createdAt})
          order by ${emailEvents.createdAt}, ${emailEvents.id})
        from ${emailEvents} where ${emailEvents.emailId} = ${emails.id}
          and ${emailEvents.name} in ('sent', 'deferred', 'bounced', 'failed', 'suppressed')
      ), '[]') as events
    from ${emails} left join ${emailQueue} on ${emailQueue.emailId} = ${emails.id}
    where ${emails.campaignId} = ${campaign.id} and ${emails.contactId} = ${contactId}
      and ${ownedBy(emails.projectId, campaign.projectId)}`);
  return row ?? null;
}

const textOf = (value: unknown) =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

/** `550 5.1.1 User unknown`: what a mail server said; null when none said anything. */
function replyIn(data: Record<string, unknown>): string | null {
  const parts = [data["code"], data["enhancedCode"], data["response"]].map(textOf);
  return parts.filter(Boolean).join(" ") || null;
}

/** Why the email to them is in its current state. `emailsPerHour`: the project's pace, if it has one. */
export function reasonOfEmail(
  row: EmailRow,
  campaign: CampaignRow,
  emailsPerHour: number | null,
): Reason {
  const last = (name: EmailEventName) => row.events.findLast((event) => event.name === name);
  const { times } = row;
  const replyTo = (name: EmailEventName) => {
    const event = last(name);
    return event ? { serverReply: replyIn(event.data) } : {};
  };
  switch (row.status) {
    case "PENDING":
      return pendingReason(row, campaign, last("deferred"), emailsPerHour);
    case "SENT":
      return {
        code: "sent",
        reason: t(
          "The mail server or provider that it was handed to took it; no report of its arrival has come back.",
        ),
        since: times.sent,
        ...replyTo("sent"),
      };
    case "DELIVERED":
      return {
        code: "delivered",
        reason:
          last("sent")?.data["response"] === "Captured."
            ? t("It went to the captured mailbox, and nobody outside received it.")
            : t("It arrived and has not been opened yet."),
        since: times.delivered,
        ...replyTo("sent"),
      };
    case "OPENED":
      return { code: "opened", reason: t("It arrived and was opened."), since: times.opened };
    case "CLICKED":
      return {
        code: "clicked",
        reason: t("It arrived, and a link in it was clicked."),
        since: times.clicked,
      };
    case "COMPLAINED":
      return {
        code: "complained",
        reason: t("It arrived, and the person reported it as spam."),
        since: times.complained,
      };
    case "BOUNCED":
      return {
        code: "bounced",
        reason: bounceReason(last("bounced")?.data ?? {}),
        since: times.bounced,
        ...replyTo("bounced"),
      };
    case "FAILED":
      return failedReason(row, last("suppressed"), last("failed"));
  }
}

function bounceReason({ type, cause }: Record<string, unknown>): string {
  if (type !== "hard") return t("It was refused, or put off for four days.");
  return cause === undefined || cause === "invalid_address"
    ? t("It was refused for good: the address does not work.")
    : t("It came back as several before it had, so the address counts as one that does not work.");
}

type Event = EmailRow["events"][number] | undefined;

function pendingReason(
  row: EmailRow,
  campaign: CampaignRow,
  deferred: Event,
  emailsPerHour: number | null,
): Reason {
  if (campaign.status === "PAUSED") {
    return {
      code: "campaign_paused",
      reason: campaign.failureReason
        ? t("The campaign is paused: {reason}", { reason: keptText(campaign.failureReason) })
        : t("The campaign is paused."),
      since: campaign.pausedAt,
    };
  }
  if (row.awaits_winner) {
    return {
      code: "waiting_for_winner",
      reason: t("It waits for the winner of the A/B test, which decides what it says."),
      nextAt: campaign.winnerDueAt,
    };
  }
  if (row.warming) {
    return {
      code: "waiting_for_warm_up",
      reason: t("It waits for its place in the warm-up of the sender's domain."),
    };
  }
  if (row.leased) {
    return { code: "being_sent", reason: t("It is being handed to the mail server.") };
  }
  if (deferred) {
    return {
      code: "waiting_for_retry",
      reason:
        "stage" in deferred.data
          ? t("The mail server refused it. Lettermill tries again, in case that passes.")
          : t("It could not be handed over yet, and Lettermill tries again."),
      since: deferred.at,
      serverReply: replyIn(deferred.data),
      nextAt: row.due_at,
    };
  }
  // Workers postpone mail for a throttled receiver without counting an attempt.
  if (row.asleep && campaign.personalTime === null) {
    return {
      code: "waiting_for_turn",
      reason: t(
        "Its receiver asked for less mail, so its emails go out slowly, one after another.",
      ),
      nextAt: row.due_at,
    };
  }
  if (row.asleep) {
    return {
      code: "waiting_for_hour",
      reason: t("It waits for the hour at which this person should get it."),
      nextAt: row.due_at,
    };
  }
  return {
    code: "waiting_for_turn",
    reason:
      emailsPerHour === null
        ? t("It is in the queue and goes out when its turn comes.")
        : t(
            "It is in the queue and goes out when its turn comes: the project's campaigns send {perHour} emails an hour.",
            { perHour: amount(emailsPerHour) },
          ),
  };
}

const suppressed: Record<SuppressionReason, string> = phrases({
  hard_bounce: "Nothing is sent to the address, because the address bounced permanently.",
  complaint: "Nothing is sent to the address, because the person reported earlier mail as spam.",
  manual:
    "Nothing is sent to the address, because the address was put on the suppression list by hand.",
  domain: "Nothing is sent to the address, because the project suppressed its whole domain.",
});

/** The reason for an address that nothing is sent to; `since` is null when it is not known. */
export function suppressedReason(suppression: SuppressionReason, since: Reason["since"]): Reason {
  return {
    code: "suppressed",
    reason: suppressed[suppression],
    since,
    suppression,
  };
}

function failedReason(row: EmailRow, refused: Event, failed: Event): Reason {
  if (refused) {
    const why = refused.data["reason"];
    const suppression = suppressionReasons.find((reason) => reason === why);
    if (suppression) return suppressedReason(suppression, refused.at);
    if (why === "paused" || why === "left_topic") {
      const reason =
        why === "paused"
          ? t("They were chosen but asked for a break before their turn came.")
          : t("They were chosen but left the campaign's topic before their turn came.");
      return { code: why, reason, since: refused.at };
    }
    return why === "deleted"
      ? {
          code: "contact_deleted",
          reason: t("The contact was deleted before their turn came."),
          since: refused.at,
        }
      : {
          code: "unsubscribed",
          reason: t("They were chosen but left before their turn came."),
          since: refused.at,
        };
  }
  const code = failed?.data["reasonCode"];
  const since = failed?.at ?? null;
  if (code === "campaign_cancelled") {
    return {
      code: "campaign_cancelled",
      reason: t("The campaign was cancelled before their turn came."),
      since,
    };
  }
  if (code === "campaign_failed") {
    return { code, reason: t("The campaign was stopped before their turn came."), since };
  }
  if (code === "contact_deleted") {
    return { code, reason: t("The contact was deleted before their turn came."), since };
  }
  if (code === "cancelled") {
    const why = textOf(failed?.data["reason"]).replace(/^cancelled$/, "");
    const reason = why
      ? t("It was cancelled while it waited: {why}.", { why })
      : t("It was cancelled while it waited.");
    return { code: "failed", reason, since };
  }
  if (code === "too_late") {
    const reason = t("The time for sending it had passed when their turn came.");
    return { code: "failed", reason, since };
  }
  const words = textOf(failed?.data["reason"]).replace(/\.$/, "");
  return {
    code: "failed",
    reason: words
      ? t("It could not be sent because of a fault on our side: {fault}.", { fault: words })
      : t("It could not be sent because of a fault on our side."),
    since,
  };
}
