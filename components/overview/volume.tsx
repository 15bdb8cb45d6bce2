import { hatched, type Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import type { Overview } from "@/lib/domain/overview/schema";

/** The layers of the bars, from the bottom. */
const bars: readonly Bar<"delivered" | "underWay" | "problems">[] = [
  { key: "delivered", label: "Delivered", fill: "var(--color-ink)", swatch: "bg-ink" },
  {
    key: "underWay",
    label: "Sent, no report yet",
    fill: hatched.fill,
    swatch: hatched.swatch,
  },
  {
    key: "problems",
    label: "Bounced or failed",
    fill: "var(--color-accent)",
    swatch: "bg-accent",
  },
];

/** How much mail was sent, hour by hour or day by day, and how far it got. */
export function Volume({ overview: { range, buckets } }: { overview: Overview }) {
  const width = range === "24h" ? "hour" : "day";
  return (
    <ChartFigure
      title={`Emails by ${width}`}
      unit="Emails"
      bars={bars}
      buckets={buckets}
      width={width}
      stacked
      empty="No emails in this period."
    />
  );
}
