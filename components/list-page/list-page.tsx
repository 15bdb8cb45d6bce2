"use client";

import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import type { Read } from "@/components/api/use-read";
import { useRememberedList } from "@/components/ui/back-link";
import { LinkButton } from "@/components/ui/button";
import { Island } from "@/components/ui/island";
import { count } from "@/components/ui/numbers";
import { t } from "@/lib/ground/texts/t";
import { EmptyState } from "./empty-state";
import { isFiltered, pageHref } from "./filters";
import { NotUpToDate } from "./not-up-to-date";
import { Pagination } from "./pagination";

interface Answer<Item> {
  data: Item[];
  nextCursor?: string | undefined;
  page?: number;
  pageSize?: number;
  total?: number;
}

/**
 * A page of a list below its filters: the notice when it is out of date, the rows or why there are none,
 * and the buttons to other pages. Every list of the dashboard uses it.
 */
export function ListPage<Item>({
  list,
  href,
  query,
  empty,
  noMatch,
  children,
}: {
  list: Read<Answer<Item>>;
  /** The list's first page, without filters. */
  href: string;
  /** Filters and paging as the URL has them. */
  query: Readonly<Record<string, unknown>>;
  /** For a list that holds nothing at all: what belongs there and how it gets there. */
  empty: ReactNode;
  /** For filters that match nothing: `No campaign matches`, and how to see all of them. */
  noMatch: { title: string; hint: string; showAll: string };
  children: (items: Item[]) => ReactNode;
}) {
  useRememberedList(href, query);
  const { data } = list.data;
  const narrowed = isFiltered(query) || query["cursor"] !== undefined || Number(query["page"]) > 1;
  return (
    <>
      <NotUpToDate of={list} title={t("This list is out of date")} />
      {data.length > 0 ? (
        <Island>{children(data)}</Island>
      ) : narrowed ? (
        <EmptyState
          icon={SearchX}
          title={noMatch.title}
          action={<LinkButton href={href}>{noMatch.showAll}</LinkButton>}
        >
          {noMatch.hint}
        </EmptyState>
      ) : (
        empty
      )}
      <Pagination {...pagesOf(list.data, href, query)} />
    </>
  );
}

function pagesOf<Item>(
  { data, nextCursor, page, pageSize, total }: Answer<Item>,
  href: string,
  query: Readonly<Record<string, unknown>>,
) {
  const sorted = query["sort"] !== undefined;
  if (page === undefined || pageSize === undefined || total === undefined) {
    return {
      back: query["cursor"]
        ? { label: sorted ? ("First" as const) : ("Newest" as const), href: pageHref(href, query) }
        : null,
      forward: sorted ? ("Next" as const) : ("Older" as const),
      nextHref: nextCursor ? pageHref(href, query, { cursor: nextCursor }) : null,
    };
  }
  const first = (page - 1) * pageSize + 1;
  const at = (number: number) => pageHref(href, query, number > 1 ? { page: String(number) } : {});
  return {
    back:
      page > 1
        ? { label: sorted ? ("Previous" as const) : ("Newer" as const), href: at(page - 1) }
        : null,
    forward: sorted ? ("Next" as const) : ("Older" as const),
    nextHref: page * pageSize < total ? at(page + 1) : null,
    position:
      data.length > 0
        ? t("{first} to {last} of {total}", {
            first: count(first),
            last: count(first + data.length - 1),
            total: count(total),
          })
        : undefined,
  };
}
