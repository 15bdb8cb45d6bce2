import { z } from "zod";

const time = z.iso.datetime().nullable();

export const engagement = z
  .object({
    score: z.int().nullable().meta({
      description:
        "0 to 100 over the last 180 days: up to 50 for how lately they opened or clicked (halved every 30 days), 30 for the share of mail they opened, 20 for the share they clicked in. null: no mail was sent to them in that time.",
    }),
    explanation: z.string().meta({ description: "Where the score comes from, in a sentence." }),
    lastSeenAt: time.meta({ description: "When they last opened or clicked anything." }),
    lastSentAt: time,
    inactiveDays: z.int().nullable().meta({
      description:
        "Days since they were last seen, or since the first email where they never were; null: nothing was sent.",
    }),
    sent: z.int().meta({ description: "Emails of the last 180 days." }),
    opened: z.int().meta({ description: "Of these, opened or clicked in." }),
    clicked: z.int(),
  })
  .meta({ id: "Engagement" });
export type Engagement = z.infer<typeof engagement>;

/** Days without opening or clicking after which people are suggested to be let go. */
export const sunsetDays = [90, 180, 365] as const;
/** Emails of the last 180 days that they left unread, at least. */
export const sunsetEmails = 3;

export const sunsetSuggestions = z
  .object({
    data: z.array(
      z.object({
        days: z.int(),
        count: z.int().meta({ description: "People whom campaigns reach." }),
      }),
    ),
    subscribed: z.int().meta({ description: "All whom campaigns reach, to compare." }),
  })
  .meta({ id: "SunsetSuggestions" });
export type SunsetSuggestions = z.infer<typeof sunsetSuggestions>;
