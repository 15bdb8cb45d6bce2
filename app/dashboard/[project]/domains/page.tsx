import type { Metadata } from "next";
import { AddDomain } from "@/components/domains/add-domain";
import { DomainFilters } from "@/components/domains/domain-filters";
import { DomainList } from "@/components/domains/domain-list";
import { PageHeader } from "@/components/ui/page-header";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { domainListQuery } from "@/lib/domain/sending-domains/schema";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Domains") };
}

export default async function DomainsPage(props: ListPageProps) {
  const { query, rows } = await openListPage(props, {
    path: "domains",
    schema: domainListQuery,
    read: listDomains,
  });
  return (
    <>
      <PageHeader
        title={t("Domains")}
        description={t(
          "The domains you send from, and the DNS records that authenticate your mail.",
        )}
        actions={<AddDomain />}
      />
      <DomainFilters query={query} />
      <DomainList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
