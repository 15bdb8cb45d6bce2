import { shareBase } from "@/components/ui/delivered-words";
import { count, finePercent } from "@/components/ui/numbers";
import type { Goal } from "@/lib/domain/goals/schema";
import { goalRules, mostNewContacts } from "@/lib/domain/goals/terms";
import type { GoalFigure } from "@/db/enums";
import { numberFormat } from "@/lib/ground/texts/formats";
import { phrases, t } from "@/lib/ground/texts/t";

export const figureNames: Record<GoalFigure, string> = phrases({
  newContacts: "New contacts",
  sent: "Emails sent",
  openRate: "Open rate",
  clickRate: "Click rate",
  bounceRate: "Bounce rate",
  unsubscribeRate: "Unsubscribe rate",
});

export const goalName = ({ figure, period }: Pick<Goal, "figure" | "period">) =>
  t("{figure} this {period, select, week {week} month {month} other {quarter}}", {
    figure: figureNames[figure],
    period,
  });

/** `1,200`, or `2.5%`. */
export const targetWords = (figure: GoalFigure, target: number) =>
  goalRules[figure].unit === "count" ? count(target) : finePercent(target / 100);

/** Where a goal stands, in a word or two. */
export function standingWords({ figure, standing }: Pick<Goal, "figure" | "standing">): string {
  const counts = goalRules[figure].unit === "count";
  return {
    reached: counts ? t("Reached") : t("On target"),
    onPace: t("On pace"),
    behind: counts ? t("Behind pace") : t("Below target"),
    within: t("Within the limit"),
    exceeded: t("Over the limit"),
    nothing: t("No mail yet"),
  }[standing];
}

const leftWords = (daysLeft: number) =>
  daysLeft === 1
    ? t("ends today")
    : t("{count, plural, one {# day} other {# days}} left", { count: daysLeft });

/** The figure and its target, what it is made of or should be by now, and how long it has. */
export function progressParts(goal: Goal): string[] {
  const { figure, target, reached, of, expected, daysLeft } = goal;
  const wanted = targetWords(figure, target);
  if (expected !== null && reached !== null) {
    const figures = { reached: count(reached), target: wanted };
    return [
      figure === "newContacts" && reached >= mostNewContacts
        ? t("{reached} or more of {target}", figures)
        : t("{reached} of {target}", figures),
      t("{expected} expected by now", { expected: count(expected) }),
      leftWords(daysLeft),
    ];
  }
  const bound =
    goalRules[figure].direction === "atMost"
      ? t("at most {target}", { target: wanted })
      : t("at least {target}", { target: wanted });
  return [
    reached === null ? bound : `${targetWords(figure, reached)}, ${bound}`,
    ...(of && of.whole > 0
      ? [
          t(
            "{part} of {whole} {base, select, sent {sent} delivered {delivered} other {accepted}}",
            {
              part: count(of.part),
              whole: count(of.whole),
              base: figure === "bounceRate" ? "sent" : shareBase(of),
            },
          ),
        ]
      : []),
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

/** A target as it stands in its field. */
export const targetText = (target: number) => numberFormat({ useGrouping: false }).format(target);

/** A target as people type it: `1,200`, `2.5 %`. NaN for what is no number. */
export function typedTarget(text: string): number {
  const parts = numberFormat().formatToParts(1234.5);
  const [group = "", decimal = ""] = ["group", "decimal"].map(
    (type) => parts.find((part) => part.type === type)?.value,
  );
  const plain = text.replace(/%\s*$/, "").trim();
  const [first = "", ...groups] = plain.split(group);
  const isGrouped =
    /^\d{1,3}$/.test(first) && groups.length > 0 && groups.every((one) => /^\d{3}$/.test(one));
  const number = isGrouped ? first + groups.join("") : plain.replace(decimal, ".");
  return number === "" ? NaN : Number(number);
}
