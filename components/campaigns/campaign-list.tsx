"use client";

import { Megaphone } from "lucide-react";
import type { ReactNode } from "react";
import { useMay, useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { nameWidth } from "@/components/list-page/columns";
import { EmptyState } from "@/components/list-page/empty-state";
import { ListPage } from "@/components/list-page/list-page";
import { SelectCell, SelectPageCell } from "@/components/list-page/select-cells";
import { SortHeader } from "@/components/list-page/sort-header";
import { useSelection } from "@/components/list-page/use-selection";
import { percent } from "@/components/ui/numbers";
import { Progress } from "@/components/ui/progress";
import { ExactTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell, Row, RowLink, Table, TableHead } from "@/components/ui/table";
import type { ApiAnswer } from "@/lib/doors/http/client";
import type { CampaignQuery, CampaignSummary } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { CampaignActions } from "./campaign-actions";
import { CampaignCell, CampaignHeader, commonBase, hasReaders } from "./campaign-cells";
import { CampaignStatus } from "./campaign-status";
import { campaignColumns, isOfReaders, type CampaignColumn } from "./columns";
import { CreateCampaign } from "./create-campaign";

const sending = ({ status }: CampaignSummary) => status === "SENDING";

/** A page of campaigns, with the results of each. */
export function CampaignList({
  initial,
  query,
  columns,
}: {
  initial: ApiAnswer<"GET /v1/campaigns">;
  query: CampaignQuery;
  /** What the reader wants to see of each. */
  columns: readonly CampaignColumn[];
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
      {(campaigns) => <CampaignTable campaigns={campaigns} query={query} columns={columns} />}
    </ListPage>
  );
}

function CampaignTable({
  campaigns,
  query,
  columns,
}: {
  campaigns: readonly CampaignSummary[];
  query: CampaignQuery;
  columns: readonly CampaignColumn[];
}) {
  const path = useProjectPath();
  const may = useMay("editor");
  const selection = useSelection(campaigns, ({ id }) => id);
  const base = commonBase(campaigns);
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
          <SortHeader
            {...sorting}
            up="name"
            down="-name"
            first="up"
            className={nameWidth(campaignColumns, columns)}
          >
            {t("Campaign")}
          </SortHeader>
          <HeaderCell className="w-36">{t("Status")}</HeaderCell>
          {columns.map((column) => (
            <CampaignHeader key={column} {...{ column, base, sorting }} />
          ))}
        </TableHead>
        <tbody>
          {campaigns.map((campaign) => (
            <CampaignRow
              key={campaign.id}
              campaign={campaign}
              href={path(`campaigns/${campaign.id}`)}
              columns={columns}
              withBase={base === null}
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
  columns,
  withBase,
  select,
}: {
  campaign: CampaignSummary;
  href: string;
  columns: readonly CampaignColumn[];
  withBase: boolean;
  /** The cell of its checkbox, for those who may use it. */
  select: ReactNode;
}) {
  const { stats, status } = campaign;
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
        {hasReaders(campaign) && columns.some(isOfReaders) && <NarrowResults stats={stats} />}
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
      {columns.map((column) => (
        <CampaignCell key={column} {...{ column, campaign, withBase }} />
      ))}
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
