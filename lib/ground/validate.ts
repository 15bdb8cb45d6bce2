import type { z } from "zod";
import { AppError, type FieldError } from "./errors";

/** `["to", 2, "email"]` as a caller would write it: `to[2].email`. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}

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

/** What each branch says about the value itself, nested unions included. */
function verdicts(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.path.length > 0) return [];
  return issue.code === "invalid_union" ? issue.errors.flat().flatMap(verdicts) : [issue];
}

/** What the branches of a union expected, where none came closer than the others. */
function unionSentence(issue: z.core.$ZodIssueInvalidUnion): string {
  const faults = issue.errors.flat().flatMap(verdicts);
  // A branch that accepted the type and refused the value says more than those that refused the type.
  const refusals = faults.filter((inner) => inner.code !== "invalid_type");
  const wanted = refusals.flatMap((inner) =>
    inner.code === "invalid_format" ? (formats[inner.format] ?? []) : [],
  );
  if (wanted.length > 0) return `is not ${[...new Set(wanted)].join(" or ")}`;
  if (refusals[0]) return sentence(refusals[0]);
  const types = faults.flatMap((inner) => (inner.code === "invalid_type" ? [inner.expected] : []));
  if (types.length === 0) return "is not valid";
  return `must be of type ${[...new Set(types)].join(" or ")}, not ${typeOf(issue.input)}`;
}

/** How zod's own messages begin; a schema's are sentences that continue the field's name. */
const isDefault = /^(?:Too big|Too small|Invalid|Unrecognized)\b/;

function sentence(issue: z.core.$ZodIssue): string {
  const ofType = issue.code === "invalid_type" || issue.code === "invalid_union";
  if (ofType && issue.input === undefined) return "is required";
  if (!isDefault.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_union":
      return unionSentence(issue);
    case "too_big":
    case "too_small":
      return boundary(issue);
    case "invalid_value":
      return `is not one of ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return `is not ${formats[issue.format] ?? "in the right form"}`;
    default:
      return issue.message.replace(
        /^Invalid input: expected (\w+), received (\w+)$/,
        "must be of type $1, not $2",
      );
  }
}

/** Issues of a union, one level down: those of the branch that came closest. */
function flatten(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const here = fieldPath(issue.path);
    const closest = issue.errors
      .map((branch) =>
        branch.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] })),
      )
      .find((branch) => branch.some((fault) => fault.path !== here));
    if (closest) return closest;
  }
  return [{ path: fieldPath(issue.path), message: sentence(issue) }];
}

/**
 * Parses `input` by `schema`. Throws VALIDATION_ERROR with one entry per fault below `path`; the message is
 * the first of them.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  path: readonly PropertyKey[] = [],
): z.output<Schema> {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const details = result.error.issues
    .flatMap((issue) => flatten({ ...issue, path: [...path, ...issue.path] }))
    .slice(0, 50);
  const first = details[0] ?? { path: "", message: "is not valid" };
  throw new AppError(
    "VALIDATION_ERROR",
    first.path ? `${first.path}: ${first.message}` : `The request ${first.message}`,
    details,
  );
}
