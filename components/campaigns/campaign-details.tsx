"use client";

import { History } from "lucide-react";
import { useMemo, useState } from "react";
import { starterSample } from "@/components/templates/starter";
import { readSample, usePreview } from "@/components/templates/use-preview";
import { MailFrame } from "@/components/message-viewer/mail-frame";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/deferred";
import { Facts } from "@/components/ui/description-list";
import { Section } from "@/components/ui/page-header";
import { Switch } from "@/components/ui/switch";
import { ExactTime } from "@/components/ui/relative-time";
import { Tabs } from "@/components/ui/tabs";
import type { AbTestSettings } from "@/lib/domain/ab-tests/schema";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { CampaignVersions } from "./campaign-versions";
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
  value === null ? t("as set for the domain") : value ? t("yes") : t("no");

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
  const [showsVersions, setShowsVersions] = useState(false);
  useLoaded(CampaignVersions);
  const [chosen, setChosen] = useState<string>(abTestResult?.winner ?? "A");
  const withClicks = hasClicks && showsClicks;
  const messageOf = (mail: ShownMail) => (
    <Message {...{ campaign, abTest, mail, audience, withClicks }} />
  );
  const [only] = mails;
  return (
    <Section
      title={t("Message")}
      description={
        !withClicks
          ? t("As a person called Ada would see it, without the footer.")
          : mails.length > 1
            ? t(
                "Each link shows how many people clicked it, and their share of everyone who clicked, whichever variant they got.",
              )
            : t(
                "Each link shows how many people clicked it, and their share of everyone who clicked.",
              )
      }
      actions={
        <>
          {hasClicks && (
            <Switch label={t("Show clicks")} checked={showsClicks} onChange={setShowsClicks} />
          )}
          <Button size="sm" onClick={() => setShowsVersions(true)}>
            <History aria-hidden /> {t("Versions")}
          </Button>
        </>
      }
    >
      {mails.length > 1 ? (
        <Tabs
          label={t("Variants")}
          value={chosen}
          onChange={setChosen}
          tabs={mails.map((mail, index) => ({
            value: variantName(index),
            label: t("Variant {name}", { name: variantName(index) }),
            content: messageOf(mail),
          }))}
        />
      ) : (
        only && messageOf(only)
      )}
      {showsVersions && (
        <CampaignVersions campaign={campaign} onClose={() => setShowsVersions(false)} />
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
          { label: t("Subject"), value: mail.subject },
          ...(mail.previewText ? [{ label: t("Preview text"), value: mail.previewText }] : []),
          {
            label: t("From"),
            value: mail.fromName ? `${mail.fromName} <${campaign.from}>` : campaign.from,
          },
          ...(campaign.replyTo ? [{ label: t("Reply to"), value: campaign.replyTo }] : []),
          { label: t("Audience"), value: audience },
          ...(abTest ? [{ label: t("A/B test"), value: testWords(abTest) }] : []),
          ...(campaign.personalTime
            ? [
                {
                  label: t("Timing"),
                  value:
                    campaign.personalTime.mode === "local"
                      ? t("at {time} in each person’s own time zone", {
                          time: campaign.personalTime.at,
                        })
                      : t("when each person usually reads, or at {time} if that is not known", {
                          time: campaign.personalTime.at,
                        }),
                },
              ]
            : []),
          ...(campaign.sendBefore
            ? [{ label: t("Latest time"), value: <ExactTime value={campaign.sendBefore} /> }]
            : []),
          { label: t("Open tracking"), value: choice(campaign.tracking.opens) },
          { label: t("Click tracking"), value: choice(campaign.tracking.clicks) },
          ...(utm ? [{ label: "UTM", value: Object.values(utm).filter(Boolean).join(" / ") }] : []),
          ...(campaign.startedAt
            ? [{ label: t("Started"), value: <ExactTime value={campaign.startedAt} /> }]
            : []),
          ...(campaign.finishedAt
            ? [{ label: t("Finished"), value: <ExactTime value={campaign.finishedAt} /> }]
            : []),
        ]}
      />
    </div>
  );
}
