"use client";

import { useQuery } from "@tanstack/react-query";
import { ListPlus, Plus, SearchX } from "lucide-react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { LinkButton } from "@/components/ui/button";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { ListQuery } from "@/lib/domain/lists/schema";

const number = new Intl.NumberFormat("en");

/** A page of the project's lists, each with who is on it. */
export function ListTable({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/lists">;
  query: ListQuery;
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const list = useQuery({
    queryKey: ["lists", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/lists", { query }, { signal }),
    initialData: initial,
    refetchInterval: 30_000,
  });
  const { data, nextCursor } = list.data;
  return (
    <>
      <NotUpToDate error={list.error} what="list">
        It is asked for again every half minute.
      </NotUpToDate>
      {data.length === 0 ? (
        <Nothing narrowed={Boolean(query.search || query.cursor)} />
      ) : (
        <Table label="Lists" className="table-fixed">
          <TableHead>
            <HeaderCell>List</HeaderCell>
            <HeaderCell className="w-28 text-right!">Subscribed</HeaderCell>
            <HeaderCell className="w-32 text-right! max-md:hidden">Unconfirmed</HeaderCell>
            <HeaderCell className="w-32 text-right! max-md:hidden">Unsubscribed</HeaderCell>
            <HeaderCell className="w-32 text-right! max-sm:hidden">Created</HeaderCell>
          </TableHead>
          <tbody>
            {data.map(({ id: listId, name, fromName, fromEmail, members, createdAt }) => (
              <Row key={listId}>
                <Cell>
                  <RowLink href={path(`lists/${listId}`)} className="block truncate">
                    {name}
                  </RowLink>
                  <span className="block truncate text-xs text-soft">
                    {fromName ? `${fromName} <${fromEmail}>` : fromEmail}
                  </span>
                </Cell>
                <Cell className="text-right tabular-nums">{number.format(members.subscribed)}</Cell>
                <Cell className="text-right text-soft tabular-nums max-md:hidden">
                  {number.format(members.unconfirmed)}
                </Cell>
                <Cell className="text-right text-soft tabular-nums max-md:hidden">
                  {number.format(members.unsubscribed)}
                </Cell>
                <Cell className="text-right text-soft max-sm:hidden">
                  <RelativeTime value={createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      <Pagination
        firstHref={query.cursor ? pageHref(path("lists"), query, null) : null}
        nextHref={nextCursor ? pageHref(path("lists"), query, nextCursor) : null}
      />
    </>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  const path = useProjectPath();
  const may = useMay("editor");
  if (narrowed) {
    return (
      <EmptyState
        icon={SearchX}
        title="No list matches"
        action={<LinkButton href={path("lists")}>Show all lists</LinkButton>}
      >
        The project has none of that name.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ListPlus}
      title="No list yet"
      action={
        may && (
          <LinkButton href={path("lists/new")} variant="primary">
            <Plus aria-hidden /> Create list
          </LinkButton>
        )
      }
    >
      A list is a newsletter people sign up for, with a sender and fields of its own. They join it
      and leave it by themselves; a segment, in contrast, is chosen by you.
    </EmptyState>
  );
}
