"use client";

import { Megaphone } from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SortHeader } from "@/components/list-page/sort-header";
import { shareBase } from "@/components/ui/delivered-words";
import { count, people, percent } from "@/components/ui/numbers";
import { Progress } from "@/components/ui/progress";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { CampaignQuery, CampaignSummary } from "@/lib/domain/campaigns/schema";
import { CampaignStatus } from "./campaign-status";
import { CreateCampaign } from "./create-campaign";

const sending = ({ status }: CampaignSummary) => status === "SENDING";

/** A page of campaigns, with the results of each. */
export function CampaignList({
  initial,
  query,
}: {
  initial: ApiAnswer<"GET /v1/campaigns">;
  query: CampaignQuery;
}) {
  const path = useProjectPath();
  const list = useRead(
    "GET /v1/campaigns",
    { query },
    { initial, every: (page) => (page?.data.some(sending) ? 3_000 : 30_000) },
  );
  return (
    <ListPage
      list={list}
      href={path("campaigns")}
      query={query}
      noMatch={{
        title: "No campaign matches",
        hint: "No campaign has this status and these words in its name or subject.",
        showAll: "Show all campaigns",
      }}
      empty={
        <EmptyState
          icon={Megaphone}
          title="No campaigns yet"
          action={<CreateCampaign label="Write your first campaign" />}
        >
          A campaign is one message to everyone who wants your mail, or to a segment or list. You
          see who would get it before you send it, and how it does once it is out.
        </EmptyState>
      }
    >
      {(campaigns) => (
        <Table label="Campaigns" className="table-fixed">
          <TableHead>
            <SortHeader
              {...{ href: path("campaigns"), query, byDefault: "-createdAt" }}
              up="name"
              down="-name"
              first="up"
            >
              Campaign
            </SortHeader>
            <HeaderCell className="w-36">Status</HeaderCell>
            <HeaderCell className="w-28 text-right! max-sm:hidden">Recipients</HeaderCell>
            {["Opened", "Clicked"].map((rate) => (
              <HeaderCell key={rate} className="w-24 text-right! max-md:hidden">
                {rate} <Base name={commonBase(campaigns)} />
              </HeaderCell>
            ))}
            <HeaderCell className="w-36 text-right! max-lg:hidden">Date</HeaderCell>
          </TableHead>
          <tbody>
            {campaigns.map((campaign) => (
              <CampaignRow
                key={campaign.id}
                campaign={campaign}
                href={path(`campaigns/${campaign.id}`)}
                withBase={commonBase(campaigns) === null}
              />
            ))}
          </tbody>
        </Table>
      )}
    </ListPage>
  );
}

function CampaignRow({
  campaign,
  href,
  withBase,
}: {
  campaign: CampaignSummary;
  href: string;
  withBase: boolean;
}) {
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
        {hasReaders(campaign) && <NarrowResults stats={stats} />}
        {status === "SCHEDULED" && campaign.scheduledAt && (
          <span className="block text-xs text-soft lg:hidden">
            <ExactTime value={campaign.scheduledAt} seconds={false} />
          </span>
        )}
      </Cell>
      <Cell>
        <CampaignStatus status={status} abTestPhase={campaign.abTestPhase} />
        {(status === "SENDING" || status === "PAUSED") && stats.recipients > 0 && (
          <div className="mt-1.5 max-w-24">
            <Progress label={`${campaign.name}: progress`} value={done / stats.recipients} />
          </div>
        )}
      </Cell>
      <Cell className="text-right max-sm:hidden">
        {started ? count(stats.recipients) : <Dash />}
      </Cell>
      <ReaderRate {...{ stats, withBase }} rate={stats.openRate} readers={stats.opened} />
      <ReaderRate {...{ stats, withBase }} rate={stats.clickRate} readers={stats.clicked} />
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

/** The rates where the window has no room for their columns. */
function NarrowResults({ stats }: Pick<CampaignSummary, "stats">) {
  return (
    <span className="block text-xs text-soft md:hidden">
      {percent(stats.openRate)} opened, {percent(stats.clickRate)} clicked
    </span>
  );
}

const hasReaders = ({ stats }: Pick<CampaignSummary, "stats">) => stats.sent > stats.bounced;

/** What the rates of these campaigns are shares of; null: campaigns beside each other differ in it. */
function commonBase(campaigns: readonly CampaignSummary[]): string | null {
  const [base = null, ...others] = new Set(
    campaigns.filter(hasReaders).map(({ stats }) => shareBase(stats)),
  );
  return others.length > 0 ? null : base;
}

function Base({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <span className="block text-xs font-normal tracking-normal text-faint normal-case">
      of {name}
    </span>
  );
}

function ReaderRate({
  stats,
  rate,
  readers,
  withBase,
}: {
  stats: CampaignSummary["stats"];
  rate: number;
  readers: number;
  withBase: boolean;
}) {
  return (
    <Cell className="text-right max-md:hidden" title={people(readers)}>
      {hasReaders({ stats }) ? (
        <>
          {percent(rate)} <Base name={withBase ? shareBase(stats) : null} />
        </>
      ) : (
        <Dash />
      )}
    </Cell>
  );
}

function Dash() {
  return (
    <span className="text-faint" aria-label="nothing yet">
      –
    </span>
  );
}
