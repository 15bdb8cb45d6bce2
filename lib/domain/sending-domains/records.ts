import type { RecordPurpose } from "@/db/enums";
import { env } from "@/lib/ground/env/env";
import { reportAddressOf } from "@/lib/mail/domain-reports/address";
import { isMx } from "@/lib/mail/smtp-server-url";
import { returnPathHost } from "@/lib/mail/return-path";

/** What a domain's owner is asked to publish. */
export interface ExpectedRecord {
  purpose: RecordPurpose;
  type: "TXT" | "MX" | "CNAME";
  /** Full host name, without a trailing dot. */
  name: string;
  value: string;
  /** For an MX record. */
  priority?: number;
  /** Whether the domain needs it to be verified. */
  required: boolean;
}

/** Host of a DKIM record (RFC 6376, section 3.6.2.1). */
export function dkimHost(selector: string, name: string): string {
  return `${selector}._domainkey.${name}`;
}

/** Host of a DMARC record (RFC 7489, section 6.1). */
export function dmarcHost(name: string): string {
  return `_dmarc.${name}`;
}

/** Host of a record that asks for reports on TLS (RFC 8460, section 3). */
export function tlsReportingHost(name: string): string {
  return `_smtp._tls.${name}`;
}

/** The host that receives bounces and mail to projects' domains, in lower case, without a trailing dot. */
export function bounceExchange(): string {
  return env().MAIL_HOSTNAME.toLowerCase().replace(/\.$/, "");
}

/** Where people reach the product, and domains' own hosts point: APP_URL's host. */
export function appHost(): string {
  return new URL(env().APP_URL).hostname;
}

/**
 * The SPF mechanisms that cover this installation: the addresses of SENDING_IPS, then SPF_INCLUDE. With
 * neither, the addresses that MAIL_HOSTNAME, the name mail is sent under, resolves to.
 */
export function spfMechanisms(): string[] {
  const { SENDING_IPS, SPF_INCLUDE, MAIL_TRANSPORT } = env();
  const mechanisms = SENDING_IPS.map((entry) => `ip${entry.includes(":") ? 6 : 4}:${entry}`);
  // Mail sent straight to receivers comes from this machine, whoever else sends for the domain.
  if (isMx(MAIL_TRANSPORT) && mechanisms.length === 0) mechanisms.push(`a:${bounceExchange()}`);
  if (SPF_INCLUDE) mechanisms.push(`include:${SPF_INCLUDE}`);
  return mechanisms.length > 0 ? mechanisms : [`a:${bounceExchange()}`];
}

/** The records a domain asks for, in the order people publish them. Built-in domains ask for none. */
export function expectedRecords(domain: {
  /** uuid */
  id: string;
  name: string;
  selector: string;
  dkimPublicKey: string;
  builtIn: boolean;
  inbound: boolean;
  trackingHost: string | null;
}): ExpectedRecord[] {
  if (domain.builtIn) return [];
  return [
    {
      purpose: "DKIM",
      type: "TXT",
      name: dkimHost(domain.selector, domain.name),
      value: `v=DKIM1; k=rsa; p=${domain.dkimPublicKey}`,
      required: true,
    },
    {
      purpose: "SPF",
      type: "TXT",
      name: returnPathHost(domain.name),
      value: ["v=spf1", ...spfMechanisms(), "~all"].join(" "),
      required: true,
    },
    {
      purpose: "RETURN_PATH",
      type: "MX",
      name: returnPathHost(domain.name),
      value: bounceExchange(),
      priority: 10,
      required: false,
    },
    {
      purpose: "DMARC",
      type: "TXT",
      name: dmarcHost(domain.name),
      value: `v=DMARC1; p=none; rua=mailto:${reportAddressOf("dmarc", domain)};`,
      required: true,
    },
    ...(domain.trackingHost === null
      ? []
      : [
          {
            purpose: "TRACKING" as const,
            type: "CNAME" as const,
            name: domain.trackingHost,
            value: appHost(),
            required: false,
          },
        ]),
    ...(domain.inbound
      ? [
          {
            purpose: "INBOUND" as const,
            type: "MX" as const,
            name: domain.name,
            value: bounceExchange(),
            priority: 10,
            required: false,
          },
          {
            purpose: "TLS_RPT" as const,
            type: "TXT" as const,
            name: tlsReportingHost(domain.name),
            value: `v=TLSRPTv1; rua=mailto:${reportAddressOf("tls", domain)}`,
            required: false,
          },
        ]
      : []),
  ];
}
