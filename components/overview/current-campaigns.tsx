"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { CampaignStatus } from "@/components/campaigns/campaign-status";
import { progressWords } from "@/components/campaigns/recipient-words";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { CampaignSummary } from "@/lib/domain/campaigns/schema";
import { currentCampaigns } from "@/lib/domain/overview/terms";
import { t } from "@/lib/ground/texts/t";

type Campaigns = ApiAnswer<"GET /v1/campaigns">;

const every = (page: Campaigns | undefined) => (page?.data.length ? 3_000 : 15_000);

/** Campaigns being sent or paused, with how far each has come. Nothing if there are none. */
export function CurrentCampaigns({ sending, paused }: { sending: Campaigns; paused: Campaigns }) {
  const path = useProjectPath();
  const nowSending = useRead(
    "GET /v1/campaigns",
    { query: currentCampaigns.sending },
    { initial: sending, every },
  );
  const nowPaused = useRead(
    "GET /v1/campaigns",
    { query: currentCampaigns.paused },
    { initial: paused, every },
  );
  const campaigns = [...nowSending.data.data, ...nowPaused.data.data];
  if (campaigns.length === 0) return null;
  return (
    <Section title={t("Campaigns in progress")}>
      <ul>
        {campaigns.map((campaign) => (
          <CurrentCampaign
            key={campaign.id}
            campaign={campaign}
            href={path(`campaigns/${campaign.id}`)}
          />
        ))}
      </ul>
    </Section>
  );
}

function CurrentCampaign({ campaign, href }: { campaign: CampaignSummary; href: string }) {
  const { name, status, audienceComplete, stats } = campaign;
  const { recipients, pending } = stats;
  return (
    <li className="relative grid items-center gap-x-6 gap-y-2 border-b py-3 last:border-b-0 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_9rem_12rem_minmax(10rem,auto)]">
      <Link href={href} className="truncate text-sm font-medium after:absolute after:inset-0">
        {name}
      </Link>
      <span>
        <CampaignStatus status={status} abTestPhase={campaign.abTestPhase} />
      </span>
      <Progress
        label={t("{name}: progress", { name })}
        value={audienceComplete && recipients > 0 ? (recipients - pending) / recipients : null}
      />
      <span className="text-sm text-soft sm:text-right">{progressWords(campaign)}</span>
    </li>
  );
}
