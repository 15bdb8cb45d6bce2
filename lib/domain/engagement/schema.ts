import { z } from "zod";

const time = z.iso.datetime().nullable();

export const engagement = z
  .object({
    score: z.int().nullable().meta({
      description:
        "0 to 100 over the last 180 days: up to 50 for how recently they opened or clicked (halved every 30 days), 30 for the share of mail they opened, 20 for the share they clicked in. null when no mail was sent to them in that time.",
    }),
    explanation: z.string().meta({ description: "Where the score comes from, in a sentence." }),
    lastSeenAt: time.meta({ description: "When they last opened or clicked anything." }),
    lastSentAt: time,
    inactiveDays: z.int().nullable().meta({
      description:
        "Days since they last opened or clicked anything, or since the first email if they never did; null when nothing was sent.",
    }),
    sent: z.int().meta({ description: "Emails sent in the last 180 days." }),
    opened: z.int().meta({ description: "How many of these they opened or clicked in." }),
    clicked: z.int(),
    months: z
      .array(
        z.object({
          month: z.string().meta({ example: "2026-11" }),
          sent: z.int().meta({ description: "Emails sent in the month, but for test keys’." }),
          opened: z.int().meta({ description: "How many of these they opened or clicked in." }),
          clicked: z.int(),
        }),
      )
      .meta({ description: "The last twelve months (UTC) with the one that runs, oldest first." }),
  })
  .meta({ id: "Engagement" });
export type Engagement = z.infer<typeof engagement>;

/** Days without opening or clicking after which we suggest letting people go. */
export const sunsetDays = [90, 180, 365] as const;

export const sunsetSuggestions = z
  .object({
    data: z.array(
      z.object({
        days: z.int(),
        count: z.int().meta({ description: "People whom campaigns reach." }),
      }),
    ),
    subscribed: z.int().meta({ description: "Everybody whom campaigns reach, for comparison." }),
  })
  .meta({ id: "SunsetSuggestions" });
export type SunsetSuggestions = z.infer<typeof sunsetSuggestions>;
