"use client";

import { useQuery } from "@tanstack/react-query";
import { Globe, SearchX } from "lucide-react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { LinkButton } from "@/components/ui/button";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Badge } from "@/components/ui/status";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { Domain, DomainQuery } from "@/lib/domain/sending-domains/schema";
import { AddDomain } from "./add-domain";
import { DomainStatus } from "./domain-status";

/** `3 of 3 found`: required records alone; what is optional is no one's homework. */
function recordsFound({ builtIn, records }: Domain): string {
  if (builtIn) return "none needed";
  const required = records.filter((record) => record.required);
  const found = required.filter(({ status }) => status === "VERIFIED");
  return `${found.length} of ${required.length} found`;
}

/** A page of the project's domains; keeps itself up to date while DNS is being waited for. */
export function DomainList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/domains">;
  query: DomainQuery;
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const list = useQuery({
    queryKey: ["domains", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/domains", { query }, { signal }),
    initialData: initial,
    refetchInterval: 10_000,
  });
  const { data, nextCursor } = list.data;
  const narrowed = Boolean(query.search || query.status || query.cursor);
  const own = data.filter(({ builtIn }) => !builtIn);
  return (
    <>
      <NotUpToDate error={list.error} what="list">
        It is asked for again every few seconds.
      </NotUpToDate>
      {data.length > 0 && (
        <Table label="Domains">
          <TableHead>
            <HeaderCell>Domain</HeaderCell>
            <HeaderCell>State</HeaderCell>
            <HeaderCell className="max-sm:hidden">DNS records</HeaderCell>
            <HeaderCell className="max-sm:hidden">Last looked up</HeaderCell>
            <HeaderCell className="max-sm:hidden">Added</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((domain) => (
              <Row key={domain.id}>
                <Cell>
                  <span className="flex items-center gap-2">
                    <RowLink href={path(`domains/${domain.id}`)}>{domain.name}</RowLink>
                    {domain.builtIn && <Badge>built in</Badge>}
                  </span>
                </Cell>
                <Cell>
                  <DomainStatus domain={domain} />
                </Cell>
                <Cell className="whitespace-nowrap text-soft max-sm:hidden">
                  {recordsFound(domain)}
                </Cell>
                <Cell className="text-soft max-sm:hidden">
                  {domain.builtIn ? "–" : <RelativeTime value={domain.checkedAt} />}
                </Cell>
                <Cell className="text-soft max-sm:hidden">
                  <RelativeTime value={domain.createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {data.length === 0 && narrowed && (
        <EmptyState
          icon={SearchX}
          title="No domain matches"
          action={<LinkButton href={path("domains")}>Show all domains</LinkButton>}
        >
          The project has none that fits.
        </EmptyState>
      )}
      {own.length === 0 && !narrowed && (
        <EmptyState icon={Globe} title="Send from your own name" action={<AddDomain />}>
          Receivers believe mail whose domain vouches for it. Add yours, publish three DNS records,
          and your mail is signed with a key that only you hold.
        </EmptyState>
      )}
      <Pagination
        firstHref={query.cursor ? pageHref(path("domains"), query, null) : null}
        nextHref={nextCursor ? pageHref(path("domains"), query, nextCursor) : null}
      />
    </>
  );
}
