import { z } from "zod";
import type { DomainStatus, RecordPurpose } from "@/db/enums";
import type { Domain } from "@/lib/domain/sending-domains/schema";

const capability = z.enum(["enabled", "disabled"]);

export const domainListed = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(["pending", "verified", "failed", "not_started"]),
  created_at: z.string(),
  capabilities: z.object({ sending: capability, receiving: capability }),
  open_tracking: z.boolean(),
  click_tracking: z.boolean(),
  tracking_subdomain: z.string().optional(),
});

export const domainShown = domainListed.extend({
  object: z.literal("domain"),
  records: z.array(
    z.object({
      record: z.string(),
      name: z.string(),
      type: z.enum(["TXT", "MX", "CNAME"]),
      value: z.string(),
      ttl: z.literal("Auto"),
      status: z.enum(["pending", "verified", "failed"]),
      priority: z.int().optional(),
    }),
  ),
});

const statuses = {
  PENDING: "pending",
  VERIFIED: "verified",
  FAILED: "failed",
} as const satisfies Record<DomainStatus, string>;

/** Resend counts the return path's records as SPF; it has no words for DMARC and TLS reports. */
const recordNames = {
  DKIM: "DKIM",
  SPF: "SPF",
  RETURN_PATH: "SPF",
  INBOUND: "Receiving",
  TRACKING: "Tracking",
  DMARC: "DMARC",
  TLS_RPT: "TLS-RPT",
} as const satisfies Record<RecordPurpose, string>;

/** `links` for the host `links.mail.example.com` of `mail.example.com`. */
function subdomainOf({ name, trackingHost }: Domain): string | undefined {
  return trackingHost?.endsWith(`.${name}`) ? trackingHost.slice(0, -name.length - 1) : undefined;
}

export function toListed(domain: Domain): z.infer<typeof domainListed> {
  const subdomain = subdomainOf(domain);
  return {
    id: domain.id,
    name: domain.name,
    status:
      domain.status === "PENDING" && domain.checkedAt === null
        ? "not_started"
        : statuses[domain.status],
    created_at: domain.createdAt,
    capabilities: { sending: "enabled", receiving: domain.inbound ? "enabled" : "disabled" },
    open_tracking: domain.tracking.opens,
    click_tracking: domain.tracking.clicks,
    ...(subdomain === undefined ? {} : { tracking_subdomain: subdomain }),
  };
}

export function toShown(domain: Domain): z.infer<typeof domainShown> {
  return {
    object: "domain",
    ...toListed(domain),
    records: domain.records.map(({ purpose, name, type, value, status, priority }) => ({
      record: recordNames[purpose],
      ...{ name, type, value },
      ttl: "Auto",
      status: statuses[status],
      ...(priority === undefined ? {} : { priority }),
    })),
  };
}
