"use client";

import { useMemo, useState } from "react";
import { starterSample } from "@/components/templates/starter";
import { readSample, usePreview } from "@/components/templates/use-preview";
import { MailFrame } from "@/components/message-viewer/mail-frame";
import { Facts } from "@/components/ui/description-list";
import { Section } from "@/components/ui/page-header";
import { Switch } from "@/components/ui/toggle";
import { ExactTime } from "@/components/ui/relative-time";
import { Tabs } from "@/components/ui/tabs";
import type { AbTestSettings } from "@/lib/domain/ab-tests/schema";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { withClickMap } from "./click-map";
import { testWords } from "./timing-words";
import { variantName } from "./variants";

/** One mail of a campaign, with its placeholders. */
export interface ShownMail {
  subject: string;
  previewText: string;
  fromName: string;
  html: string | null;
}

const sample = JSON.stringify(readSample(starterSample));
const choice = (value: boolean | null) =>
  value === null ? "as set for the domain" : value ? "yes" : "no";

/** What it says, variant by variant, who it is from and who it is for. */
export function CampaignDetails({
  campaign,
  abTest,
  mails,
  audience,
}: {
  campaign: CampaignProgress;
  abTest: AbTestSettings | null;
  mails: readonly ShownMail[];
  audience: string;
}) {
  const { stats, abTestResult } = campaign;
  const hasClicks = stats.links.some(({ uniqueClicks }) => uniqueClicks > 0);
  const [showsClicks, setShowsClicks] = useState(true);
  const [chosen, setChosen] = useState<string>(abTestResult?.winner ?? "A");
  const withClicks = hasClicks && showsClicks;
  const messageOf = (mail: ShownMail) => (
    <Message {...{ campaign, abTest, mail, audience, withClicks }} />
  );
  const [only] = mails;
  return (
    <Section
      title="Message"
      description={
        withClicks
          ? `Each link shows how many people clicked it, and their share of everyone who clicked${mails.length > 1 ? ", whichever variant they got" : ""}.`
          : "As a person called Ada would see it, without the footer."
      }
      actions={
        hasClicks && <Switch label="Show clicks" checked={showsClicks} onChange={setShowsClicks} />
      }
    >
      {mails.length > 1 ? (
        <Tabs
          label="Variants"
          value={chosen}
          onChange={setChosen}
          tabs={mails.map((mail, index) => ({
            value: variantName(index),
            label: `Variant ${variantName(index)}`,
            content: messageOf(mail),
          }))}
        />
      ) : (
        only && messageOf(only)
      )}
    </Section>
  );
}

function Message({
  campaign,
  abTest,
  mail,
  audience,
  withClicks,
}: {
  campaign: CampaignProgress;
  abTest: AbTestSettings | null;
  mail: ShownMail;
  audience: string;
  withClicks: boolean;
}) {
  const { rendered } = usePreview(mail.subject, mail.html ?? "", sample);
  const { utm, stats } = campaign;
  const html = rendered?.html ?? "";
  // Only the browser draws the frame's document.
  const drawn = withClicks && typeof window !== "undefined";
  const shown = useMemo(() => (drawn ? withClickMap(html, stats) : html), [drawn, html, stats]);
  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
      <div className="min-w-0">
        <MailFrame html={shown} title={campaign.name} />
      </div>
      <Facts
        items={[
          { label: "Subject", value: mail.subject },
          ...(mail.previewText ? [{ label: "Preview text", value: mail.previewText }] : []),
          {
            label: "From",
            value: mail.fromName ? `${mail.fromName} <${campaign.from}>` : campaign.from,
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
                      ? `at ${campaign.personalTime.at} in each person’s own time zone`
                      : `when each person usually reads, or at ${campaign.personalTime.at} if that is not known`,
                },
              ]
            : []),
          ...(campaign.sendBefore
            ? [{ label: "Latest time", value: <ExactTime value={campaign.sendBefore} /> }]
            : []),
          { label: "Open tracking", value: choice(campaign.tracking.opens) },
          { label: "Click tracking", value: choice(campaign.tracking.clicks) },
          ...(utm ? [{ label: "UTM", value: Object.values(utm).filter(Boolean).join(" / ") }] : []),
          ...(campaign.startedAt
            ? [{ label: "Started", value: <ExactTime value={campaign.startedAt} /> }]
            : []),
          ...(campaign.finishedAt
            ? [{ label: "Finished", value: <ExactTime value={campaign.finishedAt} /> }]
            : []),
        ]}
      />
    </div>
  );
}
