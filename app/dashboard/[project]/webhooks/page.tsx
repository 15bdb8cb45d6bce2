import type { Metadata } from "next";
import { CreateWebhook } from "@/components/webhooks/create-webhook";
import { WebhookList } from "@/components/webhooks/webhook-list";
import { PageHeader } from "@/components/ui/page-header";
import { pageQuery } from "@/lib/ground/paging/schema";
import { listWebhooks } from "@/lib/domain/webhooks/webhooks";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Webhooks") };
}

export default async function WebhooksPage(props: ListPageProps) {
  const { query, rows } = await openListPage(props, {
    path: "webhooks",
    schema: pageQuery,
    read: listWebhooks,
  });
  return (
    <>
      <PageHeader
        title={t("Webhooks")}
        description={t(
          "Tell your own programs what happens, as it happens. Calls are signed, and retried until they are answered.",
        )}
        actions={<CreateWebhook />}
      />
      <WebhookList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
