import { keepPreviousData } from "@tanstack/react-query";
import { useRead } from "@/components/api/use-read";
import type { SelectOption } from "@/components/ui/select";

/** What a project has any number of, and what is chosen by its name. */
export type Kind = "list" | "segment" | "template";

interface Named {
  id: string;
  name: string;
}

const mostOffered = 50;
const all = {
  list: "GET /v1/lists",
  segment: "GET /v1/segments",
  template: "GET /v1/templates",
} as const;
const one = {
  list: "GET /v1/lists/{id}",
  segment: "GET /v1/segments/{id}",
  template: "GET /v1/templates/{id}",
} as const;

/** Those whose name holds the text, the newest first (templates by name); `more`: not all of them. */
export function useFound(kind: Kind, search: string, enabled: boolean) {
  const paged =
    kind === "template" ? { pageSize: mostOffered, sort: "name" as const } : { limit: mostOffered };
  const { isError, data } = useRead(
    all[kind],
    { query: { ...paged, ...(search === "" ? {} : { search }) } },
    { enabled, placeholderData: keepPreviousData },
  );
  const named: readonly Named[] = data?.data ?? [];
  return {
    options: named.map(({ id, name }): SelectOption<string> => ({ value: id, label: name })),
    isLoaded: data !== undefined,
    isError,
    more: named.length === mostOffered,
  };
}

/** The name of what is chosen: null while it is being read. `gone`: it no longer exists. */
export function useNameOf(
  kind: Kind,
  id: string,
  known: readonly Named[] = [],
): { name: string | null; gone: boolean } {
  const knownName = known.find((other) => other.id === id)?.name;
  const { data, isError } = useRead(
    one[kind],
    { params: { id } },
    { enabled: id !== "" && knownName === undefined, retry: false },
  );
  return { name: knownName ?? data?.name ?? null, gone: isError };
}
