import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { WebhookView } from "@/components/webhooks/webhook-view";
import { isAppError } from "@/lib/ground/errors";
import { listDeliveries } from "@/lib/domain/webhooks/deliveries";
import { deliveryQuery } from "@/lib/domain/webhooks/schema";
import { getWebhook } from "@/lib/domain/webhooks/webhooks";
import { readQuery, type SearchParams } from "../../../search-params";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Webhook" };

export default async function WebhookPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string; webhook: string }>;
  searchParams: SearchParams;
}) {
  const { project: id, webhook } = await params;
  const { project, context } = await openProject(id);
  const query = await readQuery(deliveryQuery, searchParams);
  const [found, deliveries] = await Promise.all([
    getWebhook(context, webhook),
    listDeliveries(context, webhook, query),
  ]).catch((error: unknown) => {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    if (isAppError(error) && error.code === "VALIDATION_ERROR") {
      redirect(`/dashboard/${project.id}/webhooks/${webhook}`);
    }
    throw error;
  });
  return (
    <WebhookView
      key={JSON.stringify(query)}
      initial={found}
      deliveries={deliveries}
      query={query}
    />
  );
}
