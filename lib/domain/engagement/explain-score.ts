import { t } from "@/lib/ground/texts/t";
import type { Engagement } from "./schema";

type Figures = Omit<Engagement, "explanation" | "months">;

function ago(days: number): string {
  if (days === 0) return t("today");
  return days === 1 ? t("yesterday") : t("{days} days ago", { days });
}

function levelOf(score: number): string {
  if (score >= 60) return t("Engaged");
  return score >= 25 ? t("Reads now and then") : t("Hardly reads");
}

/** Where a score comes from, in a sentence. */
export function explainScore({
  score,
  lastSeenAt,
  inactiveDays,
  sent,
  opened,
  clicked,
}: Figures): string {
  const when = ago(inactiveDays ?? 0);
  if (score === null) {
    if (lastSeenAt !== null) {
      return t(
        "No score: nothing has been sent to this person in the last 180 days. The person last opened or clicked something {when}.",
        { when },
      );
    }
    return inactiveDays === null
      ? t("No score: nothing has been sent to this person yet.")
      : t(
          "No score: nothing has been sent to this person in the last 180 days. The person has never opened or clicked anything.",
        );
  }
  const figures = { level: levelOf(score), score, sent, opened, clicked };
  return lastSeenAt === null
    ? t(
        "{level}, {score} of 100: the person has never opened or clicked anything, and of {sent, plural, one {# email} other {# emails}} in the last 180 days opened {opened} and clicked in {clicked}.",
        figures,
      )
    : t(
        "{level}, {score} of 100: the person last opened or clicked something {when}, and of {sent, plural, one {# email} other {# emails}} in the last 180 days opened {opened} and clicked in {clicked}.",
        { ...figures, when },
      );
}
