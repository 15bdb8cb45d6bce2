import type { z } from "zod";
import { AppError, type FieldError } from "@/lib/errors";

/** `["to", 2, "email"]` as the caller would write it: `to[2].email`. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}

function sentence(issue: z.core.$ZodIssue): string {
  const ofType = issue.code === "invalid_type" || issue.code === "invalid_union";
  if (ofType && issue.input === undefined) return "is required";
  if (issue.code === "invalid_union" && issue.message === "Invalid input") {
    return "is of a type that does not belong here";
  }
  return issue.message.replace(
    /^Invalid input: expected (\w+), received (\w+)$/,
    "must be of type $1, not $2",
  );
}

/** Issues of a union, one level down: the branch that came closest speaks. */
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
 * What `schema` makes of `input`; throws VALIDATION_ERROR with one entry per fault below `path`, the
 * first of them in the message.
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
