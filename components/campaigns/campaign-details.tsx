"use client";

import { useMemo, useState } from "react";
import { starterSample } from "@/components/templates/starter";
import { readSample, usePreview } from "@/components/templates/use-preview";
import { MailFrame } from "@/components/message-viewer/mail-frame";
import { Facts } from "@/components/ui/description-list";
import { Section } from "@/components/ui/page-header";
import { Switch } from "@/components/ui/toggle";
import { ExactTime } from "@/components/ui/relative-time";
import type { AbTestSettings } from "@/lib/domain/ab-tests/schema";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { withClickMap } from "./click-map";
import { variantName, waitWords } from "./variants";

const sample = JSON.stringify(readSample(starterSample));
const choice = (value: boolean | null) =>
  value === null ? "as set for the domain" : value ? "yes" : "no";

/** What it says, who it is from and who it is for. */
export function CampaignDetails({
  campaign,
  abTest,
  html,
  audience,
}: {
  campaign: CampaignProgress;
  abTest: AbTestSettings | null;
  html: string;
  audience: string;
}) {
  const { rendered } = usePreview(campaign.subject, html, sample);
  const { utm, stats } = campaign;
  const hasClicks = stats.links.some(({ uniqueClicks }) => uniqueClicks > 0);
  const [showsClicks, setShowsClicks] = useState(true);
  const mail = rendered?.html ?? "";
  // Only the browser draws the frame's document.
  const drawn = hasClicks && showsClicks && typeof window !== "undefined";
  const shown = useMemo(() => (drawn ? withClickMap(mail, stats) : mail), [drawn, mail, stats]);
  return (
    <Section
      title="Message"
      description={
        hasClicks && showsClicks
          ? "With how many people clicked in each link, and their share of all who clicked."
          : "As somebody called Ada would see it, without the footer."
      }
      actions={
        hasClicks && <Switch label="Show clicks" checked={showsClicks} onChange={setShowsClicks} />
      }
    >
      <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="min-w-0">
          <MailFrame html={shown} title={campaign.name} />
        </div>
        <Facts
          items={[
            { label: "Subject", value: campaign.subject },
            ...(abTest?.variants ?? []).slice(1).map(({ subject }, index) => ({
              label: `Subject ${variantName(index + 1)}`,
              value: subject,
            })),
            ...(campaign.previewText
              ? [{ label: "Preview text", value: campaign.previewText }]
              : []),
            {
              label: "From",
              value: campaign.fromName ? `${campaign.fromName} <${campaign.from}>` : campaign.from,
            },
            ...(campaign.replyTo ? [{ label: "Reply to", value: campaign.replyTo }] : []),
            { label: "Audience", value: audience },
            ...(abTest ? [{ label: "A/B test", value: testWords(abTest) }] : []),
            ...(campaign.personalTime
              ? [
                  {
                    label: "Timing",
                    value:
                      campaign.personalTime.mode === "local"
                        ? `at ${campaign.personalTime.at} of each person’s own time`
                        : `when people usually read; at ${campaign.personalTime.at} where that is not known`,
                  },
                ]
              : []),
            ...(campaign.sendBefore
              ? [{ label: "Latest time", value: <ExactTime value={campaign.sendBefore} /> }]
              : []),
            { label: "Open tracking", value: choice(campaign.tracking.opens) },
            { label: "Click tracking", value: choice(campaign.tracking.clicks) },
            ...(utm
              ? [{ label: "UTM", value: Object.values(utm).filter(Boolean).join(" / ") }]
              : []),
            ...(campaign.startedAt
              ? [{ label: "Started", value: <ExactTime value={campaign.startedAt} /> }]
              : []),
            ...(campaign.finishedAt
              ? [{ label: "Finished", value: <ExactTime value={campaign.finishedAt} /> }]
              : []),
          ]}
        />
      </div>
    </Section>
  );
}

const deeds = { opens: "people open", clicks: "people click" } as const;

/** How an A/B test was set up. */
function testWords({ testPercentage, winnerMetric, winnerAfterMinutes }: AbTestSettings): string {
  return `${testPercentage}% of the audience get the variants; after ${waitWords(winnerAfterMinutes)} everybody else gets the one that more ${deeds[winnerMetric]}`;
}
