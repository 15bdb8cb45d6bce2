import type { z } from "zod";
import { faultSentence } from "@/components/api/fault-sentence";
import { messageOf } from "@/components/api/faults";
import { ApiError } from "@/lib/doors/http/client";

/** A sentence for each place with a fault; places are written as the API writes them: `filter.and[0].value`. */
export type Faults = Readonly<Partial<Record<string, string>>>;

/** `["filter", "and", 0, "value"]` as `filter.and[0].value`. */
export const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (place, part) =>
      typeof part === "number"
        ? `${place}[${part}]`
        : place
          ? `${place}.${String(part)}`
          : String(part),
    "",
  );

/** Whether `place` is `field` or inside it: `to[1]` is in `to`, `total` is not. */
const within = (place: string, field: string): boolean =>
  place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`);

/** What a schema refused, the first fault at each place. */
export function faultsOfSchema(error: z.ZodError): Faults {
  const faults: Record<string, string> = {};
  for (const { path, message } of error.issues) faults[placeOf(path)] ??= faultSentence(message);
  return faults;
}

/**
 * What the server refused: the faults of fields that are there, and a sentence for the form as a whole if
 * that is not all.
 */
export function faultsOfAnswer(
  error: unknown,
  fields: readonly string[],
): { faults: Faults; whole: string | null } {
  const details = error instanceof ApiError ? error.details : [];
  const placed = details.filter(({ path }) => fields.some((field) => within(path, field)));
  const faults: Record<string, string> = {};
  for (const { path, message } of placed) faults[path] ??= faultSentence(message);
  const complete = details.length > 0 && placed.length === details.length;
  return { faults, whole: complete ? null : messageOf(error) };
}

/** The sentence for the form as a whole when a fault is at none of its fields. */
export function faultElsewhere(faults: Faults, fields: readonly string[]): string | null {
  const place = Object.keys(faults).find((wrong) => !fields.some((field) => within(wrong, field)));
  if (place === undefined) return null;
  const sentence = faults[place] ?? "";
  return place ? `${place}: ${sentence}` : sentence;
}

/** The first fault at a field or inside it. */
export function faultWithin(faults: Faults, field: string): string | null {
  const place = Object.keys(faults).find((candidate) => within(candidate, field));
  return place === undefined ? null : (faults[place] ?? null);
}

/** The faults that are left after these fields were changed. */
export function withoutFaults(faults: Faults, fields: readonly string[]): Faults {
  const left = Object.entries(faults).filter(
    ([place]) => !fields.some((field) => within(place, field)),
  );
  return left.length === Object.keys(faults).length ? faults : Object.fromEntries(left);
}
