import { z } from "zod";

export const projectName = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(100, "is longer than 100 characters")
  .regex(/^\P{Cc}*$/u, "contains control characters");
