import { amount, finePercent, percent } from "@/lib/ground/amount";
import { arrivalOf, type HandedOver } from "@/lib/ground/counters/arrival";
import { inEnglish } from "@/lib/ground/texts/kept-text";
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

/**
 * Results that exceed the thresholds; null when they do not, or are too few to tell. `which` follows "emails" in a
 * sentence, such as "sent today".
 */
export function judgeResults(results: Results, which: string | null): Trouble | null {
  const { sent, bounced, complained } = results;
  const base = arrivalOf(results).arrived;
  const bounces = {
    bounced: amount(bounced),
    sent: amount(sent),
    share: percent(bounced / sent),
    which,
  };
  const complaints = {
    complained: amount(complained),
    sent: amount(base),
    share: finePercent(complained / base),
    which,
  };
  const verdicts: [Trouble["reason"], Verdict | null, string][] = [
    [
      "bounces",
      judgeBounces(results),
      which === null
        ? inEnglish("{bounced} of {sent} emails sent bounced: {share}.", bounces)
        : inEnglish("{bounced} of {sent} emails {which} bounced: {share}.", bounces),
    ],
    [
      "complaints",
      judgeComplaints(results, base),
      which === null
        ? inEnglish(
            "{complained} of {sent} emails sent were reported as spam: {share}.",
            complaints,
          )
        : inEnglish(
            "{complained} of {sent} emails {which} were reported as spam: {share}.",
            complaints,
          ),
    ],
  ];
  for (const verdict of ["tooHigh", "high"] as const) {
    const worst = verdicts.find(([, judged]) => judged === verdict);
    if (worst) return { reason: worst[0], verdict, message: worst[2] };
  }
  return null;
}
