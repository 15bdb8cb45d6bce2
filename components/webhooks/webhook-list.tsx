"use client";

import { useQuery } from "@tanstack/react-query";
import { Webhook as WebhookIcon } from "lucide-react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { PageQuery } from "@/lib/ground/paging/schema";
import { CreateWebhook } from "./create-webhook";
import { eventsInWords } from "./event-groups";
import { WebhookStatus } from "./webhook-status";

/** The project's endpoints. */
export function WebhookList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/webhooks">;
  query: PageQuery;
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const list = useQuery({
    queryKey: ["webhooks", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/webhooks", { query }, { signal }),
    initialData: initial,
    refetchInterval: 30_000,
  });
  const { data, nextCursor } = list.data;
  return (
    <>
      <NotUpToDate error={list.error} what="list">
        It is asked for again every few seconds.
      </NotUpToDate>
      {data.length === 0 ? (
        <EmptyState icon={WebhookIcon} title="No webhook yet" action={<CreateWebhook />}>
          A webhook tells a program of yours what happens here: an email bounced, a contact left, a
          campaign is out. It is called within a second, and again until it answers.
        </EmptyState>
      ) : (
        <Table label="Webhooks">
          <TableHead>
            <HeaderCell>Address</HeaderCell>
            <HeaderCell className="max-sm:hidden">Told of</HeaderCell>
            <HeaderCell>State</HeaderCell>
            <HeaderCell className="max-sm:hidden">Added</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((webhook) => (
              <Row key={webhook.id}>
                <Cell>
                  <RowLink href={path(`webhooks/${webhook.id}`)} className="wrap-anywhere">
                    {webhook.url}
                  </RowLink>
                </Cell>
                <Cell className="text-soft max-sm:hidden">{eventsInWords(webhook.events)}</Cell>
                <Cell>
                  <WebhookStatus webhook={webhook} />
                </Cell>
                <Cell className="whitespace-nowrap text-soft max-sm:hidden">
                  <RelativeTime value={webhook.createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      <Pagination
        firstHref={query.cursor ? path("webhooks") : null}
        nextHref={nextCursor ? pageHref(path("webhooks"), query, nextCursor) : null}
      />
    </>
  );
}
