import type { Metadata } from "next";
import { CreateWebhook } from "@/components/webhooks/create-webhook";
import { WebhookList } from "@/components/webhooks/webhook-list";
import { PageHeader } from "@/components/ui/page-header";
import { pageQuery } from "@/lib/ground/paging/schema";
import { listWebhooks } from "@/lib/domain/webhooks/webhooks";
import { openListPage, type ListPageProps } from "../../list-page";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage(props: ListPageProps) {
  const { query, rows } = await openListPage(props, {
    path: "webhooks",
    schema: pageQuery,
    read: listWebhooks,
  });
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Tell your own programs what happens, as it happens. Calls are signed, and retried until they are answered."
        actions={<CreateWebhook />}
      />
      <WebhookList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
