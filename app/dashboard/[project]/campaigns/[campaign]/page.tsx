import type { Metadata } from "next";
import { CampaignView } from "@/components/campaigns/campaign-view";
import { Composer } from "@/components/campaigns/composer";
import { getCampaign, getCampaignProgress } from "@/lib/domain/campaigns/read";
import { getCampaignMails } from "@/lib/domain/campaigns/sent-mails";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";
import { audienceWords, composerOptions } from "./options";

export function generateMetadata(): Metadata {
  return { title: t("Campaign") };
}

export default async function CampaignPage({
  params,
}: {
  params: Promise<{ project: string; campaign: string }>;
}) {
  const { project, campaign: id } = await params;
  const { session, context } = await openProject(project);
  const campaign = await foundOr404(getCampaign(context, id));
  if (campaign.status === "DRAFT") {
    const options = await composerOptions(context, session.user.email);
    return <Composer key={`${campaign.id} draft`} initial={campaign} options={options} />;
  }
  const [progress, mails, audience] = await Promise.all([
    foundOr404(getCampaignProgress(context, id)),
    foundOr404(getCampaignMails(context, id)),
    audienceWords(context, campaign),
  ]);
  return (
    <CampaignView
      key={`${campaign.id} ${campaign.updatedAt}`}
      initial={progress}
      abTest={campaign.abTest}
      mails={mails}
      audience={audience}
    />
  );
}
