const paging = new Set(["cursor", "limit", "page", "pageSize"]);

type Query = Readonly<Record<string, unknown>>;

/** The filters of a list's query as they stand in its URL: what is set, without the paging. */
function filtersOf(query: Query): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    paging.has(name) || value === undefined || value === ""
      ? []
      : [[name, typeof value === "string" ? value : JSON.stringify(value)]],
  );
}

/** What a saved view keeps of a list's query: its filters and its order. */
export const viewOf = (query: Query): Record<string, string> =>
  Object.fromEntries(filtersOf(query));

/** Whether two queries have the same filters and order, wherever they are paged to. */
export function isSameView(one: Query, other: Query): boolean {
  const [a, b] = [viewOf(one), viewOf(other)];
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** Whether a filter narrows the list; its order does not. */
export const isFiltered = (query: Query) => filtersOf(query).some(([name]) => name !== "sort");

/** `path` with the list's filters, and with the paging given here; without any: the first page. */
export function pageHref(
  path: string,
  query: Query,
  paging: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams([...filtersOf(query), ...Object.entries(paging)]).toString();
  return search ? `${path}?${search}` : path;
}
