"use client";

import { Webhook as WebhookIcon } from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { PageQuery } from "@/lib/ground/paging/schema";
import { t } from "@/lib/ground/texts/t";
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
  const path = useProjectPath();
  const list = useRead("GET /v1/webhooks", { query }, { initial, every: 30_000 });
  return (
    <ListPage
      list={list}
      href={path("webhooks")}
      query={query}
      noMatch={{
        title: t("No webhooks on this page"),
        hint: t("There are no older webhooks."),
        showAll: t("Show all webhooks"),
      }}
      empty={
        <EmptyState
          icon={WebhookIcon}
          title={t("No webhooks yet")}
          action={<CreateWebhook again />}
        >
          {t(
            "A webhook tells your own program what happens here: an email bounced, a contact unsubscribed, a campaign was sent. It is called within a second, and called again until it answers.",
          )}
        </EmptyState>
      }
    >
      {(webhooks) => (
        <Table label={t("Webhooks")}>
          <TableHead>
            <HeaderCell>{t("Address")}</HeaderCell>
            <HeaderCell className="max-sm:hidden">{t("Events")}</HeaderCell>
            <HeaderCell>{t("Status")}</HeaderCell>
            <HeaderCell className="max-sm:hidden">{t("Added")}</HeaderCell>
          </TableHead>
          <tbody>
            {webhooks.map((webhook) => (
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
    </ListPage>
  );
}
