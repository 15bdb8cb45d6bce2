"use client";

import { useQuery } from "@tanstack/react-query";
import { ScrollText, SearchX } from "lucide-react";
import { useState } from "react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useProjectPath } from "@/components/api/project-context";
import { pageHref, useFilters } from "@/components/list/use-filters";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/page-header";
import { Pagination } from "@/components/list/pagination";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import { EmptyState } from "@/components/list/empty-state";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { webhookDeliveryStatuses } from "@/db/enums";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { DeliveryQuery, Webhook, WebhookDelivery } from "@/lib/domain/webhooks/schema";
import { DeliveryDialog } from "./delivery-dialog";
import { DeliveryStatus, deliveryWords } from "./webhook-status";

const statuses = [
  { value: "", label: "Any state" },
  ...webhookDeliveryStatuses.map((status) => ({ value: status, label: deliveryWords[status] })),
];

function answerWords({ responseStatus, error, attempts }: WebhookDelivery): string {
  if (responseStatus !== null) return `HTTP ${responseStatus}`;
  return error ?? (attempts === 0 ? "Not called yet" : "No answer");
}

/** What the endpoint was called with, newest first. */
export function DeliveryLog({
  webhook,
  initial,
  query,
}: {
  webhook: Webhook;
  initial: ApiAnswer<"GET /v1/webhooks/{id}/deliveries">;
  query: DeliveryQuery;
}) {
  const api = useApi();
  const path = useProjectPath()(`webhooks/${webhook.id}`);
  const { set, clear, pending } = useFilters();
  const [shown, setShown] = useState<WebhookDelivery | null>(null);
  const list = useQuery({
    queryKey: ["webhook-deliveries", webhook.id, query],
    queryFn: ({ signal }) =>
      api("GET /v1/webhooks/{id}/deliveries", { params: { id: webhook.id }, query }, { signal }),
    initialData: initial,
    refetchInterval: 5_000,
  });
  const { data, nextCursor } = list.data;
  const narrowed = Boolean(query.status ?? query.cursor);
  return (
    <Section
      title="Deliveries"
      description="Of the last 30 days."
      actions={
        <div role="search" aria-label="Deliveries" aria-busy={pending}>
          <Select
            label="State"
            options={statuses}
            value={query.status ?? ""}
            onChange={(status) => set({ status })}
            className="w-40!"
          />
        </div>
      }
    >
      <NotUpToDate error={list.error} what="list">
        It is asked for again every few seconds.
      </NotUpToDate>
      {data.length === 0 && narrowed ? (
        <EmptyState
          icon={SearchX}
          title="No delivery matches"
          action={<Button onClick={clear}>Show all deliveries</Button>}
        >
          There is none in this state.
        </EmptyState>
      ) : data.length === 0 ? (
        <EmptyState icon={ScrollText} title="Nothing delivered yet">
          Each event shows here with what was sent, what came back, and when it is tried again. A
          test event is the quickest way to see one.
        </EmptyState>
      ) : (
        <Table label="Deliveries">
          <TableHead>
            <HeaderCell>Event</HeaderCell>
            <HeaderCell>State</HeaderCell>
            <HeaderCell className="max-sm:hidden">Answer</HeaderCell>
            <HeaderCell className="max-sm:hidden">Tries</HeaderCell>
            <HeaderCell>When</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((delivery) => (
              <Row key={delivery.id} className="hover:bg-hover">
                <Cell>
                  <button
                    type="button"
                    onClick={() => setShown(delivery)}
                    className="cursor-pointer text-left font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                  >
                    {delivery.event}
                  </button>
                </Cell>
                <Cell>
                  <DeliveryStatus status={delivery.status} />
                </Cell>
                <Cell className="text-soft max-sm:hidden">{answerWords(delivery)}</Cell>
                <Cell className="text-soft tabular-nums max-sm:hidden">{delivery.attempts}</Cell>
                <Cell className="whitespace-nowrap text-soft">
                  <RelativeTime value={delivery.createdAt} />
                </Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      <Pagination
        firstHref={query.cursor ? pageHref(path, query, null) : null}
        nextHref={nextCursor ? pageHref(path, query, nextCursor) : null}
      />
      {shown && <DeliveryDialog initial={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}
