import PostalMime from "postal-mime";
import type { DomainReportKind } from "./address";
import { readDmarcReport, type DmarcReport } from "./dmarc-report";
import { UnreadableReport, type ReportFault } from "./fault";
import { readTlsReport, type TlsReport } from "./tls-report";
import { packingOf, unpackReport } from "./unpack";

export type DomainReport = DmarcReport | TlsReport;

/** What was read from a report's mail: it passes between processes, so a fault is a value. */
export interface ReadReport {
  /** The domain of the From address, in lower case. */
  from: string;
  result: { report: DomainReport } | { fault: ReportFault; message: string };
}

const mostParts = 20;

async function reportIn(kind: DomainReportKind, files: Buffer[]): Promise<DomainReport> {
  if (files.length > mostParts) {
    throw new UnreadableReport("too_large", "The report's mail has more than 20 parts.");
  }
  const file = files.find((content) => packingOf(content) !== null);
  if (!file) throw new UnreadableReport("no_report", "The mail has no report in it.");
  const text = await unpackReport(file);
  return kind === "dmarc" ? readDmarcReport(text) : readTlsReport(text);
}

/** Reads the one report that a mail contains. */
export async function readReportMail(kind: DomainReportKind, raw: Buffer): Promise<ReadReport> {
  let from = "";
  try {
    const mail = await PostalMime.parse(raw, { attachmentEncoding: "arraybuffer" }).catch(() => {
      throw new UnreadableReport("malformed", "The mail cannot be read.");
    });
    from = (mail.from?.address ?? "").split("@").at(-1)?.toLowerCase() ?? "";
    const files = mail.attachments.map(({ content }) =>
      typeof content === "string" ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
    );
    return { from, result: { report: await reportIn(kind, files) } };
  } catch (error) {
    if (!(error instanceof UnreadableReport)) throw error;
    return { from, result: { fault: error.fault, message: error.message } };
  }
}
