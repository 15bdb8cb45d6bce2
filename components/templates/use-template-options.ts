import { useRead } from "@/components/api/use-read";
import type { SelectOption } from "@/components/ui/select";
import { t } from "@/lib/ground/texts/t";

/**
 * The project's templates to choose from, by name: the first hundred, and whichever is chosen. `gone`: the chosen one
 * no longer exists.
 */
export function useTemplateOptions(chosen: string | null): {
  options: SelectOption<string>[];
  gone: boolean;
} {
  const { data: page } = useRead("GET /v1/templates", { query: { pageSize: 100, sort: "name" } });
  const listed = page?.data ?? [];
  const isListed = chosen === null || listed.some(({ id }) => id === chosen);
  const unlisted = useRead(
    "GET /v1/templates/{id}",
    { params: { id: chosen ?? "" } },
    { enabled: !isListed && page !== undefined, retry: false },
  );
  const gone = !isListed && unlisted.isError;
  const label = gone ? t("A template that no longer exists") : (unlisted.data?.name ?? "…");
  return {
    options: [
      ...(isListed || chosen === null ? [] : [{ value: chosen, label }]),
      ...listed.map((template) => ({ value: template.id, label: template.name })),
    ],
    gone,
  };
}
