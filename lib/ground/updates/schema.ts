import { z } from "zod";

/** A field of updates: the state that the writer saw, so that a change cannot revert somebody else's unseen. */
export const basedOn = z.iso
  .datetime({ offset: true, error: "is not an ISO 8601 time with a zone" })
  .optional()
  .meta({
    description:
      "`updatedAt` as it was when editing began. 409 CONFLICT, with this field in its details, if the resource has changed since. Without it the last write wins.",
    example: "2026-11-24T08:00:00.000Z",
  });
