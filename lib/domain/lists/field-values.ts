import type { listFields } from "@/db/schema";
import { AppError, type FieldError } from "@/lib/ground/errors";

export type ListFieldRow = typeof listFields.$inferSelect;

/** Fields whose values are the contact's own. */
export const contactTags: readonly string[] = ["EMAIL", "FIRST_NAME", "LAST_NAME"];

function fault(field: ListFieldRow, value: string): string | null {
  const options = field.options ?? [];
  switch (field.type) {
    case "text":
      return null;
    case "number":
      return /^-?\d+(\.\d+)?$/.test(value) ? null : "is not a number";
    case "datetime":
      return isDateTime(value) ? null : "is not a date (YYYY-MM-DD, then HH:MM if needed)";
    case "dropdown":
      // Its options may come later; until then, any text will do.
      return options.length === 0 || options.includes(value)
        ? null
        : `is not one of ${options.join(", ")}`;
    case "checkbox": {
      if (options.length === 0) return /^[01]$/.test(value) ? null : "is not 0 or 1";
      const wrong = value.split(",").find((choice) => !options.includes(choice.trim()));
      return wrong === undefined ? null : `has "${wrong.trim()}", not one of ${options.join(", ")}`;
    }
  }
}

function isDateTime(value: string): boolean {
  const form = /^(\d{4}-\d\d-\d\d)([T ](\d\d:\d\d(:\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(value);
  if (!form?.[1]) return false;
  const day = new Date(`${form[1]}T00:00Z`);
  // JavaScript turns 30 February into 1 March.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== form[1]) return false;
  return !Number.isNaN(Date.parse(`${form[1]}T${form[3] ?? "00:00"}${form[5] ?? "Z"}`));
}

/**
 * The membership values in a request, checked against their fields; empty ones are dropped. `complete`: somebody is
 * joining, so defaults are filled in and required fields must be present. Throws VALIDATION_ERROR with one entry
 * per field.
 */
export function checkFieldValues(
  fields: readonly ListFieldRow[],
  input: Readonly<Record<string, string>>,
  complete: boolean,
): Record<string, string> {
  const own = new Map(
    fields.filter(({ tag }) => !contactTags.includes(tag)).map((field) => [field.tag, field]),
  );
  const values = new Map<string, string>();
  const faults: FieldError[] = [];
  for (const [tag, text] of Object.entries(input)) {
    const field = own.get(tag);
    const value = text.trim();
    const message = field ? value && fault(field, value) : "is not a field of this list";
    if (message) faults.push({ path: tag, message });
    else if (value !== "" || !complete) values.set(tag, value);
  }
  for (const { tag, required, defaultValue } of own.values()) {
    if (complete && !values.has(tag) && defaultValue) values.set(tag, defaultValue);
    const missing = complete ? !values.has(tag) : values.get(tag) === "";
    if (required && missing && !faults.some(({ path }) => path === tag)) {
      faults.push({ path: tag, message: "is required" });
    }
  }
  const [first] = faults;
  if (first) throw new AppError("VALIDATION_ERROR", `${first.path}: ${first.message}`, faults);
  return Object.fromEntries(values);
}
