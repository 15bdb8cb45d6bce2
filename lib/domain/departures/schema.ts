import { z } from "zod";
import { consentOrigins, departureScopes } from "@/db/enums";
import { dateRange } from "@/lib/ground/paging/schema";

export const departureQuery = z.strictObject(dateRange);

/** How far back the page looks, in days. */
const departureRanges = { "30d": 30, "90d": 90, "365d": 365 } as const;
type DepartureRange = keyof typeof departureRanges;
export const departurePageQuery = z.strictObject({
  range: z.enum(["30d", "90d", "365d"]).default("90d"),
});

export type DepartureQuery = z.infer<typeof departureQuery>;

export type DepartureScope = (typeof departureScopes)[number];
/** A leap year. */
export const mostDays = 366;

const people = z.int();
const named = z.object({
  id: z.string(),
  name: z.string().nullable().meta({ description: "null: deleted since." }),
  people,
});

export const departures = z
  .object({
    people: people.meta({ description: "Acts of leaving: everything, a list or a topic." }),
    days: z
      .array(z.object({ day: z.iso.date(), everything: people, list: people, topic: people }))
      .max(mostDays)
      .meta({
        description:
          "By day (UTC), and what they left; only days on which somebody left, the latest 366.",
      }),
    scopes: z
      .array(z.object({ scope: z.enum(departureScopes), people }))
      .meta({ description: "What was left." }),
    reasons: z.array(z.object({ reason: z.string().nullable(), people })).meta({
      description: "The reason given by people who left everything; null when they gave none.",
    }),
    through: z
      .array(z.object({ type: z.enum(consentOrigins), people }))
      .meta({ description: "By who or what did it, as in a contact's subscription history." }),
    campaigns: z.array(named).meta({
      description: "By the campaign whose mail it was; the twenty with the most departures.",
    }),
    lists: z.array(named).meta({ description: "The list that was left, or whose mail led there." }),
    forms: z.array(named).meta({
      description:
        "By the sign-up form through which people had joined; the twenty with the most departures.",
    }),
    topics: z
      .array(named)
      .meta({ description: "The topic that was left, or that the mail was about." }),
  })
  .meta({ id: "Departures" });
export type Departures = z.infer<typeof departures>;

/** The first day (UTC) of a range that ends today. */
export function firstDayOf(range: DepartureRange, now = Date.now()): string {
  return new Date(now - (departureRanges[range] - 1) * 86_400_000).toISOString().slice(0, 10);
}
