/** How mailbox providers judge a rate. */
export type Verdict = "healthy" | "high" | "tooHigh";

/** Fewer emails than this in seven days are too few to judge. */
const leastSent = 200;

function judge(count: number, of: number, { least, warn, stop }: Rail): Verdict {
  // A handful means nothing, however large its share: one complaint in 200 is 0.5 %.
  if (count < least || of === 0) return "healthy";
  const rate = count / of;
  return rate >= stop ? "tooHigh" : rate >= warn ? "high" : "healthy";
}

interface Rail {
  /** The rate is ignored below this number of events. */
  least: number;
  /** Rates, 0 to 1. */
  warn: number;
  stop: number;
}

const bounceRail: Rail = { least: 10, warn: 0.04, stop: 0.08 };
const complaintRail: Rail = { least: 3, warn: 0.001, stop: 0.003 };

/** How mailbox providers judge seven days of bounces; null while too little was sent to tell. */
export function judgeBounces(week: { sent: number; bounced: number }): Verdict | null {
  return week.sent < leastSent ? null : judge(week.bounced, week.sent, bounceRail);
}

/** The same for complaints, which are a share of what arrived (see arrivalOf). */
export function judgeComplaints(
  week: { sent: number; complained: number },
  arrived: number,
): Verdict | null {
  return week.sent < leastSent ? null : judge(week.complained, arrived, complaintRail);
}
