import { hatched, type Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import type { Overview } from "@/lib/domain/overview/schema";
import { t } from "@/lib/ground/texts/t";

/** The layers of the bars, from the bottom. */
const barsOf = (): readonly Bar<"delivered" | "underWay" | "problems">[] => [
  { key: "delivered", label: t("Delivered"), swatch: "bg-ink" },
  {
    key: "underWay",
    label: t("Sent, no report yet"),
    swatch: hatched,
  },
  {
    key: "problems",
    label: t("Bounced or failed"),
    swatch: "bg-accent",
  },
];

/** How much mail was sent, hour by hour or day by day, and how far it got. */
export function Volume({ overview: { range, buckets } }: { overview: Overview }) {
  const width = range === "24h" ? "hour" : "day";
  return (
    <ChartFigure
      title={width === "hour" ? t("Emails by hour") : t("Emails by day")}
      unit={t("Emails")}
      bars={barsOf()}
      buckets={buckets}
      width={width}
      stacked
      empty={t("No emails in this period.")}
    />
  );
}
