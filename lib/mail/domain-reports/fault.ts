/** Why nothing of a report is kept; each is counted apart. */
export const reportFaults = ["malformed", "too_large", "no_report"] as const;
export type ReportFault = (typeof reportFaults)[number];

/** A report that nobody could read, or should. */
export class UnreadableReport extends Error {
  constructor(
    readonly fault: ReportFault,
    message: string,
  ) {
    super(message);
    this.name = "UnreadableReport";
  }
}
