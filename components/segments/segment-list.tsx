"use client";

import { useQuery } from "@tanstack/react-query";
import { Filter, SearchX } from "lucide-react";
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
import type { SegmentQuery, SegmentSuggestions } from "@/lib/domain/segments/schema";
import { sentence } from "./sentence";

const number = new Intl.NumberFormat("en");

/** A page of the project's segments, each with its count and what it means. */
export function SegmentList({
  initial,
  query,
  fields,
}: {
  initial: ApiAnswer<"GET /v1/segments">;
  query: SegmentQuery;
  /** For the names in the sentences. */
  fields: SegmentSuggestions["fields"];
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const may = useMay("editor");
  const list = useQuery({
    queryKey: ["segments", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/segments", { query }, { signal }),
    initialData: initial,
    refetchInterval: 30_000,
  });
  const { data, nextCursor } = list.data;
  return (
    <>
      <NotUpToDate error={list.error} what="list">
        It is asked for again every half minute.
      </NotUpToDate>
      {data.length > 0 && (
        <Table label="Segments" className="table-fixed">
          <TableHead>
            <HeaderCell>Segment</HeaderCell>
            <HeaderCell className="w-40 text-right!">Contacts</HeaderCell>
            <HeaderCell className="w-32 text-right! max-sm:hidden">Changed</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((segment) => (
              <Row key={segment.id}>
                <Cell>
                  <RowLink href={path(`segments/${segment.id}`)} className="block truncate">
                    {segment.name}
                  </RowLink>
                  <span className="block truncate text-xs text-soft">
                    {sentence(segment.filter, fields)}
                  </span>
                </Cell>
                <Cell className="text-right">
                  {segment.countedAt ? (
                    <>
                      {number.format(segment.contactCount)}
                      <span className="block text-xs text-faint">
                        counted <RelativeTime value={segment.countedAt} />
                      </span>
                    </>
                  ) : (
                    <span className="text-faint">being counted</span>
                  )}
                </Cell>
                <Cell className="text-right text-soft max-sm:hidden">
                  <RelativeTime value={segment.updatedAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {data.length === 0 &&
        (query.search || query.cursor ? (
          <EmptyState
            icon={SearchX}
            title="No segment matches"
            action={<LinkButton href={path("segments")}>Show all segments</LinkButton>}
          >
            The project has none with this in its name.
          </EmptyState>
        ) : (
          <EmptyState
            icon={Filter}
            title="No segment yet"
            action={
              may && (
                <LinkButton href={path("segments/new")} variant="primary">
                  Create the first one
                </LinkButton>
              )
            }
          >
            A segment is a question about your contacts, such as who is on the pro plan and opened
            something this month. Whoever fits is in it, from the moment they fit.
          </EmptyState>
        ))}
      <Pagination
        firstHref={query.cursor ? pageHref(path("segments"), query, null) : null}
        nextHref={nextCursor ? pageHref(path("segments"), query, nextCursor) : null}
      />
    </>
  );
}
