import { and, eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { domains } from "@/db/schema";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { domainOf } from "@/lib/mail/address";
import { t } from "@/lib/ground/texts/t";
import { advisory, field } from "./findings";
import type { AdvisoryFinding, Preflight } from "./schema";

export type SenderDomain = Pick<
  typeof domains.$inferSelect,
  "id" | "name" | "status" | "builtIn" | "checks" | "verifiedAt" | "trackOpens" | "trackClicks"
>;

/** The domain a campaign is sent from; null when the project has none of that name. */
export async function findSenderDomain(
  db: Database,
  { projectId, fromEmail }: CampaignRow,
): Promise<SenderDomain | null> {
  if (!fromEmail) return null;
  const [domain] = await db
    .select()
    .from(domains)
    .where(and(eq(domains.projectId, projectId), eq(domains.name, domainOf(fromEmail))));
  return domain ?? null;
}

/** The state of the sender's domain in a word, from its last look-up. */
export function summarizeSender(
  { fromEmail }: CampaignRow,
  domain: SenderDomain | null,
): Preflight["sender"] {
  if (!fromEmail) return null;
  const record = (domain?.checks.DMARC?.found ?? []).join(" ");
  const policy = /[;\s]p\s?=\s?(none|quarantine|reject)\b/i.exec(record)?.[1]?.toLowerCase();
  return {
    domain: domain?.name ?? domainOf(fromEmail),
    verified: domain?.status === "VERIFIED",
    dmarc: domain?.checks.DMARC?.ok ? ((policy as "none" | undefined) ?? null) : null,
  };
}

/** Faults in its DNS records that do not stop mail, but cost trust. */
export function judgeSender(domain: SenderDomain | null): AdvisoryFinding[] {
  if (!domain || domain.builtIn || domain.status !== "VERIFIED") return [];
  const findings: AdvisoryFinding[] = [];
  const { DMARC, DKIM, SPF, RETURN_PATH } = domain.checks;
  const places = [field("from")];
  if (DMARC && !DMARC.ok && DMARC.kind !== "unreachable") {
    findings.push(
      advisory(
        "dmarc_problem",
        t(
          "{domain} has no valid DMARC policy, which Gmail, Yahoo and Outlook require of bulk senders. {problem}",
          { domain: domain.name, problem: DMARC.problem },
        ).trim(),
        { places },
      ),
    );
  }
  for (const [name, check] of Object.entries({ DKIM, SPF, "return path": RETURN_PATH })) {
    if (!check || check.ok || check.kind === "unreachable") continue;
    // Without it, bounces still come back another way.
    if (name === "return path" && check.kind === "missing") continue;
    const message = t("The {record} record of {domain} is not correct. {problem}", {
      record: name,
      domain: domain.name,
      problem: check.problem,
    });
    findings.push(advisory("dns_problem", message.trim(), { places }));
  }
  return findings;
}
