import { z } from "zod";
import { goalFigures, goalPeriods, type GoalFigure, type GoalPeriod } from "@/db/enums";
import { amount } from "@/lib/ground/amount";
import { basedOn } from "@/lib/ground/updates/schema";

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

function fits(figure: GoalFigure, target: number): boolean {
  const { unit, least, most } = goalRules[figure];
  const rounded = unit === "count" ? Math.round(target) : Math.round(target * 100) / 100;
  return target === rounded && target >= least && target <= most;
}

const figure = z.enum(goalFigures);
const period = z.enum(goalPeriods).meta({
  description: "The calendar week (from Monday), month or quarter that it is, in UTC.",
});
const target = z.number("is not a number").meta({
  description:
    "A number of contacts or emails; of rates, a percentage. At least that many are to be reached; bounces and opt-outs are to stay at most at that rate.",
  example: 1000,
});

export const goalInput = z
  .strictObject({ figure, period, target })
  .superRefine((goal, context) => {
    if (fits(goal.figure, goal.target)) return;
    const message = `is not ${boundsOf(goal.figure)}`;
    context.addIssue({ code: "custom", path: ["target"], message });
  })
  .meta({ id: "GoalInput" });
export type GoalInput = z.infer<typeof goalInput>;

export const goalUpdate = z
  .strictObject({ period: period.optional(), target: target.optional(), basedOn })
  .meta({ id: "GoalUpdate" });
export type GoalUpdate = z.infer<typeof goalUpdate>;

export const goal = z
  .object({
    id: z.string(),
    figure,
    period,
    target: z.number(),
    startsAt: z.iso.datetime().meta({ description: "When the period that it is now began." }),
    endsAt: z.iso.datetime(),
    daysLeft: z.int().meta({ description: "Days of the period that are left, with today." }),
    reached: z.number().nullable().meta({
      description:
        "In the unit of the target. Null: there is nothing to be a share of. New contacts are those added in the period who are still there, of whom at most 250,000 are counted.",
    }),
    of: z
      .object({ part: z.int(), whole: z.int(), deliveryConfirmed: z.boolean() })
      .nullable()
      .meta({
        description:
          "What a rate is made of. Bounces are a share of what was sent; the others of what was delivered where that is confirmed, else of what was accepted and did not bounce.",
      }),
    expected: z.number().nullable().meta({
      description:
        "What a steady pace would have reached by now. Null for rates, which do not add up.",
    }),
    standing: z.enum(["reached", "onPace", "behind", "within", "exceeded", "nothing"]).meta({
      description: "`nothing`: no mail yet to take a rate of.",
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Goal" });
export type Goal = z.infer<typeof goal>;

export const goalList = z.object({ data: z.array(goal) }).meta({ id: "GoalList" });
export type GoalList = z.infer<typeof goalList>;
