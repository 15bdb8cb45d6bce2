"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { messageOf } from "@/components/api/faults";
import { useApi } from "@/components/api/use-api";
import { useProject } from "@/components/api/project-context";
import { Callout } from "@/components/ui/callout";
import { Figure } from "@/components/ui/facts";
import { Section } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { bucketsOf } from "./activity";
import { activitySeries } from "./activity-series";
import { count, percent } from "@/components/ui/numbers";

const ActivityChart = dynamic(() => import("./activity-chart"), {
  ssr: false,
  loading: () => <Skeleton className="h-56" />,
});

/** What came of it: figures, opens and clicks over time, links. */
export function CampaignResults({ campaign }: { campaign: CampaignProgress }) {
  const { stats } = campaign;
  return (
    <>
      <Section title="Results">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-7 sm:grid-cols-4">
          <Figure
            label="Recipients"
            value={count(stats.recipients)}
            note={stats.pending > 0 ? `${count(stats.pending)} still to go` : "all tried"}
          />
          <Figure
            label="Delivered"
            value={count(stats.delivered)}
            note={`${percent(stats.deliveryRate)} of what was handed over`}
          />
          <Figure
            label="Opened"
            value={count(stats.opened)}
            note={
              stats.machineOpens > 0
                ? `${percent(stats.openRate)}, and ${count(stats.machineOpens)} by machines`
                : `${percent(stats.openRate)} of delivered`
            }
          />
          <Figure
            label="Clicked"
            value={count(stats.clicked)}
            note={
              stats.machineClicks > 0
                ? `${percent(stats.clickRate)}, and ${count(stats.machineClicks)} by machines`
                : `${percent(stats.clickRate)} of delivered`
            }
          />
          <Figure label="Bounced" value={count(stats.bounced)} note={percent(stats.bounceRate)} />
          <Figure
            label="Complaints"
            value={count(stats.complained)}
            note={percent(stats.complaintRate)}
          />
          <Figure
            label="Unsubscribed"
            value={count(stats.unsubscribed)}
            note={percent(stats.unsubscribeRate)}
          />
          <Figure
            label="Not sent"
            value={count(stats.failed)}
            note={stats.failed > 0 ? "unsubscribed or suppressed meanwhile, or failed" : "nobody"}
          />
        </dl>
      </Section>
      <Activity campaign={campaign} />
      {stats.links.length > 0 && <Links campaign={campaign} />}
    </>
  );
}

function Activity({ campaign }: { campaign: CampaignProgress }) {
  const { id: projectId } = useProject();
  const api = useApi();
  const query = useQuery({
    queryKey: ["campaigns", projectId, campaign.id, "activity"],
    queryFn: ({ signal }) =>
      api("GET /v1/campaigns/{id}/activity", { params: { id: campaign.id } }, { signal }),
    refetchInterval: campaign.status === "SENDING" ? 5_000 : 30_000,
  });
  if (query.isError && !query.data) {
    return (
      <Section title="Opens and clicks">
        <Callout kind="warning">{messageOf(query.error)}</Callout>
      </Section>
    );
  }
  const { hourly, buckets } = bucketsOf(query.data ?? { data: [] });
  const nothing = buckets.every(({ opened, clicked }) => opened + clicked === 0);
  return (
    <Section
      title={`Opens and clicks by ${hourly ? "hour" : "day"}`}
      description="People, each at their first time."
      actions={
        <span className="flex gap-x-4 text-xs text-soft" aria-hidden>
          {activitySeries.map(({ key, label, swatch }) => (
            <span key={key} className="inline-flex items-center gap-1.5">
              <span className={`size-2.5 rounded-sm ${swatch}`} />
              {label}
            </span>
          ))}
        </span>
      }
    >
      {query.isPending ? (
        <Skeleton className="h-56" />
      ) : nothing ? (
        <p className="border-y border-dashed border-rule-strong py-10 text-center text-sm text-faint">
          Nobody has opened it yet.
        </p>
      ) : (
        <>
          <div aria-hidden className="h-56">
            <ActivityChart buckets={buckets} hourly={hourly} />
          </div>
          <div className="sr-only">
            <table>
              <caption>Opens and clicks</caption>
              <thead>
                <tr>
                  <th scope="col">From</th>
                  <th scope="col">Opened</th>
                  <th scope="col">Clicked</th>
                </tr>
              </thead>
              <tbody>
                {buckets.map(({ at, opened, clicked }) => (
                  <tr key={at}>
                    <th scope="row">{at}</th>
                    <td>{opened}</td>
                    <td>{clicked}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Section>
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
