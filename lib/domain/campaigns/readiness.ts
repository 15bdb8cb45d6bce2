import { and, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { contacts, domains, templates, type campaigns } from "@/db/schema";
import { missingInVariants } from "@/lib/domain/ab-tests/settings";
import { domainOf } from "@/lib/mail/address";
import { unverifiedSender } from "@/lib/domain/emails/unverified-sender";
import { env } from "@/lib/ground/env/env";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { AppError, invalid, type FieldError } from "@/lib/ground/errors";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { audienceCondition, findFilter, hasList } from "./audience";

export type CampaignRow = typeof campaigns.$inferSelect;
type Content = Pick<CampaignRow, "subject" | "fromEmail" | "html" | "templateId" | "abTest">;

/** What a campaign needs before it can be sent, and lacks, in the terms of its input. */
export function missingFields(content: Content): FieldError[] {
  const faults: FieldError[] = [];
  if (!content.subject.trim()) faults.push({ path: "subject", message: "is required" });
  if (!content.fromEmail) faults.push({ path: "from", message: "is required" });
  const ownContent = content.abTest?.variants.every(({ html }) => html !== undefined) ?? false;
  if (!content.html?.trim() && content.templateId === null && !ownContent) {
    faults.push({ path: "body", message: "is required unless a template is given" });
  }
  return [...faults, ...missingInVariants(content.abTest)];
}

/** VALIDATION_ERROR for several fields at once; null for none. */
export function faulty(faults: readonly FieldError[]): AppError | null {
  const [first] = faults;
  return first ? new AppError("VALIDATION_ERROR", `${first.path}: ${first.message}`, faults) : null;
}

/** Whether the project has the template. */
export async function hasTemplate(
  executor: Executor,
  projectId: string,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<boolean> {
  const query = executor
    .select({ id: templates.id })
    .from(templates)
    .where(and(eq(templates.projectId, projectId), eq(templates.id, id)));
  const [row] = await (lock ? query.for("key share") : query);
  return row !== undefined;
}

/** Whether mail may go out under this sender, and whether what decides an A/B test is tracked. */
async function findSenderProblem(executor: Executor, row: CampaignRow): Promise<AppError | null> {
  const { projectId } = row;
  const name = domainOf(row.fromEmail);
  const [domain] = await executor
    .select({
      status: domains.status,
      trackOpens: domains.trackOpens,
      trackClicks: domains.trackClicks,
    })
    .from(domains)
    .where(and(eq(domains.projectId, projectId), eq(domains.name, name)));
  if (domain?.status !== "VERIFIED") return unverifiedSender(executor, projectId, name, "from");
  const metric = row.abTest?.winnerMetric;
  const counted = {
    opens: row.trackOpens ?? domain.trackOpens,
    clicks: row.trackClicks ?? domain.trackClicks,
  };
  return metric === undefined || counted[metric]
    ? null
    : invalid("abTest.winnerMetric", `is ${metric}, which this campaign does not track`);
}

/** One-click unsubscribing needs https (RFC 8058), but a laptop and the simulated people of sandbox.test do not. */
async function findAddressProblem(
  executor: Executor,
  projectId: string,
  choice: { filter: SegmentFilter | null; listId: string | null; topicId: string | null },
): Promise<AppError | null> {
  const { protocol, hostname } = new URL(env().APP_URL);
  if (protocol === "https:" || isLoopback(hostname)) return null;
  const outside = await executor.execute(sql`
    select 1 from ${contacts} c
    where ${audienceCondition(projectId, choice)} and ${c.email} not ilike '%@sandbox.test' limit 1`);
  return outside.length === 0
    ? null
    : new AppError(
        "CONFLICT",
        "Campaigns need an APP_URL with https, so that unsubscribe links work; this installation's does not use https.",
      );
}

/**
 * What keeps a campaign from being sent now, as the error to throw: VALIDATION_ERROR (incomplete, or its
 * segment, list or template is gone), DOMAIN_NOT_VERIFIED, CONFLICT (APP_URL without https).
 */
export async function findProblem(executor: Executor, row: CampaignRow): Promise<AppError | null> {
  const faults = missingFields(row);
  const gone = (path: string, what: string) =>
    faults.push({ path, message: `names a ${what} that no longer exists` });
  // Anybody who deletes one of these in the meantime waits, and then finds it in use.
  const lock = { lock: true };
  const { projectId, segmentId, listId, templateId } = row;
  const filter = segmentId && (await findFilter(executor, projectId, segmentId, lock));
  if (segmentId && !filter) gone("segmentId", "segment");
  if (listId && !(await hasList(executor, projectId, listId, lock))) gone("listId", "list");
  if (templateId && !(await hasTemplate(executor, projectId, templateId, lock))) {
    gone("templateId", "template");
  }
  return (
    faulty(faults) ??
    (await findSenderProblem(executor, row)) ??
    (await findAddressProblem(executor, projectId, {
      ...{ filter: filter || null, listId, topicId: row.topicId },
    }))
  );
}
