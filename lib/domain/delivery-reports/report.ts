import { findRelayedEmails } from "@/lib/domain/emails/relayed-messages";
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { EmailEventName, EmailStatus, SuppressionReason } from "@/db/enums";
import { retryConflicts } from "@/db/errors";
import { assignments, insertSelected, newIdOf } from "@/db/names";
import { emailEvents, emailQueue, emails } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { addWarmupFigures } from "@/lib/domain/warm-up/figures";
import { firstTimesAfter, statusAfter } from "@/lib/domain/emails/status";
import { notFound } from "@/lib/ground/errors";
import { addFigureDeltas, type FigureName } from "@/lib/ground/counters/counters";
import { metrics } from "@/lib/ground/metrics/metrics";
import { decodeId } from "@/lib/ground/ids/ids";
import { emailEventColumns, emailEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import { bouncesOf, isNewlyDelayed, isReportedDelivered, isWornOut } from "./noted";
import { suppressedRecipients } from "./suppression";

/** What another mail server, or a person's mail program, reports about one email. */
export type DeliveryReport =
  | { kind: "delivered" }
  /** hard: the address is no good. gaveUp: whatever the reason was, nobody tries again. */
  | { kind: "bounced"; hard: boolean; gaveUp?: boolean }
  /** A server goes on trying. */
  | { kind: "delayed" }
  | { kind: "complained"; type: string }
  | { kind: "failed" };

/*
 * report       email        contact                              repeated
 * delivered    DELIVERED                                         nothing
 *   once read  an event                                          nothing
 * delayed      an event                                          nothing
 * soft bounce  an event     the fifth without a delivery: hard   nothing
 *   given up   BOUNCED      the same                             nothing
 * hard bounce  BOUNCED      suppressed, memberships bounced      nothing
 * complained   COMPLAINED   suppressed, unsubscribed, complained nothing
 * failed       FAILED                                            nothing
 * The status moves by the ladder of lib/domain/emails/status.ts: a late report takes nothing away.
 */

interface EmailRow extends Record<string, unknown> {
  id: string;
  project_id: string;
  campaign_id: string | null;
  variant: number | null;
  contact_id: string | null;
  recipient: string | null;
  status: EmailStatus;
  next_status: EmailStatus;
  was_sent: boolean;
  was_delivered: boolean;
}

/** The effect of a report on one email; null: nothing new. */
interface Effect {
  event: EmailEventName;
  data: Record<string, unknown>;
  status: EmailStatus | null;
  suppress: SuppressionReason | null;
  /** It confirms what was known from the reader alone. */
  confirms?: true;
}

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
  const [taken] = await db
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.projectId, projectId), eq(emails.providerId, headerId)))
    .limit(1);
  return taken?.id ?? null;
}

const targets = {
  delivered: "DELIVERED",
  // Moves nothing.
  delayed: "PENDING",
  bounced: "BOUNCED",
  complained: "COMPLAINED",
  failed: "FAILED",
} as const satisfies Record<DeliveryReport["kind"], EmailStatus>;

async function lockEmail(
  tx: Transaction,
  projectId: string,
  id: string,
  target: EmailStatus,
): Promise<EmailRow> {
  // Who records a result takes the queue's row first, then the email's.
  await tx
    .select({ id: emailQueue.emailId })
    .from(emailQueue)
    .where(eq(emailQueue.emailId, id))
    .for("update");
  const [row] = await tx.execute<EmailRow>(sql`
    select ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant},
      ${emails.contactId}, ${emails.recipient}, ${emails.status},
      ${sql.raw(statusAfter("emails.status", `'${target}'`))} as next_status,
      ${emails.sentAt} is not null as was_sent, ${emails.deliveredAt} is not null as was_delivered
    from ${emails} where ${emails.projectId} = ${projectId} and ${emails.id} = ${id} for update`);
  if (!row) throw notFound();
  return row;
}

async function effectOf(
  tx: Transaction,
  email: EmailRow,
  report: DeliveryReport,
): Promise<Effect | null> {
  const moves = email.next_status !== email.status;
  switch (report.kind) {
    case "delivered":
      if (!email.was_delivered) return moves ? plain("delivered", "DELIVERED") : null;
      return (await isReportedDelivered(tx, email))
        ? null
        : { event: "delivered", data: {}, status: null, suppress: null, confirms: true };
    case "delayed":
      return (await isNewlyDelayed(tx, email))
        ? { event: "deferred", data: {}, status: null, suppress: null }
        : null;
    case "failed":
      return moves ? plain("failed", "FAILED") : null;
    case "complained":
      return moves
        ? {
            event: "complained",
            data: { type: report.type },
            status: "COMPLAINED",
            suppress: "complaint",
          }
        : null;
    case "bounced": {
      const bounces = await bouncesOf(tx, email);
      if (bounces.includes("hard") || (!report.hard && bounces.length > 0)) return null;
      const hard = report.hard || (await isWornOut(tx, email));
      const ends = hard || report.gaveUp === true;
      return {
        event: "bounced",
        data: { type: hard ? "hard" : "soft" },
        status: ends && moves ? "BOUNCED" : null,
        suppress: hard ? "hard_bounce" : null,
      };
    }
  }
}

function plain(event: EmailEventName, status: EmailStatus): Effect {
  return { event, data: {}, status, suppress: null };
}

/** What is added to the figures: first times only. */
function figuresOf(
  email: EmailRow,
  { status, confirms }: Effect,
): Partial<Record<FigureName, number>> {
  if (status === null) return confirms ? { inferred: -1 } : {};
  const arrived = status === "DELIVERED" || status === "COMPLAINED";
  // Mail that a server refused was handed over, too.
  const handedOver = arrived || (status === "BOUNCED" && email.status === "PENDING");
  const takenBack = status === "FAILED" && email.was_sent;
  return {
    settled: email.status === "PENDING" ? 1 : 0,
    // Sent and failed add up to what was settled: an email is one of them.
    sent: takenBack ? -1 : !email.was_sent && handedOver ? 1 : 0,
    delivered: arrived && !email.was_delivered ? 1 : 0,
    inferred: status === "COMPLAINED" && !email.was_delivered ? 1 : 0,
    bounced: status === "BOUNCED" ? 1 : 0,
    complained: status === "COMPLAINED" ? 1 : 0,
    failed: status === "FAILED" ? 1 : 0,
  };
}

async function apply(tx: Transaction, email: EmailRow, effect: Effect): Promise<void> {
  const { status, suppress } = effect;
  // Nothing is left to be done for an email that came to its end, and a try under way no longer counts.
  await tx.execute(sql`
    with gone as (
      delete from ${emailQueue}
      where ${emailQueue.emailId} = ${email.id} and ${status}::text is not null
      returning ${emailQueue.attempts}
    ), email as (
      update ${emails} set ${assignments(emails, {
        status: sql`coalesce(${status}::text, ${emails.status})`,
        attempts: sql`coalesce((select attempts from gone), ${emails.attempts})`,
        ...firstTimesAfter(sql`${status}::text`),
      })}
      where ${emails.id} = ${email.id}
      returning ${emails.id}, ${emails.projectId}, ${emails.contactId}, ${emails.recipient},
        ${suppress}::text as suppress
    ), noted as (
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`${effect.event}`,
        data: sql`${JSON.stringify(effect.data)}::jsonb`,
      })} from email
      returning ${emailEventColumns}
    ), deliveries as (
      ${emailEventDeliveries(sql`noted`)}
    ), ${suppressedRecipients("email")}
    select ${wakeDeliveries(sql`deliveries`)}, ${wakeDeliveries(sql`contacts_told`)}`);
  const figures = figuresOf(email, effect);
  await addFigureDeltas(tx, [
    {
      projectId: email.project_id,
      campaignId: email.campaign_id,
      variant: email.variant,
      ...figures,
    },
  ]);
  await addWarmupFigures(tx, email.id, figures);
}

/** How a report came here. */
export type ReportWay = "notification" | "mail" | "provider";

/**
 * Records what somebody else reports of an email, found by its Message-ID or its id: in one transaction,
 * once. Throws NOT_FOUND. Needs editor.
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
  const taken = await retryConflicts(() =>
    db.transaction(async (tx) => {
      const email = await lockEmail(tx, projectId, emailId, targets[report.kind]);
      const effect = await effectOf(tx, email, report);
      if (effect) await apply(tx, email, { ...effect, data: { ...effect.data, ...more } });
      return Boolean(effect);
    }),
  );
  if (taken) metrics.reports.inc({ kind: report.kind, way: more.via });
}
