import { z } from "zod";
import { bodyText } from "@/lib/mail/body-schema";
import { variantNames, winnerMetrics } from "@/db/enums";
import { headerText } from "@/lib/domain/emails/schema";
import { largestSubject } from "@/lib/domain/emails/terms";
import { designInput, designOutput } from "@/lib/mail/design/field";
import { abTestDefaults, clearProbability, fewestVariants, mostVariants } from "./terms";

const variantInput = z
  .strictObject({
    subject: headerText(largestSubject).meta({ description: "Liquid.", example: "What is new" }),
    previewText: headerText(500)
      .nullable()
      .optional()
      .meta({ description: "Absent: the campaign's." }),
    fromName: headerText(200)
      .nullable()
      .optional()
      .meta({ description: "Sender name. Absent: the campaign's." }),
    body: bodyText
      .nullable()
      .optional()
      .meta({ description: "HTML with Liquid. Absent: the campaign's content." }),
    design: designInput.meta({
      description:
        "The visual editor's document. The HTML is made from it, whatever `body` says. A new body given without it removes it.",
    }),
  })
  .meta({ id: "AbTestVariantInput" });

const variants = z
  .array(variantInput)
  .min(fewestVariants, `needs at least ${fewestVariants} variants`)
  .max(mostVariants, `has more than ${mostVariants} variants`)
  .meta({ description: "All of them: the given variants replace the existing ones." });

const settings = {
  testPercentage: z
    .int()
    .min(5, "is less than 5")
    .max(50, "is more than 50")
    .optional()
    .meta({
      description: `Share of the audience that is in the test, split evenly; ${abTestDefaults.testPercentage} unless given.`,
    }),
  winnerMetric: z
    .enum(winnerMetrics)
    .optional()
    .meta({ description: `What people do with the best one; opens unless given.` }),
  winnerAfterMinutes: z
    .int()
    .min(15, "is less than 15")
    .max(10_080, "is more than 10080 (7 days)")
    .optional()
    .meta({
      description: `Counted from when the whole test has gone out; ${abTestDefaults.winnerAfterMinutes} unless given.`,
    }),
};

export const abTestInput = z.strictObject({ variants, ...settings }).meta({ id: "AbTestInput" });

export const abTestUpdate = z
  .strictObject({ variants: variants.optional(), ...settings })
  .meta({ id: "AbTestUpdate", description: "Only the given fields change." });
export type AbTestUpdate = z.infer<typeof abTestUpdate>;

export const abTest = z
  .object({
    variants: z.array(
      z.object({
        subject: z.string(),
        previewText: z.string().nullable().meta({ description: "null: the campaign's." }),
        fromName: z.string().nullable().meta({ description: "null: the campaign's." }),
        body: z.string().nullable().meta({ description: "HTML; null: the campaign's." }),
        design: designOutput.meta({
          description: "What the HTML was made from; null when it was written as HTML.",
        }),
      }),
    ),
    testPercentage: z.int(),
    winnerMetric: z.enum(winnerMetrics),
    winnerAfterMinutes: z.int(),
  })
  .meta({ id: "AbTest" });
export type AbTestSettings = z.infer<typeof abTest>;

/**
 * testing: the test is going out. awaiting_winner: it has gone out, everybody else waits. sending_winner: everybody
 * else gets the winner. done: everybody has been tried. stopped: the campaign ended before there was a winner.
 */
export const abTestPhases = [
  "testing",
  "awaiting_winner",
  "sending_winner",
  "done",
  "stopped",
] as const;
export const abTestPhase = z.enum(abTestPhases);
export type AbTestPhase = z.infer<typeof abTestPhase>;

const rate = z.number().meta({ description: "0 to 1, of sent without bounced." });
const variantName = z.enum(variantNames);

export const variantResult = z
  .object({
    variant: variantName,
    subject: z.string(),
    previewText: z.string(),
    fromName: z.string(),
    recipients: z.int().meta({ description: "People in the test who were dealt this variant." }),
    sent: z.int(),
    delivered: z.int(),
    opened: z.int().meta({ description: "People, each once; machines are left out." }),
    clicked: z.int().meta({ description: "People, each once; machines are left out." }),
    bounced: z.int(),
    complained: z.int(),
    unsubscribed: z.int(),
    openRate: rate,
    clickRate: rate,
    probabilityToBeBest: z.number().meta({
      description: "0 to 1: how likely it is, on current figures, that this variant is the best.",
    }),
  })
  .meta({ id: "AbTestVariantResult" });
export type VariantResult = z.infer<typeof variantResult>;

export const abTestResult = z
  .object({
    phase: abTestPhase,
    winnerMetric: z.enum(winnerMetrics),
    testRecipients: z.int().meta({ description: "How many people are in the test." }),
    decidesAt: z.iso.datetime().nullable().meta({
      description: "When the winner is decided; null until the whole test has gone out.",
    }),
    winner: variantName.nullable(),
    decidedAt: z.iso.datetime().nullable(),
    outcome: z
      .enum(["clear_winner", "no_clear_winner", "chosen_by_hand"])
      .nullable()
      .meta({
        description: `clear_winner: best with a probability of ${clearProbability} or more. no_clear_winner: the highest rate went out.`,
      }),
    winnerProbability: z
      .number()
      .nullable()
      .meta({ description: "The winner's probability of being the best when it was decided." }),
    explanation: z
      .string()
      .meta({ description: "Where the test stands or how it was decided, in a sentence." }),
    variants: z.array(variantResult),
  })
  .meta({ id: "AbTestResult", description: "Figures for the people in the test only." });
export type AbTestResult = z.infer<typeof abTestResult>;

export const winnerChoice = z
  .strictObject({
    variant: variantName.meta({ description: "A is the first variant.", example: "B" }),
  })
  .meta({ id: "WinnerChoice" });
export type WinnerChoice = z.infer<typeof winnerChoice>;
