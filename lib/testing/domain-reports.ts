import { gzipSync } from "node:zlib";

/** One record of a report as receivers write it. */
export interface ReportedMail {
  ip: string;
  count: number;
  dkim?: "pass" | "fail";
  spf?: "pass" | "fail";
  disposition?: string;
  /** Elements of `auth_results`. */
  results?: string;
}

interface AggregateReport {
  domain: string;
  id?: string;
  organization?: string;
  /** The beginning of its day. */
  begin?: Date;
  policy?: string;
  mail?: ReportedMail[];
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1_000);
const day = 86_400_000;

function recordOf(domain: string, mail: ReportedMail): string {
  const { ip, count, dkim = "fail", spf = "fail", disposition = "none" } = mail;
  const results = mail.results ?? `<spf><domain>${domain}</domain><result>${spf}</result></spf>`;
  return `<record><row><source_ip>${ip}</source_ip><count>${count}</count>
      <policy_evaluated><disposition>${disposition}</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row>
    <identifiers><header_from>${domain}</header_from></identifiers>
    <auth_results>${results}</auth_results></record>`;
}

/** An aggregate report (RFC 7489, appendix C) of yesterday, unless told otherwise. */
export function aggregateReport({
  domain,
  id = "1",
  organization = "Writer Mail",
  begin = new Date(Math.floor(Date.now() / day - 1) * day),
  policy = "none",
  mail = [{ ip: "192.0.2.10", count: 3, dkim: "pass" }],
}: AggregateReport): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata><org_name>${organization}</org_name><email>dmarc@writer.example</email>
    <report_id>${id}</report_id>
    <date_range><begin>${seconds(begin)}</begin><end>${seconds(begin) + 86_399}</end></date_range></report_metadata>
  <policy_published><domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>${policy}</p><pct>100</pct></policy_published>
  ${mail.map((one) => recordOf(domain, one)).join("\n  ")}
</feedback>`;
}

/** A mail with a file attached, the way receivers send reports. */
export function reportMail({
  to,
  content,
  type = "application/gzip",
  from = "dmarc@writer.example",
}: {
  to: string;
  content: string | Buffer;
  type?: string;
  from?: string;
}): string {
  const file = type.includes("gzip") && typeof content === "string" ? gzipSync(content) : content;
  const lines =
    Buffer.from(file)
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  return [
    `From: Reports <${from}>`,
    `To: ${to}`,
    "Subject: Report Domain: shop.example Submitter: writer.example",
    "Date: Sat, 21 Nov 2026 09:30:00 +0000",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="part"',
    "",
    "--part",
    "Content-Type: text/plain; charset=utf-8",
    "",
    "This is an aggregate report.",
    "--part",
    `Content-Type: ${type}; name="report"`,
    "Content-Transfer-Encoding: base64",
    'Content-Disposition: attachment; filename="report"',
    "",
    ...lines,
    "--part--",
    "",
  ].join("\r\n");
}
