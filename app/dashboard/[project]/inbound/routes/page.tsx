import type { Metadata } from "next";
import { AddRoute, RouteList } from "@/components/inbound/route-list";
import { PageHeader } from "@/components/ui/page-header";
import { listInboundRoutes } from "@/lib/domain/inbound/routes";
import { listWebhooks } from "@/lib/domain/webhooks/webhooks";
import { pageQuery } from "@/lib/ground/paging/schema";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Inbound routes") };
}

export default async function InboundRoutesPage(props: ListPageProps) {
  const { project, context, query, rows } = await openListPage(props, {
    path: "inbound/routes",
    schema: pageQuery,
    read: listInboundRoutes,
  });
  const { data: webhooks } = await listWebhooks(context, { limit: 100 });
  return (
    <>
      <PageHeader
        title={t("Inbound routes")}
        description={t(
          "Which mail goes to which webhook. Of several routes that fit an address, the one that says most decides.",
        )}
        back={{ href: `/dashboard/${project.id}/inbound`, label: t("Inbound") }}
        actions={rows.data.length > 0 && <AddRoute webhooks={webhooks} />}
      />
      <RouteList key={JSON.stringify(query)} initial={rows} query={query} webhooks={webhooks} />
    </>
  );
}
