import type { z } from "zod";

/** A sentence for each field with a fault, by the field's name. */
export type Faults = Partial<Record<string, string>>;

/** What a schema found wrong, for the top-level fields of a form. */
export function schemaFaults(error: z.ZodError): Faults {
  const faults: Faults = {};
  for (const { path, message } of error.issues)
    faults[String(path[0] ?? "")] ??= `This ${message}.`;
  return faults;
}
