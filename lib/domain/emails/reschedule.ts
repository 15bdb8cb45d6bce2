import { sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { addFigures } from "@/lib/ground/counters/counters";
import { decodeId } from "@/lib/ground/ids/ids";
import { checkSchedule, databaseTime } from "./normalize";
import { failureData } from "@/lib/ground/events/failure-data";

/*
 * Only mail that waits can be moved or cancelled: PENDING and not claimed. The condition stands in the
 * statement itself, so that a worker's claim and a cancellation cannot both win.
 */
const waits = sql`status = 'PENDING' and lease_id is null and due_at is not null`;

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
      const [known] = await tx.execute<{ status: string; campaign: boolean }>(sql`
        select status, campaign_id is not null as campaign from emails where project_id = ${ctx.projectId} and id = ${uuid}`);
      if (!known) throw notFound();
      throw new AppError(
        "CONFLICT",
        known.status === "PENDING"
          ? known.campaign && action === "reschedule"
            ? "The email is a campaign's: pause or schedule the campaign."
            : "The email is being handed over."
          : `The email is not waiting any more: it is ${known.status}.`,
      );
    }
    await audit(tx, ctx, `${action}.email`, id);
  });
}

/** Takes mail that waits back: it ends FAILED. Throws NOT_FOUND, CONFLICT. */
export function cancelEmail(ctx: Context, id: string): Promise<void> {
  return change(ctx, id, "cancel", async (tx, uuid) => {
    const rows = await tx.execute(sql`
      with cancelled as (
        update emails set status = 'FAILED', due_at = null
        where project_id = ${ctx.projectId} and id = ${uuid} and ${waits}
        returning id, project_id, campaign_id, 1 as settled, 1 as failed
      ), counted as (${addFigures("cancelled", ["settled", "failed"])})
      insert into email_events (project_id, email_id, name, data)
      select project_id, id, 'failed', ${JSON.stringify(failureData("cancelled"))}::jsonb from cancelled returning id`);
    return rows.length > 0;
  });
}

/**
 * Moves mail that waits to another time, at most 30 days ahead; a campaign's goes when the campaign does.
 * Throws NOT_FOUND, CONFLICT, VALIDATION_ERROR.
 */
export function rescheduleEmail(
  ctx: Context,
  id: string,
  input: { scheduledAt: string },
): Promise<void> {
  return change(ctx, id, "reschedule", async (tx, uuid) => {
    const scheduledAt = checkSchedule(input.scheduledAt, "", await databaseTime(tx));
    const rows = await tx.execute(sql`
      update emails set due_at = ${scheduledAt}, attempts = 0, asleep = ${scheduledAt} > app_now()
      where project_id = ${ctx.projectId} and id = ${uuid} and ${waits} and campaign_id is null
      returning id, pg_notify('emails_due', '')`);
    return rows.length > 0;
  });
}
