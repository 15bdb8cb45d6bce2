"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { CapturedFigures } from "@/components/captured/nothing-leaves";
import type { Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { deliveredFigure } from "@/components/ui/delivered-words";
import { Figure } from "@/components/ui/description-list";
import { FigureLink } from "@/components/ui/figure-link";
import { count, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { bucketsOf } from "@/lib/domain/campaigns/activity-schema";
import type { LogEvent } from "@/lib/domain/emails/terms";
import { t } from "@/lib/ground/texts/t";
import { CampaignBreakdown } from "./campaign-breakdown";
import { notSentNote, rateNote, recipientsNote } from "./recipient-words";

/** The bars of an hour or day, side by side. */
const bars = (): readonly Bar<"opened" | "clicked">[] => [
  { key: "opened", label: t("Opened"), swatch: "bg-ink" },
  { key: "clicked", label: t("Clicked"), swatch: "bg-accent" },
];

/** How a campaign did: figures, opens and clicks over time, links. */
export function CampaignResults({ campaign }: { campaign: CampaignProgress }) {
  const { stats } = campaign;
  // The same base as the rates: what was settled and did not fail.
  const handedOver = Math.max(stats.sent, stats.recipients - stats.pending - stats.failed);
  const path = useProjectPath();
  const mail = (event?: LogEvent) =>
    path(`emails?campaignId=${campaign.id}${event ? `&event=${event}` : ""}`);
  /** A figure of nobody leads nowhere. */
  const who = (event: LogEvent, number: number) => (number > 0 ? mail(event) : undefined);
  return (
    <>
      <Section title={t("Results")}>
        {/* Of one that was sent with a test key, the top of the page says so. */}
        {!campaign.test && <CapturedFigures />}
        <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-4">
          <Figure
            label={t("Recipients")}
            value={count(stats.recipients)}
            note={recipientsNote(campaign)}
            href={stats.recipients > 0 ? mail() : undefined}
          />
          <Figure
            label={t("Delivered")}
            {...deliveredFigure({ ...stats, sent: handedOver })}
            href={who("delivered", stats.delivered)}
          />
          <Figure
            label={t("Opened")}
            value={count(stats.opened)}
            href={who("opened", stats.opened)}
            note={
              stats.machineOpens > 0
                ? t("{share}, plus {automatic} automatic", {
                    share: rateNote(stats.openRate, stats),
                    automatic: count(stats.machineOpens),
                  })
                : rateNote(stats.openRate, stats)
            }
          />
          <Figure
            label={t("Clicked")}
            value={count(stats.clicked)}
            href={who("clicked", stats.clicked)}
            note={
              stats.machineClicks > 0
                ? t("{share}, plus {automatic} automatic", {
                    share: rateNote(stats.clickRate, stats),
                    automatic: count(stats.machineClicks),
                  })
                : rateNote(stats.clickRate, stats)
            }
          />
        </dl>
        <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-5 border-t pt-5 sm:grid-cols-4">
          <Figure
            minor
            label={t("Bounced")}
            value={count(stats.bounced)}
            href={who("bounced", stats.bounced)}
            note={t("{percent} of sent", { percent: percent(stats.bounceRate) })}
          />
          <Figure
            minor
            label={t("Complaints")}
            value={count(stats.complained)}
            href={who("complained", stats.complained)}
            note={rateNote(stats.complaintRate, stats)}
          />
          <Figure
            minor
            label={t("Unsubscribed")}
            value={count(stats.unsubscribed)}
            href={who("unsubscribed", stats.unsubscribed)}
            note={rateNote(stats.unsubscribeRate, stats)}
          />
          <Figure
            minor
            label={t("Not sent")}
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
        title={
          activity.data ? t("This chart is out of date") : t("Opens and clicks could not be loaded")
        }
      />
      {(activity.data || !activity.error) && (
        <ChartFigure
          title={hourly ? t("Opens and clicks by hour") : t("Opens and clicks by day")}
          description={t("Each person is counted once.")}
          unit={t("People")}
          bars={bars()}
          buckets={buckets}
          width={width}
          pending={!activity.data}
          empty={t("Nobody has opened it yet.")}
        />
      )}
    </div>
  );
}

function Links({ campaign }: { campaign: CampaignProgress }) {
  const { links, clicked } = campaign.stats;
  const path = useProjectPath();
  const mail = (link: string) =>
    path(`emails?${new URLSearchParams({ campaignId: campaign.id, link }).toString()}`);
  const most = Math.max(1, ...links.map(({ uniqueClicks }) => uniqueClicks));
  return (
    <Section title={t("Links")}>
      <Table label={t("Links")} className="table-fixed">
        <TableHead>
          <HeaderCell>{t("Address")}</HeaderCell>
          <HeaderCell className="w-24 text-right!">{t("People")}</HeaderCell>
          <HeaderCell className="w-24 text-right! max-sm:hidden">{t("Share")}</HeaderCell>
          <HeaderCell className="w-24 text-right! max-sm:hidden">{t("Clicks")}</HeaderCell>
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
              <Cell className="text-right">
                <FigureLink href={link.uniqueClicks > 0 ? mail(link.url) : undefined}>
                  {count(link.uniqueClicks)}
                </FigureLink>
              </Cell>
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
