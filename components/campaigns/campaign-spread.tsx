"use client";

import { useRead } from "@/components/api/use-read";
import type { Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { shareBase } from "@/components/ui/delivered-words";
import { Figure } from "@/components/ui/description-list";
import { people, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { hoursBetween } from "./spread-hours";

const bars: readonly Bar<"sent" | "waiting">[] = [
  { key: "sent", label: "Sent", fill: "var(--color-ink)", swatch: "bg-ink" },
  { key: "waiting", label: "Still due", fill: "var(--color-accent)", swatch: "bg-accent" },
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
      title="At each person’s hour"
      description={
        campaign.personalTime?.mode === "reader"
          ? `When each person usually reads; everybody else at ${campaign.personalTime.at} in their own time zone.`
          : `At ${campaign.personalTime?.at ?? ""} in each person’s own time zone.`
      }
    >
      <NotUpToDate of={reading} title="The hours could not be loaded" />
      {(reading.data || !reading.error) && (
        <ChartFigure
          title="Emails by hour"
          description="Emails that have gone out, and those still due."
          unit="Emails"
          bars={bars}
          buckets={hoursBetween(reading.data?.hours ?? [])}
          width="hour"
          stacked
          pending={!reading.data}
          empty="Nothing is due yet."
        />
      )}
      {comparison && (
        <>
          <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-7 sm:grid-cols-4">
            <Group label="At their own hour" {...comparison.ownHour} base={shareBase(comparison)} />
            <Group label="Control group" {...comparison.control} base={shareBase(comparison)} />
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
  base,
}: {
  label: string;
  people: number;
  openRate: number;
  base: string;
}) {
  return (
    <Figure
      label={label}
      value={percent(openRate)}
      note={`of ${base} opened, ${people(sent)} sent to`}
    />
  );
}
