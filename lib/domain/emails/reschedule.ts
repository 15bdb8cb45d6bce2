import { eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { assignments, insertSelected, newIdOf } from "@/db/names";
import { emailEvents, emailQueue, emails, messages } from "@/db/schema";
import { byId } from "@/lib/ground/by-id";
import { audit } from "@/lib/ground/audit";
import { requireLive, requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { addFigures } from "@/lib/ground/counters/counters";
import { decodeId } from "@/lib/ground/ids/ids";
import { newPlace } from "@/lib/ground/queue/email-queue";
import { announce } from "@/lib/ground/queue/announce";
import { checkSchedule, checkSendBefore, databaseTime } from "./normalize";
import { failureData } from "@/lib/ground/events/failure-data";

/*
 * Only waiting mail can be moved or cancelled: PENDING and not claimed. The condition is in the statement itself,
 * so that a worker's claim and a cancellation cannot both win.
 */
const waits = sql`${emails.id} = ${emailQueue.emailId} and ${emails.status} = 'PENDING'
  and ${emailQueue.leaseId} is null and ${emailQueue.dueAt} is not null`;

const owned = (ctx: Context, uuid: string) => byId(emails, ctx.projectId, uuid);

/** SQL: a test key moves and cancels what a test key has sent. */
const movable = ({ testMode }: Context) =>
  testMode
    ? sql`exists (select from ${messages} where ${messages.id} = ${emails.messageId} and ${messages.test})`
    : sql`true`;

async function change(
  ctx: Context,
  id: string,
  action: "cancel" | "reschedule",
  update: (tx: Transaction, uuid: string) => Promise<boolean>,
): Promise<void> {
  requireRole(ctx, "editor");
  const uuid = decodeId("email", id);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    if (!(await update(tx, uuid))) {
      const [email] = await tx
        .select({ status: emails.status, campaignId: emails.campaignId, test: messages.test })
        .from(emails)
        .innerJoin(messages, eq(messages.id, emails.messageId))
        .where(owned(ctx, uuid));
      if (!email) throw notFound();
      if (!email.test) requireLive(ctx);
      throw new AppError(
        "CONFLICT",
        email.status === "PENDING"
          ? email.campaignId !== null && action === "reschedule"
            ? "The email belongs to a campaign: pause or schedule the campaign."
            : "The email is being handed over."
          : `The email is no longer waiting: it is ${email.status}.`,
      );
    }
    await audit(tx, ctx, `${action}.email`, id);
  });
  if (action === "reschedule") announce(ctx.db, "emails_due");
}

/** Cancels waiting mail, which ends as FAILED. Throws NOT_FOUND, CONFLICT, and NOT_ALLOWED where a test key would cancel live mail. */
export function cancelEmail(ctx: Context, id: string): Promise<void> {
  return change(ctx, id, "cancel", async (tx, uuid) => {
    const rows = await tx.execute(sql`
      with gone as (
        delete from ${emailQueue} using ${emails}
        where ${emailQueue.emailId} = ${uuid} and ${owned(ctx, uuid)} and ${waits} and ${movable(ctx)}
        returning ${emailQueue.emailId}, ${emailQueue.attempts}
      ), cancelled as (
        update ${emails} set ${assignments(emails, {
          status: sql`'FAILED'`,
          attempts: sql`gone.attempts`,
        })}
        from gone where ${emails.id} = gone.email_id
        returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant},
          1 as settled, 1 as failed
      ), counted as (${addFigures("cancelled", ["settled", "failed"], { variants: true })})
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`'failed'`,
        data: sql`${JSON.stringify(failureData("cancelled"))}::jsonb`,
        // Whoever cancels it need not be notified.
        position: sql`null`,
      })} from cancelled returning ${emailEvents.id}`);
    return rows.length > 0;
  });
}

/**
 * Moves waiting mail to another time, at most 30 days ahead and before its deadline, if it has one; a campaign's mail
 * goes out when the campaign does. Throws NOT_FOUND, CONFLICT, VALIDATION_ERROR, and NOT_ALLOWED where a test key would
 * move live mail.
 */
export function rescheduleEmail(
  ctx: Context,
  id: string,
  input: { scheduledAt: string },
): Promise<void> {
  return change(ctx, id, "reschedule", async (tx, uuid) => {
    const now = await databaseTime(tx);
    const scheduledAt = checkSchedule(input.scheduledAt, "", now);
    const [moved] = await tx.execute<{ send_before: string | null }>(sql`
      update ${emailQueue} set ${assignments(emailQueue, {
        dueAt: sql`${scheduledAt}::timestamptz`,
        attempts: sql`0`,
        interruptedAttempts: sql`0`,
        asleep: sql`${scheduledAt}::timestamptz > app_now()`,
        place: newPlace,
      })}
      from ${emails}
      where ${emailQueue.emailId} = ${uuid} and ${owned(ctx, uuid)} and ${waits}
        and ${emails.campaignId} is null and ${movable(ctx)}
      returning ${emailQueue.sendBefore}`);
    if (moved?.send_before) checkSendBefore(moved.send_before, "", { now, scheduledAt });
    return moved !== undefined;
  });
}
