import { PeriodTabs } from "@/components/ui/period-tabs";
import { rangeNames, type OverviewRange } from "@/lib/domain/overview/terms";
import { periodNames } from "./comparison";

/** Which period the page shows. */
export const RangeTabs = ({ current, path }: { current: OverviewRange; path: string }) => (
  <PeriodTabs
    periods={rangeNames.map((range) => ({
      label: periodNames[range],
      href: `${path}?range=${range}`,
      current: range === current,
    }))}
  />
);
