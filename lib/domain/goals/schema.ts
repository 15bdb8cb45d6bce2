import { z } from "zod";
import { goalFigures, goalPeriods } from "@/db/enums";
import { basedOn } from "@/lib/ground/updates/schema";
import { boundsOf, fitsRule } from "./terms";

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
    if (fitsRule(goal.figure, goal.target)) return;
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
