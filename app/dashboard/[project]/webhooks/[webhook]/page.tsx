import type { Metadata } from "next";
import { WebhookView } from "@/components/webhooks/webhook-view";
import { listDeliveries } from "@/lib/domain/webhooks/deliveries";
import { deliveryQuery } from "@/lib/domain/webhooks/schema";
import { getWebhook } from "@/lib/domain/webhooks/webhooks";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { historyEnds } from "@/lib/domain/retention/words";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import { openListPage, type ListPageProps } from "../../../list-page";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Webhook") };
}

export default async function WebhookPage(props: ListPageProps<{ webhook: string }>) {
  const { project, webhook: id } = await props.params;
  const { context } = await openProject(project);
  const webhook = await foundOr404(getWebhook(context, id));
  const { query, rows } = await openListPage(props, {
    path: `webhooks/${webhook.id}`,
    schema: deliveryQuery,
    read: (_, query) => listDeliveries(context, webhook.id, query),
  });
  const { retention } = await getProjectSettings(context);
  return (
    <WebhookView
      key={JSON.stringify(query)}
      initial={webhook}
      deliveries={rows}
      history={historyEnds(retention.webhookDeliveries)}
      query={query}
    />
  );
}
