import type { z } from "zod";
import { ApiError } from "@/lib/doors/http/client";

/** The sentence to show for anything that a call threw. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : "Something went wrong in the browser.";
}

/** What is wrong with one field, in the API's words; null when nothing is. */
export function fieldFault(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const message = error.details.find((detail) => detail.path === path)?.message;
  return message ? `This ${message}.` : null;
}

/** The message for the form as a whole; null when every fault stands at its field. */
export function formFault(error: unknown, paths: readonly string[]): string | null {
  if (!error) return null;
  const atFields =
    error instanceof ApiError &&
    error.details.length > 0 &&
    error.details.every((detail) => paths.includes(detail.path));
  return atFields ? null : messageOf(error);
}

/** A sentence for each field with a fault, by the field's name. */
export type Faults = Partial<Record<string, string>>;

/** What a schema found wrong, for the top-level fields of a form. */
export function schemaFaults(error: z.ZodError): Faults {
  const faults: Faults = {};
  for (const { path, message } of error.issues)
    faults[String(path[0] ?? "")] ??= `This ${message}.`;
  return faults;
}
