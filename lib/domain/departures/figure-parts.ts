import { sql } from "drizzle-orm";
import { departureFigures } from "@/db/schema";

const { scope, reason, origin, campaignId, listId, topicId } = departureFigures;
const nobody = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** SQL rows (thing, which) that a row of departure_figures counts towards; `which` may be null. */
export const figureParts = sql`values
  ('day', ${scope}),
  ('reason', case when ${scope} = 'everything' then ${reason} end),
  ('origin', ${origin}),
  ('campaign', nullif(${campaignId}, ${nobody})::text),
  ('list', nullif(${listId}, ${nobody})::text),
  ('topic', nullif(${topicId}, ${nobody})::text)`;
