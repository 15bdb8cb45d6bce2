import type { Metadata } from "next";
import { InboundList } from "@/components/inbound/inbound-list";
import { SearchFilter } from "@/components/list-page/search-filter";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { listInbound } from "@/lib/domain/inbound/read";
import { inboundQuery } from "@/lib/domain/inbound/schema";
import { openListPage, type ListPageProps } from "../../list-page";

export const metadata: Metadata = { title: "Inbound" };

export default async function InboundPage(props: ListPageProps) {
  const { project, query, rows } = await openListPage(props, {
    path: "inbound",
    schema: inboundQuery,
    read: listInbound,
  });
  return (
    <>
      <PageHeader
        title="Inbound"
        description="Mail that came in at your domains. It is kept for 90 days."
        actions={<LinkButton href={`/dashboard/${project.id}/inbound/routes`}>Routes</LinkButton>}
      />
      <SearchFilter of="Messages" label="Search by address, name or subject" value={query.search} />
      <InboundList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
