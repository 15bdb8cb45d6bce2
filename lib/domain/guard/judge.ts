import { amount, finePercent, percent } from "@/lib/ground/amount";
import { arrivalOf, type HandedOver } from "@/lib/ground/counters/arrival";
import { judgeBounces, judgeComplaints, type Verdict } from "./thresholds";

/** What became of mail. */
export interface Results extends HandedOver {
  complained: number;
}

/** What is wrong with the results, worst first. */
export interface Trouble {
  reason: "bounces" | "complaints";
  verdict: Exclude<Verdict, "healthy">;
  /** A sentence with the figures. */
  message: string;
}

/** Results that exceed the thresholds; null when they do not, or are too few to tell. `period` ends a phrase. */
export function judgeResults(results: Results, period: string): Trouble | null {
  const { sent, bounced, complained } = results;
  const base = arrivalOf(results).arrived;
  const verdicts: [Trouble["reason"], Verdict | null, string][] = [
    [
      "bounces",
      judgeBounces(results),
      `${amount(bounced)} of ${amount(sent)} emails ${period} bounced: ${percent(bounced / sent)}.`,
    ],
    [
      "complaints",
      judgeComplaints(results, base),
      `${amount(complained)} of ${amount(base)} emails ${period} were reported as spam: ${finePercent(complained / base)}.`,
    ],
  ];
  for (const verdict of ["tooHigh", "high"] as const) {
    const worst = verdicts.find(([, judged]) => judged === verdict);
    if (worst) return { reason: worst[0], verdict, message: worst[2] };
  }
  return null;
}
