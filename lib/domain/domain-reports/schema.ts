import { z } from "zod";

const longestPeriod = 90;

export const dmarcQuery = z.strictObject({
  days: z.coerce.number().int().min(1).max(longestPeriod).default(30).meta({
    description: "How many UTC days back, today included.",
  }),
});

const amount = z.int().meta({ description: "Mails." });
const record = z.object({
  name: z.string().meta({ description: "Full host name, without a trailing dot." }),
  value: z.string().meta({ description: "What to publish, as a TXT record." }),
});

const dmarcSource = z
  .object({
    address: z.string().meta({ description: "The server's IP address." }),
    name: z.string().nullable().meta({
      description: "What the address's owner calls it (reverse DNS), which proves nothing.",
    }),
    sender: z.string().nullable().meta({
      description: "The service that its mail was proven to come from, where we know it.",
    }),
    ours: z.boolean().meta({ description: "This installation." }),
    messages: amount,
    aligned: amount,
    dkimAligned: amount,
    spfAligned: amount,
    quarantined: amount,
    rejected: amount,
    headerFrom: z.array(z.string()).meta({ description: "Domains of its From addresses." }),
    domains: z.array(z.string()).meta({ description: "Domains that passed DKIM or SPF there." }),
  })
  .meta({ id: "DmarcSource" });

export const adviceCodes = [
  "not_published",
  "no_reports",
  "ours_unaligned",
  "unaligned_source",
  "go_to_quarantine",
  "go_to_reject",
  "well",
  "wait",
] as const;

export const dmarc = z
  .object({
    period: z.object({
      from: z.iso.date(),
      to: z.iso.date(),
      reports: z.int(),
      reporters: z.array(z.string()).meta({ description: "Domains that reported, by their mail." }),
    }),
    totals: z.object({
      messages: amount,
      aligned: amount.meta({ description: "Mails whose DKIM or SPF was aligned: DMARC passed." }),
      dkimAligned: amount,
      spfAligned: amount,
      quarantined: amount,
      rejected: amount,
    }),
    days: z.array(z.object({ day: z.iso.date(), aligned: amount, unaligned: amount })),
    sources: z.array(dmarcSource).meta({ description: "The 50 with the most mail." }),
    otherSources: z.int().meta({ description: "How many more there were." }),
    advice: z.array(z.object({ code: z.enum(adviceCodes), message: z.string() })).meta({
      description: "What to do, in sentences, the most urgent first.",
    }),
    reporting: z
      .object({
        address: z.string().meta({ description: "Takes reports of this domain alone." }),
        published: z.boolean().meta({ description: "Whether the record that is found names it." }),
        policy: z
          .enum(["none", "quarantine", "reject"])
          .nullable()
          .meta({ description: "What the record that is found asks receivers to do." }),
        record: record.meta({ description: "Yours, with our address added." }),
        elsewhere: z
          .object({
            address: z.string(),
            authorization: record.meta({ description: "At the installation's host." }),
          })
          .meta({
            description:
              "For those who cannot publish the return path: an address at the installation's host, which has to authorize it (RFC 7489, section 7.1).",
          }),
      })
      .meta({ description: "How receivers come to send reports." }),
    tls: z
      .object({
        record,
        reports: z.int(),
        successful: z.int().meta({ description: "Sessions to the domain's mail servers." }),
        failed: z.int(),
        days: z
          .array(z.object({ day: z.iso.date(), successful: z.int(), failed: z.int() }))
          .meta({ description: "The same by day; days without reports are missing." }),
        failures: z.array(
          z.object({
            type: z.string().meta({ description: "In the words of RFC 8460, section 4.3." }),
            receivingHost: z.string().nullable(),
            sessions: z.int(),
            advice: z.string().meta({ description: "What to do about it, in a sentence or two." }),
          }),
        ),
      })
      .meta({ description: "Reports on TLS of mail to the domain (RFC 8460)." }),
  })
  .meta({ id: "Dmarc" });

export type Dmarc = z.infer<typeof dmarc>;
export type DmarcSource = Dmarc["sources"][number];
