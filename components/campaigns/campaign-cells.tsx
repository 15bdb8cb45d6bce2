import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { SortHeader } from "@/components/list-page/sort-header";
import { deliveredShare } from "@/components/ui/delivered-words";
import { count, people, percent } from "@/components/ui/numbers";
import { ExactTime, RelativeTime } from "@/components/ui/relative-time";
import { Cell, HeaderCell } from "@/components/ui/table";
import type { CampaignSummary } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { campaignColumns, isOfReaders, type CampaignColumn, type ReaderColumn } from "./columns";

type Stats = CampaignSummary["stats"];

/** Of the head its width; of cells, too, where there is no room for them. */
const looks: Record<CampaignColumn, { width: string; className: string }> = {
  from: { width: "w-44", className: "max-md:hidden" },
  recipients: { width: "w-28", className: "text-right! max-sm:hidden" },
  sent: { width: "w-24", className: "text-right! max-md:hidden" },
  delivered: { width: "w-28", className: "text-right! max-md:hidden" },
  opened: { width: "w-24", className: "text-right! max-md:hidden" },
  clicked: { width: "w-24", className: "text-right! max-md:hidden" },
  bounced: { width: "w-28", className: "text-right! max-md:hidden" },
  complained: { width: "w-28", className: "text-right! max-md:hidden" },
  unsubscribed: { width: "w-32", className: "text-right! max-md:hidden" },
  failed: { width: "w-24", className: "text-right! max-md:hidden" },
  date: { width: "w-36", className: "text-right! max-lg:hidden" },
};

const readerRates = {
  opened: "openRate",
  clicked: "clickRate",
  complained: "complaintRate",
  unsubscribed: "unsubscribeRate",
} as const satisfies Record<ReaderColumn, keyof Stats>;

export const hasReaders = ({ stats }: Pick<CampaignSummary, "stats">) => stats.sent > stats.bounced;

/** Whether the rates of these campaigns are shares of what was delivered; null: campaigns beside each other differ in it. */
export function commonBase(campaigns: readonly CampaignSummary[]): boolean | null {
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

export function CampaignHeader({
  column,
  base,
  sorting,
}: {
  column: CampaignColumn;
  /** See commonBase. */
  base: boolean | null;
  sorting: Pick<ComponentProps<typeof SortHeader>, "href" | "query" | "byDefault">;
}) {
  const look = clsx(looks[column].width, looks[column].className);
  const name = campaignColumns.words[column];
  if (column === "date") {
    return (
      <SortHeader {...sorting} up="date" down="-date" first="down" className={look}>
        {name}
      </SortHeader>
    );
  }
  return (
    <HeaderCell className={look}>
      {name} {isOfReaders(column) && <Base isDelivered={base} />}
    </HeaderCell>
  );
}

export function CampaignCell({
  column,
  campaign,
  withBase,
}: {
  column: CampaignColumn;
  campaign: CampaignSummary;
  /** Says what a rate is a share of, since the head does not. */
  withBase: boolean;
}) {
  const { stats } = campaign;
  const { className } = looks[column];
  if (column === "from") {
    return (
      <Cell className={clsx("text-soft", className)}>
        <span className="block truncate" title={campaign.from}>
          {campaign.from || <Dash />}
        </span>
      </Cell>
    );
  }
  if (column === "date") {
    return (
      <Cell className={clsx("text-soft", className)}>
        <CampaignDate campaign={campaign} />
      </Cell>
    );
  }
  const isShare = column === "delivered" || column === "bounced" || isOfReaders(column);
  return (
    <Cell className={className} {...(isShare && { title: people(stats[column]) })}>
      {isOfReaders(column) ? (
        <ReaderRate {...{ stats, column, withBase }} />
      ) : (
        figure(column, campaign)
      )}
    </Cell>
  );
}

function ReaderRate({
  stats,
  column,
  withBase,
}: {
  stats: Stats;
  column: ReaderColumn;
  withBase: boolean;
}) {
  if (!hasReaders({ stats })) return <Dash />;
  return (
    <>
      {percent(stats[readerRates[column]])}{" "}
      <Base isDelivered={withBase ? stats.deliveryConfirmed : null} />
    </>
  );
}

/** Of what does not depend on whether deliveries are confirmed; bounced and delivered are shares of what was sent. */
function figure(
  column: Exclude<CampaignColumn, ReaderColumn | "from" | "date">,
  { stats, startedAt }: CampaignSummary,
): ReactNode {
  if (startedAt === null) return <Dash />;
  if (column === "delivered") return deliveredShare(stats);
  if (column !== "bounced") return count(stats[column]);
  return stats.sent > 0 ? percent(stats.bounceRate) : <Dash />;
}

function CampaignDate({ campaign }: { campaign: CampaignSummary }) {
  if (campaign.status !== "SCHEDULED" || !campaign.scheduledAt) {
    return <RelativeTime value={campaign.startedAt ?? campaign.updatedAt} />;
  }
  return (
    <span className="text-xs">
      <ExactTime value={campaign.scheduledAt} seconds={false} />
    </span>
  );
}

function Dash() {
  return (
    <span className="text-faint" aria-label={t("nothing yet")}>
      –
    </span>
  );
}
