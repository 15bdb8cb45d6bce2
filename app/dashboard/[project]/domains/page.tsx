import type { Metadata } from "next";
import { AddDomain } from "@/components/domains/add-domain";
import { DomainList } from "@/components/domains/domain-list";
import { PageHeader } from "@/components/ui/page-header";
import { listDomains } from "@/lib/domains/domains";
import { pageQuery } from "@/lib/paging/schema";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Domains" };

export default async function DomainsPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { context } = await openProject((await params).project);
  const asked = pageQuery.safeParse(await searchParams);
  const query = asked.success ? asked.data : pageQuery.parse({});
  const domains = await listDomains(context, query);
  return (
    <>
      <PageHeader
        title="Domains"
        description="The names your mail comes from, and the DNS records that vouch for it."
        actions={<AddDomain />}
      />
      <DomainList key={query.cursor} initial={domains} cursor={query.cursor} />
    </>
  );
}
