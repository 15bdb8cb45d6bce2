"use client";

import { ScrollText } from "lucide-react";
import { useState } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { useFilters } from "@/components/list-page/use-filters";
import { Section } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { webhookDeliveryStatuses } from "@/db/enums";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { DeliveryQuery, Webhook, WebhookDelivery } from "@/lib/domain/webhooks/schema";
import { t } from "@/lib/ground/texts/t";
import { DeliveryDialog } from "./delivery-dialog";
import { DeliveryStatus, deliveryWords } from "./webhook-status";

const statuses = () => [
  { value: "", label: t("Any status") },
  ...webhookDeliveryStatuses.map((status) => ({ value: status, label: deliveryWords[status] })),
];

function answerWords({ responseStatus, error, attempts }: WebhookDelivery): string {
  if (responseStatus !== null) return `HTTP ${responseStatus}`;
  return error ?? (attempts === 0 ? t("Not called yet") : t("No response"));
}

/** What the endpoint was called with, newest first. */
export function DeliveryLog({
  webhook,
  initial,
  history,
  query,
}: {
  webhook: Webhook;
  initial: ApiAnswer<"GET /v1/webhooks/{id}/deliveries">;
  /** Where it ends; empty: nowhere. */
  history: string;
  query: DeliveryQuery;
}) {
  const path = useProjectPath();
  const { set, pending } = useFilters();
  const [shown, setShown] = useState<WebhookDelivery | null>(null);
  const list = useRead(
    "GET /v1/webhooks/{id}/deliveries",
    { params: { id: webhook.id }, query },
    { initial, every: 5_000 },
  );
  return (
    <Section
      title={t("Deliveries")}
      description={history}
      actions={
        <div role="search" aria-label={t("Deliveries")} aria-busy={pending}>
          <Select
            label={t("Status")}
            options={statuses()}
            value={query.status ?? ""}
            onChange={(status) => set({ status })}
            className="w-40!"
          />
        </div>
      }
    >
      <ListPage
        list={list}
        href={path(`webhooks/${webhook.id}`)}
        query={query}
        noMatch={{
          title: t("No delivery matches"),
          hint: t("No delivery has this status."),
          showAll: t("Show all deliveries"),
        }}
        empty={
          <EmptyState icon={ScrollText} title={t("Nothing delivered yet")}>
            {t(
              "Each event appears here with what was sent, what came back, and when it will be tried again. Send a test event to see one.",
            )}
          </EmptyState>
        }
      >
        {(deliveries) => (
          <Table label={t("Deliveries")}>
            <TableHead>
              <HeaderCell>{t("Event")}</HeaderCell>
              <HeaderCell>{t("Status")}</HeaderCell>
              <HeaderCell className="max-sm:hidden">{t("Response")}</HeaderCell>
              <HeaderCell className="max-sm:hidden">{t("Attempts")}</HeaderCell>
              <HeaderCell>{t("Date")}</HeaderCell>
            </TableHead>
            <tbody>
              {deliveries.map((delivery) => (
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
      </ListPage>
      {shown && <DeliveryDialog initial={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}
