import type { Engagement } from "./schema";
import { counted } from "@/lib/ground/amount";

type Figures = Omit<Engagement, "explanation" | "months">;

const days = (count: number) =>
  count === 0 ? "today" : count === 1 ? "yesterday" : `${count} days ago`;

/** Where a score comes from, in a sentence. */
export function explainScore({
  score,
  lastSeenAt,
  inactiveDays,
  sent,
  opened,
  clicked,
}: Figures): string {
  const seen =
    lastSeenAt === null
      ? "has never opened or clicked anything"
      : `last opened or clicked something ${days(inactiveDays ?? 0)}`;
  if (score === null) {
    return lastSeenAt === null && inactiveDays === null
      ? "No score: nothing has been sent to this person yet."
      : `No score: nothing has been sent to this person in the last 180 days. The person ${seen}.`;
  }
  const level = score >= 60 ? "Engaged" : score >= 25 ? "Reads now and then" : "Hardly reads";
  return `${level}, ${score} of 100: the person ${seen}, and of ${counted(sent, "email")} in the last 180 days opened ${opened} and clicked in ${clicked}.`;
}
