"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { Select } from "@/components/ui/select";
import { t } from "@/lib/ground/texts/t";

/** What a list without a table, whose heads would say its order, shows; kept in the URL. */
export function SearchAndOrder<Order extends string>({
  of,
  search,
  orders,
  byDefault,
  query,
}: {
  /** Name of the list, for screen readers. */
  of: string;
  /** What is searched by. */
  search: string;
  /** The default one has "". */
  orders: readonly { value: Order | ""; label: string }[];
  /** What the default is called where it is given all the same. */
  byDefault: Order;
  query: { search?: string | undefined; sort?: Order | undefined };
}) {
  return (
    <FilterBar of={of} query={query}>
      {(set) => (
        <>
          <SearchField
            label={search}
            value={query.search ?? ""}
            onChange={(text) => set({ search: text })}
            className="col-span-2 sm:w-80"
          />
          <Select
            label={t("Order")}
            options={orders}
            value={query.sort === undefined || query.sort === byDefault ? "" : query.sort}
            onChange={(sort) => set({ sort })}
            className="col-span-2 sm:w-52!"
          />
        </>
      )}
    </FilterBar>
  );
}
