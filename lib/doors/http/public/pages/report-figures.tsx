/** @jsxImportSource hono/jsx */
import type { FC } from "hono/jsx";
import type { CampaignReport } from "@/lib/domain/campaign-reports/report";
import type { CampaignFigures } from "@/lib/domain/campaigns/stats-schema";
import { amount, finePercent, percent } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";

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
    ? {
        label: t("Delivered"),
        value: amount(delivered),
        note: t("{share} of sent", { share: percent(deliveryRate) }),
      }
    : {
        label: t("Accepted"),
        value: amount(Math.max(0, sent - bounced)),
        note: t("by mail servers that do not say what became of it"),
      };
}

/** The campaign's sums, each rate with what it is a share of. */
export const ReportFigures: FC<{ report: CampaignReport }> = ({ report }) => {
  const { figures, audienceComplete } = report;
  const base = baseOf(figures);
  const ofBase = (share: string) =>
    t("{share} of {base, select, delivered {delivered} other {accepted}}", { share, base });
  const withMachines = (share: string, some: number) =>
    some > 0 ? t("{share}, plus {machines} by machines", { share, machines: amount(some) }) : share;
  const shown = [
    {
      label: t("Recipients"),
      value: amount(figures.recipients),
      note: !audienceComplete
        ? t("so far")
        : figures.pending > 0
          ? t("{count} still waiting", { count: amount(figures.pending) })
          : t("all processed"),
    },
    deliveryOf(figures),
    {
      label: t("Opened"),
      value: amount(figures.opened),
      note: withMachines(ofBase(percent(figures.openRate)), figures.machineOpens),
    },
    {
      label: t("Clicked"),
      value: amount(figures.clicked),
      note: withMachines(ofBase(percent(figures.clickRate)), figures.machineClicks),
    },
    {
      label: t("Unsubscribed"),
      value: amount(figures.unsubscribed),
      note: ofBase(percent(figures.unsubscribeRate)),
    },
    {
      label: t("Bounced"),
      value: amount(figures.bounced),
      note: t("{share} of sent", { share: percent(figures.bounceRate) }),
    },
    {
      label: t("Complained"),
      value: amount(figures.complained),
      note: ofBase(finePercent(figures.complaintRate)),
    },
    ...(figures.failed > 0
      ? [
          {
            label: t("Not sent"),
            value: amount(figures.failed),
            note: t("left or blocked in the meantime"),
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
