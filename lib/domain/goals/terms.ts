import type { GoalFigure, GoalPeriod } from "@/db/enums";
import { amount } from "@/lib/ground/amount";

/** All of them stand on one page. */
export const mostGoals = 12;

/** New contacts are counted up to here: beyond it, a goal for them has long been reached. */
export const mostNewContacts = 250_000;

interface FigureRule {
  name: string;
  unit: "count" | "percent";
  /** Whether the target is to be reached or not to be exceeded. */
  direction: "atLeast" | "atMost";
  least: number;
  most: number;
}

const rate = { unit: "percent", direction: "atLeast", least: 0.1, most: 100 } as const;

/** What each figure is called, and which targets it can have. */
export const goalRules: Record<GoalFigure, FigureRule> = {
  newContacts: {
    name: "New contacts",
    unit: "count",
    direction: "atLeast",
    least: 1,
    most: mostNewContacts,
  },
  sent: {
    name: "Emails sent",
    unit: "count",
    direction: "atLeast",
    least: 1,
    most: 1_000_000_000,
  },
  openRate: { ...rate, name: "Open rate" },
  clickRate: { ...rate, name: "Click rate" },
  bounceRate: { ...rate, name: "Bounce rate", direction: "atMost", most: 20 },
  unsubscribeRate: {
    ...rate,
    name: "Unsubscribe rate",
    direction: "atMost",
    least: 0.01,
    most: 10,
  },
};

export const goalName = ({ figure, period }: { figure: GoalFigure; period: GoalPeriod }) =>
  `${goalRules[figure].name} this ${period}`;

/** `a whole number from 1 to 250,000` */
export function boundsOf(figure: GoalFigure): string {
  const { unit, least, most } = goalRules[figure];
  return unit === "count"
    ? `a whole number from ${amount(least)} to ${amount(most)}`
    : `a percentage from ${least} to ${most}, with two decimals at most`;
}

/** Whether the figure can have that target. */
export function fitsRule(figure: GoalFigure, target: number): boolean {
  const { unit, least, most } = goalRules[figure];
  const rounded = unit === "count" ? Math.round(target) : Math.round(target * 100) / 100;
  return target === rounded && target >= least && target <= most;
}
