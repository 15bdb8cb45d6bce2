import { z } from "zod";
import { consentOrigins, departureScopes } from "@/db/enums";
import { dateRange } from "@/lib/ground/paging/schema";

export const departureQuery = z.strictObject(dateRange);
export type DepartureQuery = z.infer<typeof departureQuery>;

const people = z.int();
const named = z.object({
  id: z.string(),
  name: z.string().nullable().meta({ description: "null: deleted since." }),
  people,
});

export const departures = z
  .object({
    people: people.meta({ description: "Acts of leaving: everything, a list or a topic." }),
    scopes: z
      .array(z.object({ scope: z.enum(departureScopes), people }))
      .meta({ description: "What was left." }),
    reasons: z.array(z.object({ reason: z.string().nullable(), people })).meta({
      description: "What those who left everything said; null: nothing.",
    }),
    through: z
      .array(z.object({ type: z.enum(consentOrigins), people }))
      .meta({ description: "By whose act, as in a contact's subscription history." }),
    campaigns: z.array(named).meta({ description: "By whose mail; the twenty with the most." }),
    lists: z.array(named).meta({ description: "What was left, or whose mail led there." }),
    topics: z.array(named).meta({ description: "What was left, or what the mail was about." }),
  })
  .meta({ id: "Departures" });
export type Departures = z.infer<typeof departures>;
