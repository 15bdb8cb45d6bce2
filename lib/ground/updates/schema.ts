import { instant } from "@/lib/ground/time-schema";

const description =
  "`updatedAt` as it was when editing began. 409 CONFLICT, with this field in its details, if the resource has changed since. Without it the last write wins.";
const example = "2026-11-24T08:00:00.000Z";

/** A field of updates: the state that the writer saw, so that a change cannot revert somebody else's unseen. */
export const basedOn = instant.optional().meta({ description, example });

/** The same for what is first stored by an update. */
export const basedOnOrNothing = instant
  .nullable()
  .optional()
  .meta({ description: `${description} null: nothing was stored yet.`, example });
