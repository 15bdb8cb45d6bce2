import type { z } from "zod";
import { AppError } from "@/lib/errors";

/** Formats zod's path in the words of the input: `filter.and[2].op`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

/** What `schema` makes of `input`; throws VALIDATION_ERROR naming every faulty field below `path`. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  path: readonly PropertyKey[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map((issue) => ({
    path: formatPath([...path, ...issue.path]),
    message: issue.message,
  }));
  const sentences = details.map((fault) =>
    fault.path ? `${fault.path}: ${fault.message}` : fault.message,
  );
  throw new AppError("VALIDATION_ERROR", sentences.join("; "), details);
}
