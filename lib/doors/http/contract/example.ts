import type { TestProject } from "@/lib/testing";

/** The ids that a path names, by their parameters' names. */
export type PathIds = Readonly<Record<string, string>> & { id: string };

/** What makes a request to an operation succeed. */
export interface Example {
  /** Makes what the path names, in a project; returns its wire id, or all of the path's if it has several. */
  id?: (project: TestProject) => Promise<string | PathIds>;
  /** A wire id of the right kind that names nothing. */
  unknownId?: string;
  /** A body that is accepted however often it is sent; it may name what `id` has made. */
  body?: (ids: PathIds) => unknown;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** Values that a parameter's schema lets through but the operation refuses. */
  wrongQuery?: Record<string, string>[];
}

/** The ids of a path that an example makes. */
export async function pathIds({ id }: Example, project: TestProject): Promise<PathIds> {
  const example = await id?.(project);
  return typeof example === "object" ? example : { id: example ?? "" };
}

/** A path with these ids in it. */
export const pathWith = (path: string, ids: PathIds): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "nonsense");

/** A uuid that names nothing. */
export const nothing = "01890000-0000-7000-8000-000000000000";
let createdSoFar = 0;
/** Gives each thing an address or a name of its own. */
export const nextNumber = () => ++createdSoFar;

export const tomorrow = () => new Date(Date.now() + 24 * 3_600_000).toISOString();
export const paging = { query: { limit: "5" }, wrongQuery: [{ cursor: "bm90IGEgY3Vyc29y" }] };
