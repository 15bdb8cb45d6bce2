import { shareBase } from "@/components/ui/delivered-words";
import { count, counted } from "@/components/ui/numbers";
import { goalRules, mostNewContacts, type Goal } from "@/lib/domain/goals/schema";
import type { GoalFigure } from "@/db/enums";

/** `1,200`, or `2.5%`. */
export const targetWords = (figure: GoalFigure, target: number) =>
  goalRules[figure].unit === "count" ? count(target) : `${target}%`;

/** Where a goal stands, in a word or two. */
export function standingWords({ figure, standing }: Pick<Goal, "figure" | "standing">): string {
  const counts = goalRules[figure].unit === "count";
  return {
    reached: counts ? "Reached" : "On target",
    onPace: "On pace",
    behind: counts ? "Behind pace" : "Below target",
    within: "Within the limit",
    exceeded: "Over the limit",
    nothing: "No mail yet",
  }[standing];
}

/** What a rate is a share of. */
const wholeWords = ({ figure, of }: Pick<Goal, "figure" | "of">) =>
  of && (figure === "bounceRate" ? "sent" : shareBase(of));

const leftWords = (daysLeft: number) =>
  daysLeft === 1 ? "ends today" : `${counted(daysLeft, "day")} left`;

/** The figure and its target, what it is made of or should be by now, and how long it has. */
export function progressParts(goal: Goal): string[] {
  const { figure, target, reached, of, expected, daysLeft } = goal;
  const wanted = targetWords(figure, target);
  if (expected !== null && reached !== null) {
    const more = figure === "newContacts" && reached >= mostNewContacts ? " or more" : "";
    return [
      `${count(reached)}${more} of ${wanted}`,
      `${count(expected)} expected by now`,
      leftWords(daysLeft),
    ];
  }
  const bound = goalRules[figure].direction === "atMost" ? "at most" : "at least";
  return [
    reached === null ? `${bound} ${wanted}` : `${targetWords(figure, reached)}, ${bound} ${wanted}`,
    ...(of && of.whole > 0 ? [`${count(of.part)} of ${count(of.whole)} ${wholeWords(goal)}`] : []),
    leftWords(daysLeft),
  ];
}

const events: Partial<Record<GoalFigure, string>> = {
  sent: "sent",
  openRate: "opened",
  clickRate: "clicked",
  bounceRate: "bounced",
  unsubscribeRate: "unsubscribed",
};

/** The people or mails behind a goal's figure, below the project. */
export const behindGoal = ({ figure, startsAt }: Pick<Goal, "figure" | "startsAt">) =>
  figure === "newContacts"
    ? "contacts"
    : `emails?event=${events[figure]}&startDate=${startsAt.slice(0, 10)}`;

/** A target as people type it: `1,200`, `2.5 %`. NaN for what is no number. */
export function typedTarget(text: string): number {
  const plain = text.replace(/%\s*$/, "").trim();
  const number = /^\d{1,3}(,\d{3})+$/.test(plain) ? plain.replaceAll(",", "") : plain;
  return number === "" ? NaN : Number(number);
}
