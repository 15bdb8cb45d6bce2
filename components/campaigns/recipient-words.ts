import { count, percent } from "@/components/ui/numbers";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";

type Counted = Pick<CampaignProgress, "status" | "audienceComplete"> &
  Partial<Pick<CampaignProgress, "abTestPhase" | "personalTime">> & {
    stats: Pick<CampaignProgress["stats"], "recipients" | "pending">;
  };

/** What the number of recipients means at this stage. */
export function recipientsNote({ status, audienceComplete, stats }: Counted): string {
  const { recipients, pending } = stats;
  const stopped = status === "CANCELLED" || status === "FAILED";
  if (!audienceComplete) {
    if (stopped) return t("selected before it was stopped");
    return recipients === 0 ? t("still being selected") : t("so far, still being selected");
  }
  if (recipients === 0) return t("nobody matched");
  if (pending === 0) return t("all processed");
  return stopped
    ? t("{pending} not sent", { pending: count(pending) })
    : t("{pending} still to send", { pending: count(pending) });
}

/** A rate and what it is a share of: `12% of delivered`. */
export const rateNote = (
  rate: number,
  { deliveryConfirmed }: Pick<CampaignProgress["stats"], "deliveryConfirmed">,
) =>
  deliveryConfirmed
    ? t("{percent} of delivered", { percent: percent(rate) })
    : t("{percent} of accepted", { percent: percent(rate) });

/** Why some of the recipients were sent nothing. */
export function notSentNote({
  status,
  stats: { failed },
}: Pick<CampaignProgress, "status"> & {
  stats: Pick<CampaignProgress["stats"], "failed">;
}): string {
  if (failed === 0) return t("nobody left out");
  return status === "CANCELLED" || status === "FAILED"
    ? t("stopped before, unsubscribed, suppressed or failed")
    : t("unsubscribed, suppressed or failed");
}

/** How far sending has come, in a line. */
export function progressWords({
  audienceComplete,
  abTestPhase,
  personalTime,
  stats,
}: Counted): string {
  const { recipients, pending } = stats;
  const numbers = { done: count(recipients - pending), recipients: count(recipients) };
  if (abTestPhase === "awaiting_winner") {
    return t(
      "{done} of {recipients} sent, the others wait for the winner of the A/B test",
      numbers,
    );
  }
  if (audienceComplete) {
    return personalTime && pending > 0
      ? t("{done} of {recipients} sent, the others each at their hour", numbers)
      : t("{done} of {recipients} sent", numbers);
  }
  if (recipients === 0) return t("Selecting the recipients");
  return t("{done} sent, {recipients} recipients selected so far", numbers);
}
