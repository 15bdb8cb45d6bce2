import type { z } from "zod";
import { AppError, fieldPath, type FieldError } from "./errors";
import { mostFaults, sentence, unknownNames } from "./validation-messages";
import { longArray, withoutNulls } from "./schema-walk";

/** Issues of a union, one level down: those of the branch that came closest. */
function flatten(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.message.split("\n").map((message, index) => ({
      path: fieldPath([...issue.path, issue.keys[index]?.slice(0, 100) ?? ""]),
      message,
    }));
  }
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

/** Whether a null stands in the way, unions included: then it is worth looking for nulls that mean nothing. */
function concernsNull(issue: z.core.$ZodIssue): boolean {
  if (issue.code === "invalid_union") {
    return issue.input === null || issue.errors.some((branch) => branch.some(concernsNull));
  }
  return issue.input === null;
}

/**
 * Parses `input` by `schema`; null counts as absent where a field is optional and null has no meaning of its
 * own. Throws VALIDATION_ERROR with one entry per fault below `path`; the message is the first of them.
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  path: readonly PropertyKey[] = [],
): z.output<Schema> {
  const long = longArray(schema, input);
  if (long) throw refusal([{ path: fieldPath([...path, ...long.path]), message: long.message }]);
  const options = { reportInput: true, error: unknownNames };
  let result = schema.safeParse(input, options);
  if (!result.success && result.error.issues.some(concernsNull)) {
    result = schema.safeParse(withoutNulls(schema, input), options);
  }
  if (result.success) return result.data;
  const faults = result.error.issues
    .slice(0, mostFaults)
    .flatMap((issue) => flatten({ ...issue, path: [...path, ...issue.path] }));
  throw refusal(faults.slice(0, mostFaults));
}

function refusal(faults: FieldError[]): AppError {
  const first = faults[0] ?? { path: "", message: "is not valid" };
  return new AppError(
    "VALIDATION_ERROR",
    first.path ? `${first.path}: ${first.message}` : `The request ${first.message}`,
    faults,
  );
}
