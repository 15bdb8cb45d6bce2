import { z } from "zod";
import { getDmarc } from "@/lib/domain/domain-reports/read";
import { dmarc, dmarcQuery } from "@/lib/domain/domain-reports/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { domainExample } from "./domains";
import { idParam } from "./parameters";

const address = "d-01kat4rz8sfq3v6d1mpx3k6w9j-5f0c2b7e9d4a18c36b02";

const dmarcExample = {
  period: {
    from: "2026-10-23",
    to: "2026-11-21",
    reports: 58,
    reporters: ["google.com", "microsoft.com", "yahoo.com"],
  },
  totals: {
    messages: 13_240,
    aligned: 12_040,
    dkimAligned: 12_040,
    spfAligned: 11_890,
    quarantined: 0,
    rejected: 0,
  },
  days: [{ day: "2026-11-20", aligned: 412, unaligned: 37 }],
  sources: [
    {
      address: "192.0.2.10",
      name: "mail.lettermill.example",
      sender: null,
      ours: true,
      ...{ messages: 12_040, aligned: 12_040, dkimAligned: 12_040, spfAligned: 11_890 },
      ...{ quarantined: 0, rejected: 0 },
      headerFrom: ["mail.example.com"],
      domains: ["bounces.mail.example.com", "mail.example.com"],
    },
    {
      address: "198.51.100.7",
      name: "crm.example.net",
      sender: null,
      ours: false,
      ...{ messages: 1_200, aligned: 0, dkimAligned: 0, spfAligned: 0 },
      ...{ quarantined: 0, rejected: 0 },
      headerFrom: ["mail.example.com"],
      domains: ["example.net"],
    },
  ],
  otherSources: 0,
  advice: [
    {
      code: "unaligned_source",
      message:
        "198.51.100.7 (crm.example.net) sent 1,200 mails in your name without your signature. If it is yours, have it sign with DKIM for mail.example.com before you make the policy stricter. If not, a stricter policy keeps its mail from being delivered.",
    },
  ],
  reporting: {
    address: `${address}@bounces.mail.example.com`,
    published: true,
    policy: "none",
    record: {
      name: "_dmarc.mail.example.com",
      value: `v=DMARC1; p=none; rua=mailto:${address}@bounces.mail.example.com;`,
    },
    elsewhere: {
      address: `${address}@mx.lettermill.example`,
      authorization: {
        name: "mail.example.com._report._dmarc.mx.lettermill.example",
        value: "v=DMARC1;",
      },
    },
  },
  tls: {
    record: {
      name: "_smtp._tls.mail.example.com",
      value:
        "v=TLSRPTv1; rua=mailto:t-01kat4rz8sfq3v6d1mpx3k6w9j-0b94d17c3e5f28a6710d@bounces.mail.example.com",
    },
    reports: 12,
    successful: 5_326,
    failed: 3,
    days: [
      { day: "2026-11-20", successful: 2_700, failed: 0 },
      { day: "2026-11-21", successful: 2_626, failed: 3 },
    ],
    failures: [
      {
        ...{ type: "certificate-expired", receivingHost: "mx.example.com", sessions: 3 },
        advice:
          "The certificate has expired. Renew it, and have it renewed automatically from now on.",
      },
    ],
  },
} satisfies z.input<typeof dmarc>;

export const dmarcOperation = operation({
  method: "get",
  path: "/v1/domains/{id}/dmarc",
  name: "getDmarc",
  summary: "Read who sends in a domain's name",
  description:
    "What receivers report of mail in the domain's name (DMARC aggregate reports) and of the TLS of mail to it, kept for 90 days. A report counts once, for the UTC day on which its period begins.",
  tag: "Domains",
  access: "viewer",
  rate: "api",
  params: z.object({ id: idParam("domain", domainExample.id) }),
  query: dmarcQuery,
  answer: dmarc,
  answerExample: dmarcExample,
  successStatuses: [200],
  errors: ["NOT_FOUND"],
  run: async (ctx, { params: { id }, query }) => ({
    status: 200,
    body: await getDmarc(ctx, id, query),
  }),
});
