import { z } from "zod";

/** How often an open editor says so. */
export const presenceSeconds = 15;

export const presenceInput = z.strictObject({
  /** Tells two tabs of one person apart. */
  tab: z.string().regex(/^[a-z0-9]{1,20}$/, "is not 1 to 20 small letters and digits"),
});
export type PresenceInput = z.output<typeof presenceInput>;

/** Who else has it open: people once each, and the asking person when it is open in another of their tabs. */
export const othersPresent = z.object({
  others: z.array(z.object({ name: z.string(), isYou: z.boolean() })),
  /** Who else has changed something in it and not saved it, whether or not they have it open. */
  unsaved: z.array(z.string()).optional(),
});
export type OthersPresent = z.output<typeof othersPresent>;
