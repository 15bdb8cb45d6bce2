import type { z } from "zod";
import { nearestName } from "./nearest-name";

/** Most entries that one error has. */
export const mostFaults = 50;

const units: Record<string, string> = {
  string: "characters",
  array: "items",
  object: "keys",
  record: "keys",
};

function boundary(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  const unit = units[issue.origin];
  const limit = issue.code === "too_big" ? issue.maximum : issue.minimum;
  if (issue.code === "too_small" && unit && limit === 1) return "is empty";
  const more = issue.code === "too_big";
  if (unit) return `has ${more ? "more" : "fewer"} than ${limit} ${unit}`;
  const strictly = issue.inclusive === false ? " or is" : "";
  return `is ${more ? "greater" : "less"} than${strictly} ${limit}`;
}

const formats: Record<string, string> = {
  datetime: "an ISO 8601 time, like 2026-11-21T09:30:00Z",
  date: "an ISO 8601 date, like 2026-11-21",
  url: "an address (URL)",
  email: "an email address",
};

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** JSON's words for zod's. */
const types: Record<string, string> = { int: "number", record: "object", nan: "number" };
const typeName = (expected: string) => types[expected] ?? expected;

function typeSentence(expected: readonly string[], input: unknown): string {
  const names = [...new Set(expected.map(typeName))];
  // A whole number was expected, or a query's text that does not read as a number.
  if (typeof input === "number") {
    if (Number.isNaN(input) || !Number.isFinite(input)) return "is not a number";
    if (names.includes("number")) return "is not a whole number";
  }
  return `must be of type ${names.join(" or ")}, not ${typeOf(input)}`;
}

/** What each branch says about the value itself, nested unions included. */
function verdicts(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.path.length > 0) return [];
  return issue.code === "invalid_union" ? issue.errors.flat().flatMap(verdicts) : [issue];
}

/** Of a union that is told apart by one field, and none of whose branches fits: what that field may be. */
function choiceSentence(issue: z.core.$ZodIssueInvalidUnion): string | null {
  if (!("options" in issue) || !issue.options || issue.discriminator === undefined) return null;
  const given = (issue.input as Record<string, unknown> | undefined)?.[issue.discriminator];
  return given === undefined
    ? "is required"
    : `is not one of ${issue.options.map(String).join(", ")}`;
}

/** What the branches of a union expected, where none came closer than the others. */
function unionSentence(issue: z.core.$ZodIssueInvalidUnion): string {
  const faults = issue.errors.flat().flatMap(verdicts);
  // A branch that accepted the type but refused the value says more than those that refused the type.
  const refusals = faults.filter((inner) => inner.code !== "invalid_type");
  const wanted = refusals.flatMap((inner) =>
    inner.code === "invalid_format" ? (formats[inner.format] ?? []) : [],
  );
  if (wanted.length > 0) return `is not ${[...new Set(wanted)].join(" or ")}`;
  if (refusals[0]) return sentence(refusals[0]);
  const expected = faults.flatMap((inner) => (inner.code === "invalid_type" ? inner.expected : []));
  return expected.length === 0 ? "is not valid" : typeSentence(expected, issue.input);
}

/** How zod's own messages begin; a schema's are sentences that continue the field's name. */
const isDefault = /^(?:Too big|Too small|Invalid|Unrecognized)\b/;

/** What is wrong with a field, as a sentence that continues its name. */
export function sentence(issue: z.core.$ZodIssue): string {
  const ofType = issue.code === "invalid_type" || issue.code === "invalid_union";
  if (ofType && issue.input === undefined) return "is required";
  if (!isDefault.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_union":
      return choiceSentence(issue) ?? unionSentence(issue);
    case "too_big":
    case "too_small":
      return boundary(issue);
    case "invalid_value":
      return `is not one of ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return `is not ${formats[issue.format] ?? "in the right form"}`;
    case "invalid_type":
      return typeSentence([issue.expected], issue.input);
    case "invalid_key":
      return issue.issues[0] ? sentence(issue.issues[0]) : "is not a valid name";
    default:
      return "is not valid";
  }
}

const mostNamesListed = 12;

/** One line for each name that the object's schema does not have: what validate() makes entries of. */
export function unknownNames(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys") return undefined;
  const def = issue.inst?._zod.def as { shape?: Record<string, unknown> } | undefined;
  const names = Object.keys(def?.shape ?? {});
  const listed = names.length <= mostNamesListed ? `; the known ones are ${names.join(", ")}` : "";
  return issue.keys
    .slice(0, mostFaults)
    .map((key) => {
      const nearest = nearestName(key, names);
      if (nearest) return `is not known; did you mean ${nearest}?`;
      return names.length === 0
        ? "is not known; nothing is expected here"
        : `is not known${listed}`;
    })
    .join("\n");
}
