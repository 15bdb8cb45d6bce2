"use client";

import { useRead } from "@/components/api/use-read";
import { Button } from "@/components/ui/button";
import { count } from "@/components/ui/numbers";
import type { ContactListQuery } from "@/lib/domain/contacts/list-schema";
import { t } from "@/lib/ground/texts/t";
import { filterOf } from "./chosen";

/** Offers to go beyond the page, once all of it is chosen. */
export function SelectAll({
  query,
  all,
  onAll,
  onNone,
}: {
  query: ContactListQuery;
  /** How many match, once all of them are chosen. */
  all: number | null;
  onAll: (count: number) => void;
  onNone: () => void;
}) {
  // Deleting is what everybody who matches is changed by. Counted anew each time: people come and go.
  const matching = useRead(
    "POST /v1/contacts/changes/preview",
    { body: { action: "delete", filter: filterOf(query) } },
    { staleTime: 0, gcTime: 0, retry: false },
  );
  const number = matching.data?.contacts;
  return (
    <p
      className="flex min-h-12 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b bg-sunken px-3 py-2 text-sm"
      role="status"
    >
      {all !== null ? (
        <>
          {t("All {count, plural, one {# contact} other {# contacts}} that match are selected.", {
            count: all,
          })}
          <Button size="sm" variant="ghost" onClick={onNone}>
            {t("Clear selection")}
          </Button>
        </>
      ) : matching.error ? (
        <>
          {t("Everybody on this page is selected. Who else matches could not be counted.")}
          <Button
            size="sm"
            variant="ghost"
            pending={matching.isFetching}
            onClick={() => void matching.refetch()}
          >
            {t("Try again")}
          </Button>
        </>
      ) : number === undefined ? (
        t("Everybody on this page is selected. Counting who else matches…")
      ) : (
        <>
          {t("Everybody on this page is selected.")}
          <Button size="sm" variant="ghost" onClick={() => onAll(number)}>
            {t("Select all {number} that match", { number: count(number) })}
          </Button>
        </>
      )}
    </p>
  );
}
