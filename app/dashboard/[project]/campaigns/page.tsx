import { CalendarDays } from "lucide-react";
import type { Metadata } from "next";
import { CampaignFilters } from "@/components/campaigns/campaign-filters";
import { CampaignList } from "@/components/campaigns/campaign-list";
import { campaignColumns } from "@/components/campaigns/columns";
import { CreateCampaign } from "@/components/campaigns/create-campaign";
import { SavedViews } from "@/components/saved-views/saved-views";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { listCampaigns } from "@/lib/domain/campaigns/read";
import { campaignListQuery } from "@/lib/domain/campaigns/schema";
import { listSavedViews } from "@/lib/domain/saved-views/saved-views";
import { t } from "@/lib/ground/texts/t";
import { chosenColumns, openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Campaigns") };
}

export default async function CampaignsPage(props: ListPageProps) {
  const { project, query, rows } = await openListPage(props, {
    path: "campaigns",
    schema: campaignListQuery,
    read: (context, query) =>
      Promise.all([listCampaigns(context, query), listSavedViews(context, { page: "campaigns" })]),
  });
  const [campaigns, views] = rows;
  const columns = await chosenColumns(campaignColumns);
  return (
    <>
      <PageHeader
        title={t("Campaigns")}
        description={t("One message to many people, and how it did.")}
        actions={
          <>
            <LinkButton href={`/dashboard/${project.id}/campaigns/calendar`}>
              <CalendarDays aria-hidden /> {t("Calendar")}
            </LinkButton>
            <CreateCampaign />
          </>
        }
      />
      <SavedViews page="campaigns" query={query} initial={views} />
      <CampaignFilters query={query} views={views} columns={columns} />
      <CampaignList
        key={JSON.stringify(query)}
        initial={campaigns}
        query={query}
        columns={columns}
      />
    </>
  );
}
