/** @jsxImportSource hono/jsx */
import type { FC } from "hono/jsx";
import type { CampaignReport } from "@/lib/domain/campaign-reports/report";
import type { CampaignFigures } from "@/lib/domain/campaigns/stats-schema";
import { amount, finePercent, percent } from "@/lib/ground/amount";

/** What readers' rates are shares of, in a word. */
export const baseOf = ({ deliveryConfirmed }: Pick<CampaignFigures, "deliveryConfirmed">) =>
  deliveryConfirmed ? "delivered" : "accepted";

function deliveryOf({
  sent,
  bounced,
  delivered,
  deliveryConfirmed,
  deliveryRate,
}: CampaignFigures) {
  return deliveryConfirmed
    ? { label: "Delivered", value: amount(delivered), note: `${percent(deliveryRate)} of sent` }
    : {
        label: "Accepted",
        value: amount(Math.max(0, sent - bounced)),
        note: "by mail servers that do not say what became of it",
      };
}

/** The campaign's sums, each rate with what it is a share of. */
export const ReportFigures: FC<{ report: CampaignReport }> = ({ report }) => {
  const { figures, audienceComplete } = report;
  const base = baseOf(figures);
  const machines = (some: number) => (some > 0 ? `, plus ${amount(some)} by machines` : "");
  const shown = [
    {
      label: "Recipients",
      value: amount(figures.recipients),
      note: !audienceComplete
        ? "so far"
        : figures.pending > 0
          ? `${amount(figures.pending)} still waiting`
          : "all processed",
    },
    deliveryOf(figures),
    {
      label: "Opened",
      value: amount(figures.opened),
      note: `${percent(figures.openRate)} of ${base}${machines(figures.machineOpens)}`,
    },
    {
      label: "Clicked",
      value: amount(figures.clicked),
      note: `${percent(figures.clickRate)} of ${base}${machines(figures.machineClicks)}`,
    },
    {
      label: "Unsubscribed",
      value: amount(figures.unsubscribed),
      note: `${percent(figures.unsubscribeRate)} of ${base}`,
    },
    {
      label: "Bounced",
      value: amount(figures.bounced),
      note: `${percent(figures.bounceRate)} of sent`,
    },
    {
      label: "Complained",
      value: amount(figures.complained),
      note: `${finePercent(figures.complaintRate)} of ${base}`,
    },
    ...(figures.failed > 0
      ? [
          {
            label: "Not sent",
            value: amount(figures.failed),
            note: "left or blocked in the meantime",
          },
        ]
      : []),
  ];
  return (
    <dl class="figures">
      {shown.map(({ label, value, note }) => (
        <div>
          <dt>{label}</dt>
          <dd class="value">{value}</dd>
          <dd class="note">{note}</dd>
        </div>
      ))}
    </dl>
  );
};
