import { PeriodTabs } from "@/components/ui/period-tabs";
import { overviewRange, type OverviewRange } from "@/lib/domain/overview/schema";

const names: Record<OverviewRange, string> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

/** Which period the page shows. */
export const RangeTabs = ({ current, path }: { current: OverviewRange; path: string }) => (
  <PeriodTabs
    periods={overviewRange.options.map((range) => ({
      label: names[range],
      href: `${path}?range=${range}`,
      current: range === current,
    }))}
  />
);
