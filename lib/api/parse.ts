import type { z } from "zod";
import { AppError, type FieldError } from "@/lib/errors";

/** `["to", 2, "email"]` as the caller would write it: `to[2].email`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  return issue.message;
}

/** Issues of a union, one level down: the branch that came closest speaks. */
function flatten(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const branches = issue.errors.map((branch) =>
      branch.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] })),
    );
    const deepest = branches
      .filter((branch) => branch.some((fault) => fault.path !== fieldPath(issue.path)))
      .at(0);
    if (deepest) return deepest;
  }
  return [{ path: fieldPath(issue.path), message: sentence(issue) }];
}

/** Validates `value`; throws VALIDATION_ERROR with one entry per fault, the first in the message. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const details = result.error.issues.flatMap(flatten).slice(0, 50);
  const first = details[0] ?? { path: "", message: "is not valid" };
  throw new AppError(
    "VALIDATION_ERROR",
    first.path ? `${first.path}: ${first.message}` : `The request ${first.message}`,
    details,
  );
}
