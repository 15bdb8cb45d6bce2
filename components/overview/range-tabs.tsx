import { PeriodTabs } from "@/components/ui/period-tabs";
import { overviewRange, type OverviewRange } from "@/lib/domain/overview/schema";
import { periodNames } from "./comparison";

/** Which period the page shows. */
export const RangeTabs = ({ current, path }: { current: OverviewRange; path: string }) => (
  <PeriodTabs
    periods={overviewRange.options.map((range) => ({
      label: periodNames[range],
      href: `${path}?range=${range}`,
      current: range === current,
    }))}
  />
);
