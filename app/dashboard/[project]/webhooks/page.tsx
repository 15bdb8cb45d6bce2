import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { CreateWebhook } from "@/components/webhooks/create-webhook";
import { WebhookList } from "@/components/webhooks/webhook-list";
import { PageHeader } from "@/components/ui/page-header";
import { isAppError } from "@/lib/ground/errors";
import { pageQuery } from "@/lib/ground/paging/schema";
import { listWebhooks } from "@/lib/domain/webhooks/webhooks";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(pageQuery, searchParams);
  const webhooks = await listWebhooks(context, query).catch((error: unknown) => {
    // A cursor of another list: the list from its start.
    if (isAppError(error) && error.code === "VALIDATION_ERROR") {
      redirect(`/dashboard/${project.id}/webhooks`);
    }
    throw error;
  });
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Tell a program of yours what happens, as it happens. Each call is signed, and made again until it is answered."
        actions={<CreateWebhook />}
      />
      <WebhookList key={JSON.stringify(query)} initial={webhooks} query={query} />
    </>
  );
}
