import type { WinnerMetric } from "@/db/enums";
import type { Campaign } from "@/lib/domain/campaigns/schema";
import { waitWords } from "./variants";

/** The parts of a campaign that decide who gets it when. */
export interface Timing {
  /** null: there is no test. */
  abTest: { testPercentage: number; winnerMetric: WinnerMetric; winnerAfterMinutes: number } | null;
  personalTime: Campaign["personalTime"];
}

const deeds = { opens: "people open", clicks: "people click" } as const;

/** How an A/B test goes out: `20% of the audience get the variants, and ...`. */
export function testWords({
  testPercentage,
  winnerMetric,
  winnerAfterMinutes,
}: NonNullable<Timing["abTest"]>): string {
  return `${testPercentage}% of the audience get the variants, and ${waitWords(winnerAfterMinutes)} later everybody else gets the one that more ${deeds[winnerMetric]}`;
}

/** When people get a campaign that is sent now, as the end of a sentence. */
export function startWords({ abTest, personalTime }: Timing): string {
  if (abTest) return `starting now as an A/B test: ${testWords(abTest)}`;
  if (personalTime === null) return "starting now and as fast as possible";
  const { mode, at } = personalTime;
  return mode === "local"
    ? `within 24 hours, to each person at ${at} in their own time zone`
    : `within 24 hours, to each person at the hour they usually read, or at ${at} in their own time zone`;
}
