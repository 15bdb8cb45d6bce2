import { findNamedEmail } from "@/lib/domain/emails/message-ids";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { metrics } from "@/lib/ground/metrics/metrics";
import type { DeliveryReport } from "./effect";
import { recordTogether } from "./record-together";

export type { DeliveryReport } from "./effect";

const longestDescription = 2000;

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
  const id = await findNamedEmail(ctx, messageId);
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
