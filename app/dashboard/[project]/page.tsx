import type { Metadata } from "next";
import { cookies } from "next/headers";
import { OverviewView } from "@/components/overview/overview-view";
import { RangeTabs } from "@/components/overview/range-tabs";
import { parseSetUpView, setUpCookie } from "@/components/overview/set-up-view";
import { PageHeader } from "@/components/ui/page-header";
import { listCampaigns } from "@/lib/domain/campaigns/read";
import { listGoals } from "@/lib/domain/goals/goals";
import { getOverview } from "@/lib/domain/overview/overview";
import { overviewQuery } from "@/lib/domain/overview/schema";
import { currentCampaigns } from "@/lib/domain/overview/terms";
import { onReplica } from "@/lib/ground/replica";
import { t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../search-params";
import { openProject } from "../session";

export function generateMetadata(): Metadata {
  return { title: t("Overview") };
}

export default async function OverviewPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(overviewQuery, searchParams);
  const [overview, goals, sending, paused] = await onReplica(context, (reading) =>
    Promise.all([
      getOverview(reading, query),
      listGoals(reading),
      listCampaigns(reading, currentCampaigns.sending),
      listCampaigns(reading, currentCampaigns.paused),
    ]),
  );
  return (
    <>
      <PageHeader
        title={t("Overview")}
        actions={<RangeTabs current={query.range} path={`/dashboard/${project.id}`} />}
      />
      <OverviewView
        key={query.range}
        initial={overview}
        goals={goals}
        sending={sending}
        paused={paused}
        setUpView={parseSetUpView((await cookies()).get(setUpCookie)?.value)}
      />
    </>
  );
}
