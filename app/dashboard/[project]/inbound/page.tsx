import type { Metadata } from "next";
import { InboundList } from "@/components/inbound/inbound-list";
import { SearchFilter } from "@/components/list-page/search-filter";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { listInbound } from "@/lib/domain/inbound/read";
import { inboundQuery } from "@/lib/domain/inbound/schema";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { historyEnds } from "@/lib/domain/retention/words";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Inbound") };
}

export default async function InboundPage(props: ListPageProps) {
  const { context, project, query, rows } = await openListPage(props, {
    path: "inbound",
    schema: inboundQuery,
    read: listInbound,
  });
  const { retention } = await getProjectSettings(context);
  return (
    <>
      <PageHeader
        title={t("Inbound")}
        description={t("Mail that came in at your domains.") + historyEnds(retention.received)}
        actions={
          <LinkButton href={`/dashboard/${project.id}/inbound/routes`}>{t("Routes")}</LinkButton>
        }
      />
      <SearchFilter
        of={t("Messages")}
        label={t("Search by address, name or subject")}
        value={query.search}
      />
      <InboundList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
