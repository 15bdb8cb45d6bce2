import { z } from "zod";
import { basedOnOrNothing } from "@/lib/ground/updates/schema";

const longestSchedule = 365;
const largestCap = 10_000_000;

const schedule = z
  .array(
    z
      .int("is not a whole number of emails")
      .min(1, "is less than 1 email a day")
      .max(largestCap, `is more than ${largestCap} emails a day`),
  )
  .min(1, "names no day")
  .max(longestSchedule, `has more than ${longestSchedule} days`)
  .meta({ description: "Emails a day, from the first day on. After the last there is no cap." });

export const warmupInput = z
  .strictObject({
    enabled: z.boolean(),
    schedule: schedule.optional().meta({
      description: "Absent: as it was, at first the default of 30 days.",
      example: [150, 250, 400, 700],
    }),
    startedOn: z.iso.date("is not a date like 2026-11-22").optional().meta({
      description: "The first day, in UTC. Absent: as it was, at first today. Not in the future.",
    }),
    basedOn: basedOnOrNothing,
  })
  .meta({ id: "WarmupInput" });
export type WarmupInput = z.infer<typeof warmupInput>;

const warmupStates = ["off", "warming", "slowed", "done"] as const;

const summaryShape = {
  enabled: z.boolean(),
  state: z.enum(warmupStates).meta({
    description:
      "slowed: bounces or complaints passed the thresholds, and the cap is lower than planned. done: the plan has ended, and nothing is held back.",
  }),
  startedOn: z.iso
    .date()
    .nullable()
    .meta({ description: "The first day, in UTC; null: never chosen." }),
  day: z
    .int()
    .nullable()
    .meta({ description: "Today's day of the plan, from 1; null unless it runs." }),
  dailyCap: z.int().nullable().meta({ description: "Emails today at most; null: no cap." }),
};

/** What a domain says about its warm-up. */
export const warmupSummary = z.object(summaryShape).meta({ id: "WarmupSummary" });
export type WarmupSummary = z.infer<typeof warmupSummary>;

const count = z.int().min(0);

export const warmup = z
  .object({
    ...summaryShape,
    schedule: z.array(count).meta({ description: "Emails a day, from the first day on." }),
    hourlyCap: count.nullable().meta({ description: "A tenth of the day's cap." }),
    today: z
      .object({ transactional: count, campaigns: count })
      .meta({ description: "What has gone out since midnight UTC." }),
    remainingToday: count
      .nullable()
      .meta({ description: "What campaigns may still send today; null: no cap." }),
    waiting: count.meta({ description: "Campaign emails that wait for the warm-up." }),
    slowed: z
      .object({
        reason: z.enum(["bounces", "complaints"]),
        message: z.string(),
        since: z.iso.datetime(),
        share: z.number().meta({ description: "Of the planned cap, 0 to 1." }),
      })
      .nullable(),
    slowedReceivers: z
      .array(
        z.object({
          receiver: z
            .string()
            .meta({ description: "Who runs the recipients' servers.", example: "google.com" }),
          dailyCap: count.meta({ description: "Emails that it gets today at most." }),
          sentToday: count,
          reason: z.enum(["bounces", "complaints", "throttled"]),
          message: z.string(),
          since: z.iso.datetime(),
          until: z.iso.date().meta({
            description:
              "The first UTC day on which it gets what everybody gets, if there is no more trouble with its mail.",
          }),
        }),
      )
      .meta({
        description:
          "Receivers that get less than the domain's cap has room for, because of what became of their mail or because they ask for less.",
      }),
    endsOn: z.iso
      .date()
      .nullable()
      .meta({ description: "The plan's last day as things stand; null unless it runs." }),
    history: z
      .array(
        z.object({
          day: z.iso.date(),
          cap: count.nullable(),
          transactional: count,
          campaigns: count,
          bounced: count,
          complained: count,
          slowed: z
            .string()
            .nullable()
            .meta({ description: "Why the cap was lowered on that day." }),
        }),
      )
      .meta({ description: "The last 90 days of the plan, oldest first." }),
    updatedAt: z.iso.datetime().nullable().meta({
      description: "When the plan itself was last changed; null: never.",
    }),
  })
  .meta({ id: "Warmup" });
export type Warmup = z.infer<typeof warmup>;

/** What keeps a campaign's mail back. */
export const warmupWaiting = z
  .object({
    reason: z.enum(["warm_up"]),
    message: z.string(),
    expectedEndAt: z.iso.datetime().nullable().meta({
      description: "When all of it will have gone out, to the hour; null: not for years.",
    }),
  })
  .meta({ id: "CampaignWaiting" });
export type WarmupWaiting = z.infer<typeof warmupWaiting>;
