/** Why nothing of a report is kept; each reason is counted separately. */
export const reportFaults = ["malformed", "too_large", "no_report"] as const;
export type ReportFault = (typeof reportFaults)[number];

/** A report that nobody can, or should, read. */
export class UnreadableReport extends Error {
  constructor(
    readonly fault: ReportFault,
    message: string,
  ) {
    super(message);
    this.name = "UnreadableReport";
  }
}
