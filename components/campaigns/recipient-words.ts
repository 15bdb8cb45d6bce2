import { count } from "@/components/ui/numbers";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";

type Counted = Pick<CampaignProgress, "status" | "audienceComplete"> &
  Partial<Pick<CampaignProgress, "abTestPhase" | "personalTime">> & {
    stats: Pick<CampaignProgress["stats"], "recipients" | "pending">;
  };

/** What the number of recipients means at this stage. */
export function recipientsNote({ status, audienceComplete, stats }: Counted): string {
  const { recipients, pending } = stats;
  const stopped = status === "CANCELLED" || status === "FAILED";
  if (!audienceComplete) {
    if (stopped) return "selected before it was stopped";
    return recipients === 0 ? "still being selected" : "so far, still being selected";
  }
  if (recipients === 0) return "nobody matched";
  if (pending === 0) return "all processed";
  return stopped ? `${count(pending)} not sent` : `${count(pending)} still to send`;
}

/** Why some of the recipients were sent nothing. */
export function notSentNote({
  status,
  stats: { failed },
}: Pick<CampaignProgress, "status"> & {
  stats: Pick<CampaignProgress["stats"], "failed">;
}): string {
  if (failed === 0) return "nobody left out";
  const others = "unsubscribed, suppressed or failed";
  return status === "CANCELLED" || status === "FAILED" ? `stopped before, ${others}` : others;
}

/** How far sending has come, in a line. */
export function progressWords({
  audienceComplete,
  abTestPhase,
  personalTime,
  stats,
}: Counted): string {
  const { recipients, pending } = stats;
  const done = count(recipients - pending);
  if (abTestPhase === "awaiting_winner") {
    return `${done} of ${count(recipients)} sent, the others wait for the winner of the A/B test`;
  }
  if (audienceComplete) {
    const sent = `${done} of ${count(recipients)} sent`;
    return personalTime && pending > 0 ? `${sent}, the others each at their hour` : sent;
  }
  if (recipients === 0) return "Selecting the recipients";
  return `${done} sent, ${count(recipients)} recipients selected so far`;
}
