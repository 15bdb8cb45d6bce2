import type { z } from "zod";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The page's query by its schema; what is wrong in the URL is left out, as if it were not there. */
export async function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  searchParams: SearchParams,
): Promise<z.output<Schema>> {
  const given = Object.entries(await searchParams).filter(([, value]) => value !== "");
  const asked = schema.safeParse(Object.fromEntries(given));
  if (asked.success) return asked.data;
  const wrong = new Set(asked.error.issues.map(({ path }) => path[0]));
  return schema.parse(Object.fromEntries(given.filter(([name]) => !wrong.has(name))));
}
