import { z } from "zod";

/** A time that a caller sends, with its zone. ISO 8601 bounds no fraction of a second: nanoseconds fit. */
export const instant = z.iso
  .datetime({ offset: true, error: "is not an ISO 8601 time with a zone" })
  .max(40, "is longer than 40 characters");
