"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { PeriodFilter } from "@/components/list-page/period-filter";
import { Select } from "@/components/ui/select";
import type { AuditAction } from "@/db/audit-actions";
import type { AuditActor, AuditQuery } from "@/lib/domain/audit/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const actorHints: Partial<Record<AuditActor["type"], string>> = phrases({
  apiKey: "API key",
  assistant: "Assistant",
});

/** Which entries the log shows; kept in the URL. */
export function AuditFilters({
  query,
  actions,
  actors,
}: {
  query: AuditQuery;
  /** Every action, in words. */
  actions: readonly { value: AuditAction; label: string }[];
  actors: readonly AuditActor[];
}) {
  const actorOptions = [
    { value: "", label: t("Anybody") },
    ...actors.map(({ id, type, name }) => ({
      value: id ?? "system",
      label: name,
      ...(actorHints[type] && { hint: actorHints[type] }),
    })),
    { value: "system", label: t("Lettermill itself"), hint: t("and people who are not signed in") },
  ];
  return (
    <FilterBar of={t("Audit log")} query={query}>
      {(set) => (
        <>
          <Select
            label={t("Action")}
            options={[{ value: "", label: t("Anything done") }, ...actions]}
            value={query.action ?? ""}
            onChange={(action) => set({ action })}
            className="col-span-2 sm:w-72!"
          />
          <Select
            label={t("Actor")}
            options={actorOptions}
            value={query.actor ?? ""}
            onChange={(actor) => set({ actor })}
            className="col-span-2 sm:w-60!"
          />
          <PeriodFilter period={query} onChange={set} />
        </>
      )}
    </FilterBar>
  );
}
