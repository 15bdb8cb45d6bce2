"use client";

import { useQuery } from "@tanstack/react-query";
import { Inbox, SearchX } from "lucide-react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { formatBytes } from "@/components/message-viewer/format-bytes";
import { LinkButton } from "@/components/ui/button";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer, ApiInput } from "@/lib/doors/http/client";

type Query = NonNullable<ApiInput<"GET /v1/captured">["query"]>;

/** A page of the captured mailbox; the newest page keeps itself up to date. */
export function CapturedList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/captured">;
  query: Query;
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const messages = useQuery({
    queryKey: ["captured", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/captured", { query }, { signal }),
    initialData: initial,
    refetchInterval: query.cursor ? 60_000 : 5_000,
  });
  const { data, nextCursor } = messages.data;
  const filters = { search: query.search };
  return (
    <>
      <NotUpToDate error={messages.error} what="list">
        It is asked for again every few seconds.
      </NotUpToDate>
      {data.length === 0 ? (
        <Nothing searched={Boolean(query.search ?? query.cursor)} />
      ) : (
        <Table label="Captured messages" className="table-fixed">
          <TableHead>
            <HeaderCell>Message</HeaderCell>
            <HeaderCell className="w-72 max-lg:hidden">To</HeaderCell>
            <HeaderCell className="w-20 text-right! max-md:hidden">Size</HeaderCell>
            <HeaderCell className="w-28 text-right! sm:w-36">Captured</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((message) => (
              <Row key={message.id}>
                <Cell>
                  <RowLink href={path(`captured/${message.id}`)} className="block truncate">
                    {message.subject || "(no subject)"}
                  </RowLink>
                  <span className="block truncate text-soft max-lg:hidden">
                    {message.from.name || message.from.email}
                  </span>
                  <span className="block truncate text-soft lg:hidden">to {message.to}</span>
                </Cell>
                <Cell className="truncate text-soft max-lg:hidden">{message.to}</Cell>
                <Cell className="text-right text-soft max-md:hidden">
                  {formatBytes(message.size)}
                </Cell>
                <Cell className="text-right text-soft">
                  <RelativeTime value={message.createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      <Pagination
        firstHref={query.cursor ? pageHref(path("captured"), filters, null) : null}
        nextHref={nextCursor ? pageHref(path("captured"), filters, nextCursor) : null}
      />
    </>
  );
}

function Nothing({ searched }: { searched: boolean }) {
  const { capturing } = useProject();
  const path = useProjectPath();
  if (searched) {
    return (
      <EmptyState
        icon={SearchX}
        title="No message matches"
        action={<LinkButton href={path("captured")}>Show all messages</LinkButton>}
      >
        Neither an address nor a subject holds these words.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Inbox}
      title="Nothing was captured yet"
      action={
        <>
          <LinkButton href={path()} variant="primary">
            Send a first email
          </LinkButton>
          <LinkButton href={path("api-keys")}>API keys</LinkButton>
        </>
      }
    >
      {capturing
        ? "No mail leaves this installation: all of it ends here, whole, as the recipient would have got it."
        : "Mail that is sent with a test key, from or to sandbox.test, ends here instead of in a real mailbox."}
    </EmptyState>
  );
}
