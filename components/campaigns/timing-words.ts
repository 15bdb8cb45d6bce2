import { percent } from "@/components/ui/numbers";
import type { WinnerMetric } from "@/db/enums";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import { t } from "@/lib/ground/texts/t";
import { waitWords } from "./variants";

/** The parts of a campaign that decide who gets it when. */
export interface Timing {
  /** null: there is no test. */
  abTest: { testPercentage: number; winnerMetric: WinnerMetric; winnerAfterMinutes: number } | null;
  personalTime: Campaign["personalTime"];
}

/** How an A/B test goes out: `20% of the audience get the variants, and ...`. */
export function testWords({
  testPercentage,
  winnerMetric,
  winnerAfterMinutes,
}: NonNullable<Timing["abTest"]>): string {
  const values = { share: percent(testPercentage / 100), wait: waitWords(winnerAfterMinutes) };
  return winnerMetric === "opens"
    ? t(
        "{share} of the audience get the variants, and {wait} later everybody else gets the one that more people open",
        values,
      )
    : t(
        "{share} of the audience get the variants, and {wait} later everybody else gets the one that more people click",
        values,
      );
}

/** When people get a campaign that is sent now, as the end of a sentence. */
export function startWords({ abTest, personalTime }: Timing): string {
  if (abTest) return t("starting now as an A/B test: {test}", { test: testWords(abTest) });
  if (personalTime === null) return t("starting now and as fast as possible");
  const { mode, at: time } = personalTime;
  return mode === "local"
    ? t("within 24 hours, to each person at {time} in their own time zone", { time })
    : t(
        "within 24 hours, to each person at the hour they usually read, or at {time} in their own time zone",
        { time },
      );
}
