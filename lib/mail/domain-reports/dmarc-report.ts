import { isIP } from "node:net";
import { decodeXML } from "entities";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import type { ReportedCheck } from "@/db/schema/domain-reports";
import { storableText } from "@/lib/ground/storable-text";
import { UnreadableReport } from "./fault";

/** Mail from one source with the same outcome. */
export interface DmarcRow {
  /** Empty: all that was too much to keep separately. */
  sourceAddress: string;
  messages: number;
  disposition: "none" | "quarantine" | "reject";
  dkimAligned: "pass" | "fail";
  spfAligned: "pass" | "fail";
  headerFrom: string;
  dkimResults: ReportedCheck[];
  spfResults: ReportedCheck[];
}

/** An aggregate report (RFC 7489, appendix C). */
export interface DmarcReport {
  kind: "dmarc";
  organization: string;
  reportId: string;
  beginsAt: Date;
  endsAt: Date;
  /** The domain it is about, in lower case. */
  domains: string[];
  policy: "none" | "quarantine" | "reject";
  rows: DmarcRow[];
}

/** Rows kept of a report: those with the most mail; the rest become one row without an address. */
const mostRows = 1_000;
const mostResults = 5;
const longestId = 200;
const mostMessages = 1e12;

/** Elements that may occur more than once; `policy_evaluated` has a single `dkim` of its own. */
const lists = new Set([
  "feedback.record",
  "feedback.record.auth_results.dkim",
  "feedback.record.auth_results.spf",
]);

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  // No entity of a document's own is ever expanded: the five of XML are read below.
  processEntities: false,
  removeNSPrefix: true,
  maxNestedTags: 20,
  isArray: (_, path) => lists.has(String(path)),
});

const text = z
  .string()
  .default("")
  .transform((value) => storableText(decodeXML(value)).trim());
const name = text.transform((value) => value.toLowerCase().replace(/\.$/, "").slice(0, 255));
const word = text.transform((value) => value.toLowerCase().slice(0, 40));
const seconds = z
  .string()
  .regex(/^\s*\d{1,11}\s*$/)
  .transform((value) => new Date(Number(value) * 1_000));
const passed = word.transform((value) => (value === "pass" ? "pass" : "fail"));
// Some write <spf></spf>, which is read as an empty text.
const results = z
  .array(
    z.union([z.literal(""), z.object({ domain: name, selector: text.optional(), result: word })]),
  )
  .default([])
  .transform((results) => results.flatMap((result) => (result === "" ? [] : [result])));

const record = z.object({
  row: z.object({
    source_ip: text.refine((value) => isIP(value) !== 0),
    count: z
      .string()
      .regex(/^\s*\d{1,12}\s*$/)
      .transform(Number),
    policy_evaluated: z.object({ disposition: word, dkim: passed, spf: passed }),
  }),
  identifiers: z.object({ header_from: name }),
  auth_results: z.preprocess(
    (value) => (value === "" ? {} : value),
    z.object({ dkim: results, spf: results }).default({ dkim: [], spf: [] }),
  ),
});

const feedback = z.object({
  feedback: z.object({
    report_metadata: z.object({
      org_name: text,
      report_id: text.refine((value) => value !== ""),
      date_range: z.object({ begin: seconds, end: seconds }),
    }),
    policy_published: z.object({ domain: name.refine((value) => value !== ""), p: word }),
    record: z.array(record).default([]),
  }),
});

const malformed = (message: string) => new UnreadableReport("malformed", message);

const dispositionOf = (value: string): DmarcRow["disposition"] =>
  value === "quarantine" || value === "reject" ? value : "none";

function toRow({ row, identifiers, auth_results }: z.infer<typeof record>): DmarcRow {
  return {
    sourceAddress: row.source_ip.toLowerCase(),
    messages: Math.min(row.count, mostMessages),
    disposition: dispositionOf(row.policy_evaluated.disposition),
    dkimAligned: row.policy_evaluated.dkim,
    spfAligned: row.policy_evaluated.spf,
    headerFrom: identifiers.header_from,
    dkimResults: auth_results.dkim.slice(0, mostResults).map(({ domain, selector, result }) => ({
      domain,
      result,
      ...(selector ? { selector: selector.slice(0, 255) } : {}),
    })),
    spfResults: auth_results.spf
      .slice(0, mostResults)
      .map(({ domain, result }) => ({ domain, result })),
  };
}

const alike = ({ disposition, dkimAligned, spfAligned }: DmarcRow) =>
  `${disposition} ${dkimAligned} ${spfAligned}`;

/** The rows with the most mail; of the others, only their outcomes. */
function boundRows(rows: DmarcRow[]): DmarcRow[] {
  if (rows.length <= mostRows) return rows;
  const sorted = rows.toSorted((left, right) => right.messages - left.messages);
  const rest = new Map<string, DmarcRow>();
  for (const row of sorted.slice(mostRows)) {
    const sum = rest.get(alike(row));
    if (sum) sum.messages += row.messages;
    else {
      const anonymous = { sourceAddress: "", headerFrom: "", dkimResults: [], spfResults: [] };
      rest.set(alike(row), { ...row, ...anonymous });
    }
  }
  return [...sorted.slice(0, mostRows), ...rest.values()];
}

/** Reads a report's XML. Throws UnreadableReport for anything else. */
export function readDmarcReport(xml: string): DmarcReport {
  if (xml.includes("<!DOCTYPE")) throw malformed("The report declares a document type.");
  if (XMLValidator.validate(xml) !== true) throw malformed("The report is no well-formed XML.");
  let document: unknown;
  try {
    document = parser.parse(xml);
  } catch {
    throw malformed("The report is no XML that can be read.");
  }
  const read = feedback.safeParse(document);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw malformed(`The report has no valid ${issue?.path.join(".") ?? "content"}.`);
  }
  const { report_metadata, policy_published, record: records } = read.data.feedback;
  return {
    kind: "dmarc",
    organization: report_metadata.org_name.slice(0, 200),
    reportId: report_metadata.report_id.slice(0, longestId),
    beginsAt: report_metadata.date_range.begin,
    endsAt: report_metadata.date_range.end,
    domains: [policy_published.domain],
    policy: dispositionOf(policy_published.p),
    rows: boundRows(records.map(toRow)),
  };
}
