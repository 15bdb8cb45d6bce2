import { z } from "zod";
import {
  domainStatuses,
  recordProblems,
  recordPurposes,
  sesFaultKinds,
  sesStatuses,
} from "@/db/enums";
import { toALabel } from "@/lib/mail/address";
import { warmupSummary } from "@/lib/domain/warm-up/schema";
import { longCursor, pageQuery } from "@/lib/ground/paging/schema";
import { isMailboxProvider } from "./names";

/** Longest name whose DKIM host (selector and _domainkey) still fits into 253 characters. */
const longestName = 220;

/** A host name as typed, Unicode and a trailing dot included, as its A-label; null when it is none. */
export function normalizeDomainName(text: string): string | null {
  const name = text.trim().replace(/\.$/, "");
  if (/[/?#:@\\\s]/.test(name)) return null;
  const ascii = toALabel(name);
  return ascii && !ascii.includes("_") && ascii.length <= longestName ? ascii : null;
}

const domainName = z
  .string()
  .max(500)
  .refine(
    (text) => normalizeDomainName(text) !== null,
    "is not a domain name like mail.example.com",
  )
  .meta({ description: "Domain name, in Unicode or as A-label.", example: "mail.example.com" });

const ownDomain = domainName.refine(
  (text) => !isMailboxProvider(normalizeDomainName(text) ?? ""),
  "belongs to a provider of mailboxes: add a domain of your own, where you can publish DNS records",
);

export const domainCreate = z
  .strictObject({
    name: ownDomain.optional(),
    domain: ownDomain.optional().meta({ description: "The same as `name`." }),
  })
  .meta({ id: "DomainCreate" });

export const domainUpdate = z
  .strictObject({
    tracking: z
      .strictObject({ opens: z.boolean().optional(), clicks: z.boolean().optional() })
      .optional()
      .meta({
        description: "What is counted for its mail when a send or a campaign does not say.",
      }),
    inbound: z.boolean().optional().meta({
      description:
        "Whether mail to its addresses is taken, once it is verified. Its records then show the MX record to publish.",
    }),
    trackingHost: domainName.nullable().optional().meta({
      description:
        "A host below the domain, under which the links of its mail then lead instead of this server's own: `links.mail.example.com`. Its records then show the CNAME record to publish. null: this server's own.",
      example: "links.mail.example.com",
    }),
    connectionId: z.string().max(100).nullable().optional().meta({
      description:
        "Id of the sending connection that its mail leaves through; null: the project's standard one, else the installation's mail server.",
    }),
  })
  .meta({ id: "DomainUpdate", description: "Only the given fields change." });

const domainRecord = z
  .object({
    purpose: z.enum(recordPurposes),
    type: z.enum(["TXT", "MX", "CNAME"]),
    name: z.string().meta({ description: "Full host name, without a trailing dot." }),
    value: z.string().meta({ description: "What to publish." }),
    priority: z.int().optional().meta({ description: "Only for an MX record." }),
    required: z.boolean().meta({ description: "Whether the domain needs it to be verified." }),
    status: z.enum(domainStatuses).meta({
      description: "PENDING until the first look-up, and while no name server answers.",
    }),
    found: z.array(z.string()).meta({ description: "What the last look-up found at the name." }),
    problem: z
      .object({
        kind: z.enum(recordProblems),
        message: z.string(),
      })
      .nullable()
      .meta({ description: "What is wrong with it; null when nothing is." }),
  })
  .meta({ id: "DomainRecord" });

const sesStatus = z.enum(sesStatuses).nullable();

const sesRecord = domainRecord
  .omit({ purpose: true })
  .extend({ type: z.enum(["MX", "TXT"]) })
  .meta({ id: "SesRecord" });

const sesIdentity = z
  .object({
    connectionId: z.string().nullable().meta({
      description: "Id of the sending connection whose account it is; null: the installation's.",
    }),
    region: z.string().meta({ example: "eu-central-1" }),
    status: z.enum(domainStatuses).meta({
      description:
        "Whether Amazon SES takes mail from the domain. It is told of the domain once that is verified here.",
    }),
    error: z.string().nullable().meta({
      description: "Its word for why it could not verify the domain, such as `HOST_NOT_FOUND`.",
    }),
    dkim: sesStatus.meta({
      description:
        "How far it has come with the DKIM key, which is the one of the domain's DKIM record; null: not told of it.",
    }),
    mailFrom: z
      .object({
        host: z.string(),
        status: sesStatus,
      })
      .meta({
        description: "The domain that it sends from; until that works, it sends from its own.",
      }),
    records: z.array(sesRecord).meta({
      description:
        "What to publish for the MAIL FROM domain. Mail leaves without; DMARC then rests on DKIM alone.",
    }),
    problem: z
      .object({ kind: z.enum(sesFaultKinds), message: z.string() })
      .nullable()
      .meta({
        description:
          "Why it did not do what was asked of it last, in its own words; it is asked again by itself.",
      }),
    checkedAt: z.iso.datetime().nullable(),
    nextCheckAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "SesIdentity" });

export const domain = z
  .object({
    id: z.string().meta({ example: "dom_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    name: z.string().meta({ description: "A-label in lower case." }),
    status: z.enum(domainStatuses),
    builtIn: z.boolean().meta({
      description: "Needs no DNS records: `sandbox.test`, while mail is captured, not sent.",
    }),
    verifiedAt: z.iso.datetime().nullable(),
    checkedAt: z.iso.datetime().nullable().meta({ description: "When it was last looked up." }),
    nextCheckAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the next automatic look-up is due; null: not until you ask." }),
    tracking: z
      .object({ opens: z.boolean(), clicks: z.boolean() })
      .meta({ description: "Whether opens and clicks of its mail are counted." }),
    inbound: z
      .boolean()
      .meta({ description: "Whether mail to its addresses is taken: `GET /v1/inbound`." }),
    trackingHost: z
      .string()
      .nullable()
      .meta({ description: "The host of its own that links in its mail are to lead to." }),
    trackingHostActive: z.boolean().meta({
      description:
        "Whether they do: its CNAME record was found, and the host answers. Until then links lead to this server's own.",
    }),
    connectionId: z
      .string()
      .nullable()
      .meta({ description: "Id of the sending connection that its mail leaves through." }),
    warmup: warmupSummary.meta({
      description: "How its campaign mail grows; `GET /v1/domains/{id}/warmup` says more.",
    }),
    records: z.array(domainRecord),
    ses: z.array(sesIdentity).meta({
      description:
        "What Amazon SES makes of the domain, for each account and region there that its mail may leave through; mostly none.",
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Domain" });

export const domainQuery = pageQuery.extend({
  search: z.string().trim().max(253).optional().meta({ description: "Part of the name." }),
  status: z.enum(domainStatuses).optional(),
});

/** The dashboard's list. A project has few domains: nothing but their ids has an index. */
export const domainListQuery = domainQuery.extend({
  cursor: longCursor,
  sort: z.enum(["-createdAt", "createdAt", "name", "-name"]).optional(),
});
export type DomainQuery = z.infer<typeof domainListQuery>;
export type DomainCreate = z.infer<typeof domainCreate>;
export type DomainUpdate = z.infer<typeof domainUpdate>;
export type DomainRecord = z.infer<typeof domainRecord>;
export type SesIdentity = z.infer<typeof sesIdentity>;
export type Domain = z.infer<typeof domain>;
