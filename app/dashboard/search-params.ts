import type { z } from "zod";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The page's query by its schema; invalid parameters are ignored, as if they were not in the URL. */
export async function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  searchParams: SearchParams,
): Promise<z.output<Schema>> {
  const parameters = Object.entries(await searchParams).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(parameters));
  if (parsed.success) return parsed.data;
  // Schemas of queries are strict, and an address has more in it now and then: utm_source, fbclid.
  const invalid = new Set(
    parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" ? issue.keys : [issue.path[0]],
    ),
  );
  return schema.parse(Object.fromEntries(parameters.filter(([name]) => !invalid.has(name))));
}
