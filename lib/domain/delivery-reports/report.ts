import { and, eq } from "drizzle-orm";
import { emails } from "@/db/schema";
import { findRelayedEmails } from "@/lib/domain/emails/relayed-messages";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { metrics } from "@/lib/ground/metrics/metrics";
import type { DeliveryReport } from "./effect";
import { recordTogether } from "./record-together";

export type { DeliveryReport } from "./effect";

const longestDescription = 2000;

/**
 * The uuid that a Message-ID names: one of ours or of a relay's client, an email's own id, or what a provider that took
 * it calls it. Null for any other, and for a client's that went to several people: which of them it speaks of cannot be told.
 */
export async function findReportedEmail(
  { db, projectId }: Pick<Context, "db" | "projectId">,
  messageId: string,
): Promise<string | null> {
  const headerId = messageId.trim().replace(/^<|>$/g, "");
  const own = decodeId("email", headerId.split("@", 1)[0] ?? "");
  if (own) return own;
  const [email, another] = await findRelayedEmails(db, projectId, headerId);
  if (another !== undefined) return null;
  if (email !== undefined) return email;
  // Amazon SES makes the Message-ID of its own id: <id@eu-central-1.amazonses.com>.
  const providerId = headerId.replace(/@[a-z0-9-]+\.amazonses\.com$/i, "");
  const [taken] = await db
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.projectId, projectId), eq(emails.providerId, providerId)))
    .limit(1);
  return taken?.id ?? null;
}

/** How a report came here. */
export type ReportWay = "notification" | "mail" | "provider";

/**
 * Records what somebody else reports of an email, found by its Message-ID or its id: once,
 * resolving after the commit. Throws NOT_FOUND. Needs editor.
 */
export async function recordReport(
  ctx: Context,
  messageId: string,
  report: DeliveryReport,
  description = "",
): Promise<void> {
  requireRole(ctx, "editor");
  const id = await findReportedEmail(ctx, messageId);
  if (!id) throw notFound();
  const words = description.slice(0, longestDescription).toWellFormed();
  await recordReportOf(ctx, id, report, {
    ...(words ? { description: words } : {}),
    via: "notification",
  });
}

/** The same for an email by its uuid; `more` stands in the event's data. Whoever calls knows that it may. */
export async function recordReportOf(
  { db, projectId }: Pick<Context, "db" | "projectId">,
  emailId: string,
  report: DeliveryReport,
  more: Record<string, unknown> & { via: ReportWay },
): Promise<void> {
  const taken = await recordTogether(db, { emailId, projectId, report, more });
  if (taken) metrics.reports.inc({ kind: report.kind, way: more.via });
}
