import { z } from "zod";

/** The address a person signs in with. Compared without regard to case. */
export const userEmail = z
  .string()
  .trim()
  .max(254, "is longer than 254 characters")
  .pipe(z.email("is not an email address"));

export const userName = z
  .string()
  .trim()
  .max(100, "is longer than 100 characters")
  .regex(/^\P{Cc}*$/u, "contains control characters");
