import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { z } from "zod";
import { parseColumns, type ColumnSet } from "@/components/list-page/columns";
import { pageHref } from "@/components/list-page/filters";
import type { Context } from "@/lib/ground/context";
import { isAppError } from "@/lib/ground/errors";
import { onReplica } from "@/lib/ground/replica";
import { readQuery, type SearchParams } from "./search-params";
import { openProject } from "./session";

/** What Next hands a list page. `More`: the parts of its path below the project. */
export interface ListPageProps<More extends object = object> {
  params: Promise<{ project: string } & More>;
  searchParams: SearchParams;
}

/**
 * What a list page begins with: its query, read from the URL, and what it reads with that. A URL with a
 * cursor or anything else that is no longer valid leads to the start of the same list.
 */
export async function openListPage<Schema extends z.ZodType<Record<string, unknown>>, Rows>(
  { params, searchParams }: ListPageProps,
  {
    path,
    schema,
    limit,
    read,
  }: {
    /** Below the project: `contacts`. */
    path: string;
    schema: Schema;
    /** Rows on a page, where it is not the schema's own number. */
    limit?: number;
    read: (context: Context, query: z.output<Schema>) => Promise<Rows>;
  },
) {
  const { project, context } = await openProject((await params).project);
  const parsed = await readQuery(schema, searchParams);
  const query = limit === undefined ? parsed : { ...parsed, limit };
  const rows = await onReplica(context, (reading) => read(reading, query)).catch(
    (error: unknown) => {
      const stale = isAppError(error) && ["VALIDATION_ERROR", "NOT_FOUND"].includes(error.code);
      const list = `/dashboard/${project.id}/${path}`;
      if (stale && query["cursor"] !== undefined) redirect(pageHref(list, query));
      // Without a cursor it is a filter, such as a segment that was deleted.
      if (stale && pageHref(list, query) !== list) redirect(list);
      throw error;
    },
  );
  return { project, context, query, rows };
}

/** What the reader wants to see of each row. */
export async function chosenColumns<Own extends string, More extends string = never>(
  set: ColumnSet<Own, More>,
): Promise<readonly (Own | More)[]> {
  return parseColumns(set, (await cookies()).get(set.cookie)?.value);
}
