"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import type { Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { deliveredFigure, shareBase } from "@/components/ui/delivered-words";
import { Figure } from "@/components/ui/description-list";
import { count, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { bucketsOf } from "@/lib/domain/campaigns/activity-schema";
import type { LogEvent } from "@/lib/domain/emails/schema";
import { CampaignBreakdown } from "./campaign-breakdown";
import { notSentNote, recipientsNote } from "./recipient-words";

/** The bars of an hour or day, side by side. */
const bars: readonly Bar<"opened" | "clicked">[] = [
  { key: "opened", label: "Opened", fill: "var(--color-ink)", swatch: "bg-ink" },
  { key: "clicked", label: "Clicked", fill: "var(--color-accent)", swatch: "bg-accent" },
];

/** How a campaign did: figures, opens and clicks over time, links. */
export function CampaignResults({ campaign }: { campaign: CampaignProgress }) {
  const { stats } = campaign;
  // The same base as the rates: what was settled and did not fail.
  const handedOver = Math.max(stats.sent, stats.recipients - stats.pending - stats.failed);
  const base = shareBase(stats);
  const path = useProjectPath();
  const mail = (event?: LogEvent) =>
    path(`emails?campaignId=${campaign.id}${event ? `&event=${event}` : ""}`);
  /** A figure of nobody leads nowhere. */
  const who = (event: LogEvent, number: number) => (number > 0 ? mail(event) : undefined);
  return (
    <>
      <Section title="Results">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-4">
          <Figure
            label="Recipients"
            value={count(stats.recipients)}
            note={recipientsNote(campaign)}
            href={stats.recipients > 0 ? mail() : undefined}
          />
          <Figure
            label="Delivered"
            {...deliveredFigure({ ...stats, sent: handedOver })}
            href={who("delivered", stats.delivered)}
          />
          <Figure
            label="Opened"
            value={count(stats.opened)}
            href={who("opened", stats.opened)}
            note={
              stats.machineOpens > 0
                ? `${percent(stats.openRate)} of ${base}, plus ${count(stats.machineOpens)} automatic`
                : `${percent(stats.openRate)} of ${base}`
            }
          />
          <Figure
            label="Clicked"
            value={count(stats.clicked)}
            href={who("clicked", stats.clicked)}
            note={
              stats.machineClicks > 0
                ? `${percent(stats.clickRate)} of ${base}, plus ${count(stats.machineClicks)} automatic`
                : `${percent(stats.clickRate)} of ${base}`
            }
          />
        </dl>
        <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-5 border-t pt-5 sm:grid-cols-4">
          <Figure
            minor
            label="Bounced"
            value={count(stats.bounced)}
            href={who("bounced", stats.bounced)}
            note={`${percent(stats.bounceRate)} of sent`}
          />
          <Figure
            minor
            label="Complaints"
            value={count(stats.complained)}
            href={who("complained", stats.complained)}
            note={`${percent(stats.complaintRate)} of ${base}`}
          />
          <Figure
            minor
            label="Unsubscribed"
            value={count(stats.unsubscribed)}
            href={who("unsubscribed", stats.unsubscribed)}
            note={`${percent(stats.unsubscribeRate)} of ${base}`}
          />
          <Figure
            minor
            label="Not sent"
            value={count(stats.failed)}
            href={who("failed", stats.failed)}
            note={notSentNote(campaign)}
          />
        </dl>
      </Section>
      <Activity campaign={campaign} />
      {stats.links.length > 0 && <Links campaign={campaign} />}
      <CampaignBreakdown campaignId={campaign.id} />
    </>
  );
}

function Activity({ campaign }: { campaign: CampaignProgress }) {
  const activity = useRead(
    "GET /v1/campaigns/{id}/activity",
    { params: { id: campaign.id } },
    { every: campaign.status === "SENDING" ? 5_000 : 30_000 },
  );
  const { hourly, buckets } = bucketsOf(activity.data ?? { data: [] });
  const width = hourly ? "hour" : "day";
  return (
    <div className="mt-9">
      <NotUpToDate
        of={activity}
        title={activity.data ? "This chart is out of date" : "Opens and clicks could not be loaded"}
      />
      {(activity.data || !activity.error) && (
        <ChartFigure
          title={`Opens and clicks by ${width}`}
          description="Each person is counted once."
          unit="People"
          bars={bars}
          buckets={buckets}
          width={width}
          pending={!activity.data}
          empty="Nobody has opened it yet."
        />
      )}
    </div>
  );
}

function Links({ campaign }: { campaign: CampaignProgress }) {
  const { links, clicked } = campaign.stats;
  const most = Math.max(1, ...links.map(({ uniqueClicks }) => uniqueClicks));
  return (
    <Section title="Links">
      <Table label="Links" className="table-fixed">
        <TableHead>
          <HeaderCell>Address</HeaderCell>
          <HeaderCell className="w-24 text-right!">People</HeaderCell>
          <HeaderCell className="w-24 text-right! max-sm:hidden">Share</HeaderCell>
          <HeaderCell className="w-24 text-right! max-sm:hidden">Clicks</HeaderCell>
        </TableHead>
        <tbody>
          {links.map((link) => (
            <Row key={link.url}>
              <Cell>
                <a
                  href={link.url}
                  target="_blank"
                  rel="noopener noreferrer"
                  title={link.url}
                  className="block truncate hover:text-accent-ink"
                >
                  {link.url.replace(/^https?:\/\//, "")}
                </a>
                <span aria-hidden className="mt-1 block h-1 bg-sunken">
                  <span
                    className="block h-full bg-accent"
                    style={{ width: `${(link.uniqueClicks / most) * 100}%` }}
                  />
                </span>
              </Cell>
              <Cell className="text-right">{count(link.uniqueClicks)}</Cell>
              <Cell className="text-right text-soft max-sm:hidden">
                {percent(clicked === 0 ? 0 : Math.min(1, link.uniqueClicks / clicked))}
              </Cell>
              <Cell className="text-right text-soft max-sm:hidden">{count(link.clicks)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
