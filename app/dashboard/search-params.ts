import type { z } from "zod";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The page's query according to its schema; invalid parameters are ignored. */
export async function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  searchParams: SearchParams,
): Promise<z.output<Schema>> {
  const parameters = Object.entries(await searchParams).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(parameters));
  if (parsed.success) return parsed.data;
  // Query schemas are strict, and an address sometimes has more in it: utm_source, fbclid.
  const invalid = new Set(
    parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" ? issue.keys : [issue.path[0]],
    ),
  );
  return schema.parse(Object.fromEntries(parameters.filter(([name]) => !invalid.has(name))));
}
