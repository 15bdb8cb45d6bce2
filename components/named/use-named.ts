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

/** Those whose name holds the text, the newest first (templates by name); `more`: not all of them. */
export function useFound(kind: Kind, search: string, enabled: boolean) {
  const found = search === "" ? {} : { search };
  const query = { limit: mostOffered, ...found };
  const options = (one: Kind) => ({
    enabled: enabled && one === kind,
    placeholderData: keepPreviousData,
  });
  const lists = useRead("GET /v1/lists", { query }, options("list"));
  const segments = useRead("GET /v1/segments", { query }, options("segment"));
  const templates = useRead(
    "GET /v1/templates",
    { query: { pageSize: mostOffered, sort: "name", ...found } },
    options("template"),
  );
  const { isError, data } = { list: lists, segment: segments, template: templates }[kind];
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
  const knownName = known.find((one) => one.id === id)?.name;
  const options = (one: Kind) =>
    ({ enabled: id !== "" && knownName === undefined && one === kind, retry: false }) as const;
  const params = { id };
  const list = useRead("GET /v1/lists/{id}", { params }, options("list"));
  const segment = useRead("GET /v1/segments/{id}", { params }, options("segment"));
  const template = useRead("GET /v1/templates/{id}", { params }, options("template"));
  const { data, isError } = { list, segment, template }[kind];
  return { name: knownName ?? data?.name ?? null, gone: isError };
}
