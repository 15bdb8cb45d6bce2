import { z } from "zod";

/** The address a person signs in with, compared case-insensitively. */
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

/** Length is what counts (NIST SP 800-63B); the upper limit bounds the cost of hashing. */
export const newPassword = z
  .string()
  .min(10, "is shorter than 10 characters")
  .max(200, "is longer than 200 characters");
