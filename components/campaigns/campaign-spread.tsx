"use client";

import { useRead } from "@/components/api/use-read";
import type { Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Figure } from "@/components/ui/description-list";
import { people, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { hoursBetween } from "./spread-hours";

const bars = (): readonly Bar<"sent" | "waiting">[] => [
  { key: "sent", label: t("Sent"), swatch: "bg-ink" },
  { key: "waiting", label: t("Still due"), swatch: "bg-accent" },
];

/** The hours over which a campaign with personal times is spread, and whether those times helped. */
export function CampaignSpread({ campaign }: { campaign: CampaignProgress }) {
  const reading = useRead(
    "GET /v1/campaigns/{id}/spread",
    { params: { id: campaign.id } },
    { every: campaign.status === "SENDING" ? 10_000 : 60_000 },
  );
  const comparison = reading.data?.comparison;
  return (
    <Section
      title={t("At each person’s hour")}
      description={
        campaign.personalTime?.mode === "reader"
          ? t("When each person usually reads; everybody else at {time} in their own time zone.", {
              time: campaign.personalTime.at,
            })
          : t("At {time} in each person’s own time zone.", {
              time: campaign.personalTime?.at ?? "",
            })
      }
    >
      <NotUpToDate of={reading} title={t("The hours could not be loaded")} />
      {(reading.data || !reading.error) && (
        <ChartFigure
          title={t("Emails by hour")}
          description={t("Emails that have gone out, and those still due.")}
          unit={t("Emails")}
          bars={bars()}
          buckets={hoursBetween(reading.data?.hours ?? [])}
          width="hour"
          stacked
          pending={!reading.data}
          empty={t("Nothing is due yet.")}
        />
      )}
      {comparison && (
        <>
          <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-7 sm:grid-cols-4">
            <Group
              label={t("At their own hour")}
              {...comparison.ownHour}
              isDelivered={comparison.deliveryConfirmed}
            />
            <Group
              label={t("Control group")}
              {...comparison.control}
              isDelivered={comparison.deliveryConfirmed}
            />
          </dl>
          <p className="mt-3 text-sm text-soft">{comparison.sentence}</p>
        </>
      )}
    </Section>
  );
}

function Group({
  label,
  people: sent,
  openRate,
  isDelivered,
}: {
  label: string;
  people: number;
  openRate: number;
  /** The rate is a share of what was delivered. */
  isDelivered: boolean;
}) {
  return (
    <Figure
      label={label}
      value={percent(openRate)}
      note={
        isDelivered
          ? t("of delivered opened, {people} sent to", { people: people(sent) })
          : t("of accepted opened, {people} sent to", { people: people(sent) })
      }
    />
  );
}
