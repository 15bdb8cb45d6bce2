import type { Metadata } from "next";
import { CampaignFilters } from "@/components/campaigns/campaign-filters";
import { CampaignList } from "@/components/campaigns/campaign-list";
import { CreateCampaign } from "@/components/campaigns/create-campaign";
import { PageHeader } from "@/components/ui/page-header";
import { listCampaigns } from "@/lib/domain/campaigns/campaigns";
import { campaignQuery } from "@/lib/domain/campaigns/schema";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Campaigns" };

export default async function CampaignsPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { context } = await openProject((await params).project);
  const query = await readQuery(campaignQuery, searchParams);
  const campaigns = await listCampaigns(context, query);
  return (
    <>
      <PageHeader
        title="Campaigns"
        description="One message to many, and what came of it."
        actions={<CreateCampaign />}
      />
      <CampaignFilters query={query} />
      <CampaignList key={JSON.stringify(query)} initial={campaigns} query={query} />
    </>
  );
}
