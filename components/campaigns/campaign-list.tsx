"use client";

import { useQuery } from "@tanstack/react-query";
import { Megaphone, SearchX } from "lucide-react";
import { NotUpToDate } from "@/components/list/not-up-to-date";
import { useApi } from "@/components/api/use-api";
import { useProject, useProjectPath } from "@/components/api/project-context";
import { pageHref } from "@/components/list/use-filters";
import { LinkButton } from "@/components/ui/button";
import { Pagination } from "@/components/list/pagination";
import { Progress } from "@/components/ui/progress";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { EmptyState } from "@/components/list/empty-state";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { CampaignQuery, CampaignSummary } from "@/lib/domain/campaigns/schema";
import { CampaignStatus } from "./campaign-status";
import { CreateCampaign } from "./create-campaign";
import { count, people, percent } from "@/components/ui/numbers";

const running = ({ status }: CampaignSummary) => status === "SENDING";

/** A page of the campaigns, newest first, with what came of them. */
export function CampaignList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/campaigns">;
  query: CampaignQuery;
}) {
  const { id } = useProject();
  const api = useApi();
  const path = useProjectPath();
  const list = useQuery({
    queryKey: ["campaigns", id, "list", query],
    queryFn: ({ signal }) => api("GET /v1/campaigns", { query }, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) => (state.data?.data.some(running) ? 3_000 : 30_000),
  });
  const { data, nextCursor } = list.data;
  return (
    <>
      <NotUpToDate error={list.error} what="list">
        It is asked for again by itself.
      </NotUpToDate>
      {data.length > 0 && (
        <Table label="Campaigns" className="table-fixed">
          <TableHead>
            <HeaderCell>Campaign</HeaderCell>
            <HeaderCell className="w-32">State</HeaderCell>
            <HeaderCell className="w-28 text-right! max-sm:hidden">Recipients</HeaderCell>
            <HeaderCell className="w-24 text-right! max-md:hidden">Opened</HeaderCell>
            <HeaderCell className="w-24 text-right! max-md:hidden">Clicked</HeaderCell>
            <HeaderCell className="w-36 text-right! max-lg:hidden">When</HeaderCell>
          </TableHead>
          <tbody>
            {data.map((campaign) => (
              <CampaignRow
                key={campaign.id}
                campaign={campaign}
                href={path(`campaigns/${campaign.id}`)}
              />
            ))}
          </tbody>
        </Table>
      )}
      {data.length === 0 && <Nothing query={query} />}
      <Pagination
        firstHref={query.cursor ? pageHref(path("campaigns"), query, null) : null}
        nextHref={nextCursor ? pageHref(path("campaigns"), query, nextCursor) : null}
      />
    </>
  );
}

function CampaignRow({ campaign, href }: { campaign: CampaignSummary; href: string }) {
  const { stats, status } = campaign;
  const started = campaign.startedAt !== null;
  const done = stats.recipients - stats.pending;
  return (
    <Row>
      <Cell>
        <RowLink href={href} className="block truncate">
          {campaign.name}
        </RowLink>
        <span className="block truncate text-soft">
          {campaign.subject || <span className="text-faint">No subject yet</span>}
        </span>
      </Cell>
      <Cell>
        <CampaignStatus status={status} />
        {(status === "SENDING" || status === "PAUSED") && stats.recipients > 0 && (
          <div className="mt-1.5 max-w-24">
            <Progress label={`${campaign.name}: progress`} value={done / stats.recipients} />
          </div>
        )}
      </Cell>
      <Cell className="text-right max-sm:hidden">
        {started ? count(stats.recipients) : <Dash />}
      </Cell>
      <Cell className="text-right max-md:hidden" title={people(stats.opened)}>
        {stats.delivered > 0 ? percent(stats.openRate) : <Dash />}
      </Cell>
      <Cell className="text-right max-md:hidden" title={people(stats.clicked)}>
        {stats.delivered > 0 ? percent(stats.clickRate) : <Dash />}
      </Cell>
      <Cell className="text-right text-soft max-lg:hidden">
        {status === "SCHEDULED" && campaign.scheduledAt ? (
          <span className="text-xs">
            <ExactTime value={campaign.scheduledAt} seconds={false} />
          </span>
        ) : (
          <RelativeTime value={campaign.startedAt ?? campaign.updatedAt} />
        )}
      </Cell>
    </Row>
  );
}

function Dash() {
  return (
    <span className="text-faint" aria-label="nothing yet">
      –
    </span>
  );
}

function Nothing({ query }: { query: CampaignQuery }) {
  const path = useProjectPath();
  return query.search || query.status || query.cursor ? (
    <EmptyState
      icon={SearchX}
      title="No campaign matches"
      action={<LinkButton href={path("campaigns")}>Show all campaigns</LinkButton>}
    >
      None of the project’s campaigns is in this state and has this in its name or subject.
    </EmptyState>
  ) : (
    <EmptyState
      icon={Megaphone}
      title="No campaign yet"
      action={<CreateCampaign label="Write the first one" />}
    >
      A campaign is one message to everybody who wants your mail, a segment of them or a list. You
      see who would get it before it goes out, and what came of it while it does.
    </EmptyState>
  );
}
