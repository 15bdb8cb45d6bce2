import { z } from "zod";
import { storableText } from "@/lib/ground/storable-text";
import { UnreadableReport } from "./fault";

/** Sessions with the same outcome; without a failure they had TLS as the policy asks. */
export interface TlsRow {
  policyType: string;
  sessions: number;
  failure: string | null;
  receivingHost: string | null;
}

/** A report on the TLS of mail to a domain (RFC 8460, section 4.4). */
export interface TlsReport {
  kind: "tls";
  organization: string;
  reportId: string;
  beginsAt: Date;
  endsAt: Date;
  /** The domains whose policies it covers, in lower case. */
  domains: string[];
  rows: TlsRow[];
}

const mostPolicies = 20;
const mostFailures = 100;

const text = (longest: number) =>
  z
    .string()
    .transform((value) => storableText(value).trim().slice(0, longest))
    .default("");
const sessions = z.int().min(0).max(1e12).default(0);
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

const report = z.object({
  "organization-name": text(200),
  "report-id": text(200).refine((value) => value !== ""),
  "date-range": z.object({ "start-datetime": time, "end-datetime": time }),
  policies: z
    .array(
      z.object({
        policy: z.object({ "policy-type": text(40), "policy-domain": text(255) }),
        summary: z.object({
          "total-successful-session-count": sessions,
          "total-failure-session-count": sessions,
        }),
        "failure-details": z
          .array(
            z.object({
              "result-type": text(60),
              "receiving-mx-hostname": text(255),
              "failed-session-count": sessions,
            }),
          )
          .max(mostFailures)
          .default([]),
      }),
    )
    .min(1)
    .max(mostPolicies),
});

type Policy = z.infer<typeof report>["policies"][number];

/** Details may be left out, or cover fewer sessions than failed: the rest have no reason. */
function rowsOf({ policy, summary, "failure-details": details }: Policy): TlsRow[] {
  const policyType = policy["policy-type"];
  const failures = details.map((detail) => ({
    policyType,
    sessions: detail["failed-session-count"],
    failure: detail["result-type"] || "unknown",
    receivingHost: detail["receiving-mx-hostname"].toLowerCase() || null,
  }));
  const explained = failures.reduce((sum, row) => sum + row.sessions, 0);
  const unexplained = summary["total-failure-session-count"] - explained;
  const rest = { policyType, receivingHost: null };
  return [
    { ...rest, sessions: summary["total-successful-session-count"], failure: null },
    ...failures,
    ...(unexplained > 0 ? [{ ...rest, sessions: unexplained, failure: "unknown" }] : []),
  ];
}

/** Reads a report's JSON. Throws UnreadableReport for anything else. */
export function readTlsReport(json: string): TlsReport {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    throw new UnreadableReport("malformed", "The report is no JSON.");
  }
  const read = report.safeParse(document);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new UnreadableReport(
      "malformed",
      `The report has no valid ${issue?.path.join(".") || "content"}.`,
    );
  }
  const { policies, "date-range": range } = read.data;
  return {
    kind: "tls",
    organization: read.data["organization-name"],
    reportId: read.data["report-id"],
    beginsAt: range["start-datetime"],
    endsAt: range["end-datetime"],
    domains: [...new Set(policies.map(({ policy }) => policy["policy-domain"].toLowerCase()))],
    rows: policies.flatMap(rowsOf),
  };
}
