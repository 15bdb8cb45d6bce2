"use client";

import { Megaphone } from "lucide-react";
import type { ReactNode } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectCell, SelectPageCell } from "@/components/list-page/select-cells";
import { SortHeader } from "@/components/list-page/sort-header";
import { useSelection } from "@/components/list-page/use-selection";
import { count, people, percent } from "@/components/ui/numbers";
import { Progress } from "@/components/ui/progress";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { CampaignQuery, CampaignSummary } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { CampaignActions } from "./campaign-actions";
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
        title: t("No campaign matches"),
        hint: t("No campaign has this status and these words in its name or subject."),
        showAll: t("Show all campaigns"),
      }}
      empty={
        <EmptyState
          icon={Megaphone}
          title={t("No campaigns yet")}
          action={<CreateCampaign label={t("Write your first campaign")} again />}
        >
          {t(
            "A campaign is one message to everyone who wants your mail, or to a segment or list. You see who would get it before you send it, and how it does once it is out.",
          )}
        </EmptyState>
      }
    >
      {(campaigns) => <CampaignTable campaigns={campaigns} query={query} />}
    </ListPage>
  );
}

function CampaignTable({
  campaigns,
  query,
}: {
  campaigns: readonly CampaignSummary[];
  query: CampaignQuery;
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const selection = useSelection(campaigns, ({ id }) => id);
  const sorting = { href: path("campaigns"), query, byDefault: "-createdAt" };
  return (
    <>
      {may && <CampaignActions chosen={selection.chosen} onDone={selection.clear} />}
      <Table label={t("Campaigns")} className="table-fixed">
        <TableHead>
          {may && (
            <SelectPageCell
              label={t("Select all campaigns on this page")}
              wholePage={selection.wholePage}
              some={selection.chosen.length > 0}
              onChange={selection.choosePage}
            />
          )}
          <SortHeader {...sorting} up="name" down="-name" first="up">
            {t("Campaign")}
          </SortHeader>
          <HeaderCell className="w-36">{t("Status")}</HeaderCell>
          <HeaderCell className="w-28 text-right! max-sm:hidden">{t("Recipients")}</HeaderCell>
          {[t("Opened"), t("Clicked")].map((rate, index) => (
            <HeaderCell key={index} className="w-24 text-right! max-md:hidden">
              {rate} <Base isDelivered={commonBase(campaigns)} />
            </HeaderCell>
          ))}
          <SortHeader
            {...sorting}
            up="date"
            down="-date"
            first="down"
            className="w-36 text-right! max-lg:hidden"
          >
            {t("Date")}
          </SortHeader>
        </TableHead>
        <tbody>
          {campaigns.map((campaign) => (
            <CampaignRow
              key={campaign.id}
              campaign={campaign}
              href={path(`campaigns/${campaign.id}`)}
              withBase={commonBase(campaigns) === null}
              select={
                may && (
                  <SelectCell
                    label={t("Select {name}", { name: campaign.name })}
                    checked={selection.has(campaign.id)}
                    onChange={(on) => selection.choose([campaign.id], on)}
                  />
                )
              }
            />
          ))}
        </tbody>
      </Table>
    </>
  );
}

function CampaignRow({
  campaign,
  href,
  withBase,
  select,
}: {
  campaign: CampaignSummary;
  href: string;
  withBase: boolean;
  /** The cell of its checkbox, for those who may use it. */
  select: ReactNode;
}) {
  const { stats, status } = campaign;
  const started = campaign.startedAt !== null;
  const done = stats.recipients - stats.pending;
  return (
    <Row>
      {select}
      <Cell>
        <RowLink href={href} className="block truncate">
          {campaign.name}
        </RowLink>
        <span className="block truncate text-soft">
          {campaign.subject || <span className="text-faint">{t("No subject yet")}</span>}
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
            <Progress
              label={t("{name}: progress", { name: campaign.name })}
              value={done / stats.recipients}
            />
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
      {t("{openRate} opened, {clickRate} clicked", {
        openRate: percent(stats.openRate),
        clickRate: percent(stats.clickRate),
      })}
    </span>
  );
}

const hasReaders = ({ stats }: Pick<CampaignSummary, "stats">) => stats.sent > stats.bounced;

/** Whether the rates of these campaigns are shares of what was delivered; null: campaigns beside each other differ in it. */
function commonBase(campaigns: readonly CampaignSummary[]): boolean | null {
  const [base = null, ...others] = new Set(
    campaigns.filter(hasReaders).map(({ stats }) => stats.deliveryConfirmed),
  );
  return others.length > 0 ? null : base;
}

function Base({ isDelivered }: { isDelivered: boolean | null }) {
  if (isDelivered === null) return null;
  return (
    <span className="block text-xs font-normal tracking-normal text-faint normal-case">
      {isDelivered ? t("of delivered") : t("of accepted")}
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
          {percent(rate)} <Base isDelivered={withBase ? stats.deliveryConfirmed : null} />
        </>
      ) : (
        <Dash />
      )}
    </Cell>
  );
}

function Dash() {
  return (
    <span className="text-faint" aria-label={t("nothing yet")}>
      –
    </span>
  );
}
