import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AddDomain } from "@/components/domains/add-domain";
import { DomainFilters } from "@/components/domains/domain-filters";
import { DomainList } from "@/components/domains/domain-list";
import { PageHeader } from "@/components/ui/page-header";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { domainQuery } from "@/lib/domain/sending-domains/schema";
import { isAppError } from "@/lib/ground/errors";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Domains" };

export default async function DomainsPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(domainQuery, searchParams);
  const domains = await listDomains(context, query).catch((error: unknown) => {
    // A cursor of another list: the list from its start.
    if (isAppError(error) && error.code === "VALIDATION_ERROR") {
      redirect(`/dashboard/${project.id}/domains`);
    }
    throw error;
  });
  return (
    <>
      <PageHeader
        title="Domains"
        description="The names your mail comes from, and the DNS records that vouch for it."
        actions={<AddDomain />}
      />
      <DomainFilters query={query} />
      <DomainList key={JSON.stringify(query)} initial={domains} query={query} />
    </>
  );
}
