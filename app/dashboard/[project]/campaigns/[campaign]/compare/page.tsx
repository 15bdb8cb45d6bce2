import type { Metadata } from "next";
import { CampaignComparison } from "@/components/campaigns/campaign-comparison";
import { compareCampaigns } from "@/lib/domain/campaigns/compare";
import { comparisonQuery } from "@/lib/domain/campaigns/compare-schema";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../../found-or-404";
import { openProject } from "../../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Compare campaigns") };
}

export default async function ComparePage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string; campaign: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { project, campaign } = await params;
  const { context } = await openProject(project);
  const { with: others } = await searchParams;
  // Invalid parts of an address are ignored, as in every list's.
  const query = comparisonQuery.safeParse(typeof others === "string" ? { with: others } : {});
  const chosen = query.data?.with ?? [];
  const initial = await foundOr404(compareCampaigns(context, campaign, chosen));
  return <CampaignComparison key={chosen.join()} id={campaign} initial={initial} chosen={chosen} />;
}
