"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, LayoutTemplate, SearchX } from "lucide-react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useMay, useProject, useProjectPath } from "@/components/api/project-context";
import { LinkButton } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { TemplateQuery } from "@/lib/domain/templates/schema";

/** One page of the templates, newest first. */
export function TemplateList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/templates">;
  query: TemplateQuery;
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const list = useQuery({
    queryKey: ["templates", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/templates", { query }, { signal }),
    initialData: initial,
    refetchInterval: 60_000,
  });
  const { data, page, pageSize, total, totalPages } = list.data;
  return (
    <>
      <NotUpToDate error={list.error} what="list">
        It is asked for again every minute.
      </NotUpToDate>
      {data.length === 0 ? (
        <Nothing query={query} />
      ) : (
        <Table label="Templates" className="table-fixed">
          <TableHead>
            <HeaderCell>Name and subject</HeaderCell>
            <HeaderCell className="w-24 text-right! max-sm:hidden">Version</HeaderCell>
            <HeaderCell className="w-32 text-right!">Changed</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((template) => (
              <Row key={template.id}>
                <Cell>
                  <RowLink href={path(`templates/${template.id}`)} className="block truncate">
                    {template.name}
                  </RowLink>
                  <span className="block truncate text-soft">{template.subject}</span>
                </Cell>
                <Cell className="text-right max-sm:hidden">{template.version}</Cell>
                <Cell className="text-right text-soft">
                  <RelativeTime value={template.updatedAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {totalPages > 1 && (
        <Pages
          search={query.search}
          page={page}
          totalPages={totalPages}
          text={`${(page - 1) * pageSize + 1} to ${Math.min(total, page * pageSize)} of ${total}`}
        />
      )}
    </>
  );
}

function Pages({
  search,
  page,
  totalPages,
  text,
}: {
  search: string | undefined;
  page: number;
  totalPages: number;
  text: string;
}) {
  const path = useProjectPath();
  const href = (wanted: number) => {
    const given = new URLSearchParams({
      ...(search ? { search } : {}),
      ...(wanted > 1 ? { page: String(wanted) } : {}),
    }).toString();
    return path("templates") + (given && `?${given}`);
  };
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center justify-between gap-2">
      {page > 1 ? (
        <LinkButton href={href(page - 1)} size="sm">
          <ChevronLeft aria-hidden /> Newer
        </LinkButton>
      ) : (
        <span />
      )}
      <span className="text-sm text-soft">{text}</span>
      {page < totalPages ? (
        <LinkButton href={href(page + 1)} size="sm">
          Older <ChevronRight aria-hidden />
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  );
}

function Nothing({ query }: { query: TemplateQuery }) {
  const path = useProjectPath();
  const may = useMay("editor");
  if (query.search || query.page > 1) {
    return (
      <EmptyState
        icon={SearchX}
        title="No template matches"
        action={<LinkButton href={path("templates")}>Show all templates</LinkButton>}
      >
        None of the project’s templates has this in its name.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={LayoutTemplate}
      title="No template yet"
      action={
        may && (
          <LinkButton href={path("templates/new")} variant="primary">
            Create the first one
          </LinkButton>
        )
      }
    >
      A template is a subject and a body with placeholders such as {"{{ firstName }}"}. Your program
      sends it by its id, and you change the words without touching the program.
    </EmptyState>
  );
}
