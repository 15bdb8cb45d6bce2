import { z } from "zod";

/** How many names an object may have whose caller chooses them; validate() counts them before it reads any. */
export const mostNames = 1_000;

/** An object with names of its caller's choice. `most` is for the document: a schema that allows fewer says so itself. */
export function openObject<Name extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  name: Name,
  value: Value,
  most = mostNames,
) {
  return z.record(name, value).meta({ maxProperties: most });
}
