import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { reportMail } from "@/lib/testing/domain-reports";
import type { DmarcReport } from "./dmarc-report";
import { readReportMail } from "./read";

/*
 * Reports as single receivers write them, by what they publish about theirs and by RFC 7489, appendix C, and
 * RFC 8460, appendix B; addresses and domains are those for documents.
 */

const header = `<?xml version="1.0" encoding="UTF-8" ?>`;
const dates = "<date_range><begin>1763596800</begin><end>1763683199</end></date_range>";

const google = `${header}
<feedback>
  <version>1.0</version>
  <report_metadata>
    <org_name>google.com</org_name>
    <email>noreply-dmarc-support@google.com</email>
    <extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>
    <report_id>12345678901234567890</report_id>
    ${dates}
  </report_metadata>
  <policy_published>
    <domain>shop.example</domain><adkim>r</adkim><aspf>r</aspf>
    <p>none</p><sp>none</sp><pct>100</pct><np>none</np>
  </policy_published>
  <record>
    <row><source_ip>192.0.2.10</source_ip><count>2</count>
      <policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>pass</spf></policy_evaluated></row>
    <identifiers><header_from>shop.example</header_from></identifiers>
    <auth_results>
      <dkim><domain>shop.example</domain><result>pass</result><selector>lm1</selector></dkim>
      <spf><domain>bounce.shop.example</domain><result>pass</result></spf>
    </auth_results>
  </record>
</feedback>`;

const microsoft = `<?xml version="1.0"?>
<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <version>1.0</version>
  <report_metadata><org_name>Enterprise Outlook</org_name><email>dmarcreport@microsoft.com</email>
    <report_id>6a2f0e7c51c24a0d8f9b3c1de5f60718</report_id>${dates}</report_metadata>
  <policy_published><domain>shop.example</domain><adkim>r</adkim><aspf>r</aspf><p>reject</p><sp>reject</sp><pct>100</pct><fo>0</fo></policy_published>
  <record>
    <row><source_ip>2001:DB8::25</source_ip><count>1</count>
      <policy_evaluated><disposition>reject</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row>
    <identifiers><envelope_to>outlook.com</envelope_to><envelope_from>elsewhere.example</envelope_from><header_from>shop.example</header_from></identifiers>
    <auth_results>
      <dkim><domain>elsewhere.example</domain><selector>s1</selector><result>pass</result></dkim>
      <spf><domain>elsewhere.example</domain><scope>mfrom</scope><result>softfail</result></spf>
    </auth_results>
  </record>
</feedback>`;

const yahoo = `<?xml version="1.0"?>
<feedback>
  <report_metadata>
    <org_name>Yahoo</org_name>
    <email>dmarchelp@yahooinc.com</email>
    <report_id>1763686612.815042</report_id>
    ${dates}
  </report_metadata>
  <policy_published><domain>shop.example</domain><adkim>r</adkim><aspf>r</aspf><p>quarantine</p><pct>100</pct></policy_published>
  <record>
    <row><source_ip>192.0.2.11</source_ip><count>7</count>
      <policy_evaluated><disposition>quarantine</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row>
    <identifiers><header_from>shop.example</header_from></identifiers>
    <auth_results>
      <dkim><domain></domain><result>neutral</result></dkim>
      <spf><domain>shop.example</domain><result>none</result></spf>
    </auth_results>
  </record>
</feedback>`;

const mailRu = `${header}
<feedback><report_metadata><org_name>Mail.Ru</org_name><email>dmarc_support@corp.mail.ru</email><extra_contact_info>https://help.mail.ru/mail-help</extra_contact_info><report_id>49361727846238159271763596800</report_id>${dates}</report_metadata><policy_published><domain>shop.example</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><sp>none</sp><pct>100</pct></policy_published><record><row><source_ip>192.0.2.12</source_ip><count>4</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>shop.example</header_from></identifiers><auth_results><dkim><domain>shop.example</domain><selector>lm1</selector><result>pass</result></dkim><spf><domain>forwarder.example</domain><scope>mfrom</scope><result>pass</result></spf></auth_results></record></feedback>`;

const fastmail = `${header}
<feedback xmlns="http://dmarc.org/dmarc-xml/0.1">
  <version>0.1</version>
  <report_metadata>
    <org_name>Fastmail Pty Ltd</org_name>
    <email>reports@fastmaildmarc.com</email>
    <report_id>815042&amp;7</report_id>
    ${dates}
  </report_metadata>
  <policy_published><domain>Shop.Example.</domain><adkim>r</adkim><aspf>r</aspf><p>reject</p></policy_published>
  <record>
    <row><source_ip>192.0.2.13</source_ip><count>3</count>
      <policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf>
        <reason><type>local_policy</type><comment>Policy overridden, arc=pass</comment></reason></policy_evaluated></row>
    <identifiers><header_from>shop.example</header_from></identifiers>
    <auth_results>
      <dkim><domain>list.example</domain><selector>k1</selector><result>pass</result><human_result></human_result></dkim>
      <dkim><domain>shop.example</domain><selector>lm1</selector><result>fail</result><human_result>body hash mismatch</human_result></dkim>
      <spf><domain>list.example</domain><result>pass</result></spf>
    </auth_results>
  </record>
</feedback>`;

/** What opendmarc-reports and others like it write where nothing was checked. */
const openDmarc = `${header}
<feedback>
 <report_metadata><org_name>mx.writer.example</org_name><email>postmaster@writer.example</email><report_id>writer.example-1763686800@shop.example</report_id>${dates}</report_metadata>
 <policy_published><domain>shop.example</domain><adkim></adkim><aspf></aspf><p>none</p><sp></sp><pct></pct></policy_published>
 <record>
  <row><source_ip>192.0.2.14</source_ip><count>1</count><policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row>
  <identifiers><header_from>shop.example</header_from></identifiers>
  <auth_results></auth_results>
 </record>
</feedback>`;

/** A zip file of one entry; `claimed`: the size it says to have unpacked. */
function zipOf(name: string, content: Buffer, claimed = content.length): Buffer {
  const packed = deflateRawSync(content);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(claimed, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
  const central = Buffer.concat([
    ...[Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), common],
    ...[Buffer.alloc(14), Buffer.from(name)],
  ]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

const to = "d-1@bounce.shop.example";

async function resultOf(type: string, content: string | Buffer, kind: "dmarc" | "tls" = "dmarc") {
  const { result } = await readReportMail(kind, Buffer.from(reportMail({ to, type, content })));
  return result;
}

async function read(type: string, content: string | Buffer): Promise<DmarcReport> {
  const result = await resultOf(type, content);
  if (!("report" in result) || result.report.kind !== "dmarc") throw new Error("It is not read.");
  return result.report;
}

const zipped = (xml: string) => zipOf("receiver!shop.example!1763596800.xml", Buffer.from(xml));
const row = { headerFrom: "shop.example", disposition: "none" };

describe("a DMARC report", () => {
  test("of Google: a zip file", async () => {
    expect(await read("application/zip", zipped(google))).toEqual({
      ...{ kind: "dmarc", organization: "google.com", reportId: "12345678901234567890" },
      ...{ beginsAt: new Date("2025-11-20T00:00:00Z"), endsAt: new Date("2025-11-20T23:59:59Z") },
      ...{ domains: ["shop.example"], policy: "none" },
      rows: [
        {
          ...{ ...row, sourceAddress: "192.0.2.10", messages: 2 },
          ...{ dkimAligned: "pass", spfAligned: "pass" },
          dkimResults: [{ domain: "shop.example", selector: "lm1", result: "pass" }],
          spfResults: [{ domain: "bounce.shop.example", result: "pass" }],
        },
      ],
    });
  });

  test("of Microsoft: gzip, with namespaces, envelopes and an IPv6 address in capitals", async () => {
    expect(await read("application/gzip", microsoft)).toMatchObject({
      ...{ organization: "Enterprise Outlook", policy: "reject" },
      rows: [
        {
          ...{ sourceAddress: "2001:db8::25", disposition: "reject", dkimAligned: "fail" },
          spfResults: [{ domain: "elsewhere.example", result: "softfail" }],
        },
      ],
    });
  });

  test("of Yahoo: mail that nobody had signed", async () => {
    expect(await read("application/gzip", yahoo)).toMatchObject({
      ...{ organization: "Yahoo", reportId: "1763686612.815042", policy: "quarantine" },
      rows: [
        {
          messages: 7,
          disposition: "quarantine",
          dkimResults: [{ domain: "", result: "neutral" }],
        },
      ],
    });
  });

  test("of Mail.ru: one line, forwarded mail that DKIM alone aligns", async () => {
    expect(await read("application/gzip", mailRu)).toMatchObject({
      organization: "Mail.Ru",
      rows: [{ ...row, messages: 4, dkimAligned: "pass", spfAligned: "fail" }],
    });
  });

  test("of Fastmail: a default namespace, a reason, two signatures, a name with a dot at its end", async () => {
    expect(await read("application/gzip", fastmail)).toMatchObject({
      ...{ organization: "Fastmail Pty Ltd", reportId: "815042&7", domains: ["shop.example"] },
      rows: [
        {
          ...{ ...row, dkimAligned: "fail" },
          dkimResults: [
            { domain: "list.example", selector: "k1", result: "pass" },
            { domain: "shop.example", selector: "lm1", result: "fail" },
          ],
        },
      ],
    });
  });

  test("of a small receiver: as XML, unpacked, without any result", async () => {
    for (const type of ["text/xml", "application/xml", "application/octet-stream"]) {
      expect(await read(type, `\uFEFF${openDmarc}`)).toMatchObject({
        organization: "mx.writer.example",
        rows: [{ messages: 1, dkimResults: [], spfResults: [] }],
      });
    }
  });
});

describe("a bomb", () => {
  const spaces = Buffer.alloc(64 * 1024 * 1024, " ");

  test("of gzip or zip is refused, whatever the zip says its size is", async () => {
    const bombs = [
      ["application/gzip", gzipSync(spaces)],
      ["application/zip", zipOf("report.xml", spaces)],
    ] as const;
    for (const [type, content] of bombs) {
      expect(content.length).toBeLessThan(100_000);
      expect(await resultOf(type, content)).toMatchObject({ fault: "too_large" });
    }
    // What comes out beyond its word ends the reading.
    const lying = zipOf("report.xml", spaces, 1_000);
    expect(await resultOf("application/zip", lying)).toMatchObject({ fault: "malformed" });
  });

  test("of entities is not expanded, and a zip without a report is none", async () => {
    const entities = google.replace(
      header,
      `${header}<!DOCTYPE feedback [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>`,
    );
    expect(await resultOf("text/xml", entities)).toMatchObject({ fault: "malformed" });
    const other = zipOf("readme.txt", Buffer.from(google));
    expect(await resultOf("application/zip", other)).toMatchObject({ fault: "no_report" });
  });
});

/** As in RFC 8460, appendix B. */
const tlsReport = JSON.stringify({
  "organization-name": "Company-X",
  "date-range": {
    "start-datetime": "2026-04-01T00:00:00Z",
    "end-datetime": "2026-04-01T23:59:59Z",
  },
  "contact-info": "sts-reporting@company-x.example",
  "report-id": "5065427c-23d3-47ca-b6e0-946ea0e8c4be",
  policies: [
    {
      policy: {
        "policy-type": "sts",
        "policy-string": ["version: STSv1", "mode: testing", "mx: *.mail.shop.example"],
        "policy-domain": "Shop.example",
        "mx-host": ["*.mail.shop.example"],
      },
      summary: { "total-successful-session-count": 5326, "total-failure-session-count": 303 },
      "failure-details": [
        {
          "result-type": "certificate-expired",
          "sending-mta-ip": "2001:db8:abcd:0012::1",
          "receiving-mx-hostname": "MX1.mail.shop.example",
          "failed-session-count": 100,
        },
        {
          "result-type": "starttls-not-supported",
          "sending-mta-ip": "2001:db8:abcd:0013::1",
          "receiving-mx-hostname": "mx2.mail.shop.example",
          "receiving-ip": "203.0.113.56",
          "failed-session-count": 200,
          "additional-information": "https://reports.company-x.example/report_info?id=5065",
        },
      ],
    },
  ],
});

test("a TLS report is read as RFC 8460 has it, with what its details leave unexplained", async () => {
  const shared = { policyType: "sts" };
  expect(await resultOf("application/tlsrpt+gzip", tlsReport, "tls")).toMatchObject({
    report: {
      ...{ kind: "tls", organization: "Company-X", domains: ["shop.example"] },
      rows: [
        { ...shared, sessions: 5326, failure: null, receivingHost: null },
        {
          ...{ ...shared, sessions: 100, failure: "certificate-expired" },
          receivingHost: "mx1.mail.shop.example",
        },
        {
          ...{ ...shared, sessions: 200, failure: "starttls-not-supported" },
          receivingHost: "mx2.mail.shop.example",
        },
        { ...shared, sessions: 3, failure: "unknown", receivingHost: null },
      ],
    },
  });
});

/** The mail of section 5.3, or one that is nothing but the report, as some small senders write it. */
const tlsMail = {
  parts: (type: string, content: Buffer) => [
    'Content-Type: multipart/report; report-type="tlsrpt"; boundary="b"',
    "",
    "--b\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\nThis is an aggregate TLS report.\r\n",
    `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64`,
    'Content-Disposition: attachment; filename="mail.example!shop.example!1!2!001.json"',
    `\r\n${content.toString("base64")}\r\n--b--`,
  ],
  alone: (type: string, content: Buffer) => [
    `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64`,
    `\r\n${content.toString("base64")}`,
  ],
};

test.each([
  ["application/tlsrpt+gzip", gzipSync(tlsReport), "parts"],
  ["application/tlsrpt+json", Buffer.from(tlsReport), "parts"],
  ["application/json", Buffer.from(tlsReport), "parts"],
  ["application/tlsrpt+gzip", gzipSync(tlsReport), "alone"],
  ["application/tlsrpt+json", Buffer.from(tlsReport), "alone"],
] as const)("a TLS report that comes as %s is read", async (type, content, form) => {
  const head = ["From: tls@writer.example", `To: ${to}`, "MIME-Version: 1.0"];
  const raw = [...head, ...tlsMail[form](type, content), ""].join("\r\n");
  const { from, result } = await readReportMail("tls", Buffer.from(raw));
  expect(from).toBe("writer.example");
  expect(result).toMatchObject({
    report: { kind: "tls", reportId: "5065427c-23d3-47ca-b6e0-946ea0e8c4be" },
  });
});
