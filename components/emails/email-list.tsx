"use client";

import { useQuery } from "@tanstack/react-query";
import { SearchX, Send } from "lucide-react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { LinkButton } from "@/components/ui/button";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { EmailQuery, EmailSummary } from "@/lib/domain/emails/schema";
import { isFiltered } from "./email-filters";
import { EmailStatus, sourceWords } from "./email-status";

/** A page of the log; the newest page keeps itself up to date. */
export function EmailList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/emails">;
  query: EmailQuery;
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const emails = useQuery({
    queryKey: ["emails", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/emails", { query }, { signal }),
    initialData: initial,
    refetchInterval: query.cursor ? 60_000 : 5_000,
  });
  const { data, nextCursor } = emails.data;
  return (
    <>
      <NotUpToDate error={emails.error} what="list">
        It is asked for again every few seconds.
      </NotUpToDate>
      {data.length === 0 ? (
        <Nothing query={query} />
      ) : (
        <Table label="Emails" className="table-fixed">
          <TableHead>
            <HeaderCell>To and subject</HeaderCell>
            <HeaderCell className="w-28 sm:w-32">Status</HeaderCell>
            <HeaderCell className="w-32 max-md:hidden">Source</HeaderCell>
            <HeaderCell className="w-20 text-right! max-lg:hidden">Opens</HeaderCell>
            <HeaderCell className="w-20 text-right! max-lg:hidden">Clicks</HeaderCell>
            <HeaderCell className="w-36 text-right! max-sm:hidden">Accepted</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((email) => (
              <EmailRow key={email.id} email={email} href={path(`emails/${email.id}`)} />
            ))}
          </tbody>
        </Table>
      )}
      <Pagination
        firstHref={query.cursor ? pageHref(path("emails"), query, null) : null}
        nextHref={nextCursor ? pageHref(path("emails"), query, nextCursor) : null}
      />
    </>
  );
}

function EmailRow({ email, href }: { email: EmailSummary; href: string }) {
  const count = (number: number) =>
    number > 0 ? number.toLocaleString("en") : <span className="text-faint">–</span>;
  return (
    <Row>
      <Cell>
        <RowLink href={href} className="block truncate">
          {email.contact?.email ?? <span className="text-faint italic">deleted contact</span>}
        </RowLink>
        <span className="block truncate text-soft">{email.subject || "(no subject)"}</span>
      </Cell>
      <Cell>
        <EmailStatus status={email.status} />
        <span className="mt-0.5 block text-xs text-faint sm:hidden">
          <RelativeTime value={email.createdAt} />
        </span>
      </Cell>
      <Cell className="text-soft max-md:hidden">{sourceWords[email.source]}</Cell>
      <Cell className="text-right max-lg:hidden">{count(email.opens)}</Cell>
      <Cell className="text-right max-lg:hidden">{count(email.clicks)}</Cell>
      <Cell className="text-right text-soft max-sm:hidden">
        <RelativeTime value={email.createdAt} />
      </Cell>
    </Row>
  );
}

function Nothing({ query }: { query: EmailQuery }) {
  const path = useProjectPath();
  if (isFiltered(query) || query.cursor) {
    return (
      <EmptyState
        icon={SearchX}
        title="No email matches"
        action={<LinkButton href={path("emails")}>Show all emails</LinkButton>}
      >
        Nothing was accepted that fits every filter. Days are whole days in UTC.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Send}
      title="No email yet"
      action={
        <>
          <LinkButton href={path()} variant="primary">
            Send the first one
          </LinkButton>
          <LinkButton href={path("api-keys")}>API keys</LinkButton>
        </>
      }
    >
      Whatever is sent, over HTTP or SMTP, stands here a moment later: one line for each recipient,
      with everything that happened to it.
    </EmptyState>
  );
}
