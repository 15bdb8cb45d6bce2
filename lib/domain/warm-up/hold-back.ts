import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import { contacts, emailQueue, emails } from "@/db/schema";
import { queuedIn } from "@/lib/ground/queue/email-queue";
import { awakeOfMine, campaignsOf, untried } from "./usage";
import type { WarmupRow } from "./plan";

const e = alias(emails, "e");

/** Ranks of people who never opened anything: those never written to before those who did not care. */
const unknown = 10_000;
const indifferent = 20_000;

/**
 * SQL for how soon a person's mail is let out, the smallest number first: days since they last opened or clicked
 * anything; then those who have been sent nothing yet, the newest first; then those who ignored all of it.
 */
export const rankOf = (contactId: SQL, since: SQL) => sql`(
  select case
    when max(greatest(${e.openedAt}, ${e.clickedAt})) is not null
      then extract(epoch from app_now() - max(greatest(${e.openedAt}, ${e.clickedAt}))) / 86400
    when count(*) = 0
      then ${sql.raw(String(unknown))}
        + least(9999, extract(epoch from app_now() - ${since}) / 86400)
    else ${sql.raw(String(indifferent))} + count(*)
  end::real
  from ${emails} ${e} where ${e.contactId} = ${contactId} and ${e.sentAt} is not null)`;

/** Columns of the queue's row for an email that waits for the warm-up. */
export const waitingColumns = (contactId: SQL, since: SQL) => ({
  dueAt: sql`null::timestamptz`,
  warmupRank: rankOf(contactId, since),
});

/**
 * Makes campaign mail that no worker has begun wait: all of it, or, with a number, all that is
 * paused and that much of the rest. Under the plan's lock. Resolves to how much.
 */
export async function holdBack(
  tx: Transaction,
  owner: Pick<WarmupRow, "domainId" | "projectId">,
  most: number | "all",
): Promise<number> {
  const limited = most === "all" ? sql`` : sql`limit ${Math.max(0, most)}`;
  const chosen = (status: "SENDING" | "PAUSED") => sql`
      select ${emailQueue.emailId} from mine join ${emailQueue} on ${awakeOfMine}
      where mine.status = ${status} and ${untried}`;
  const { count } = await tx.execute(sql`
    with ${campaignsOf(owner)}, paused as materialized (
      ${chosen("PAUSED")} for update of ${emailQueue} skip locked
    ), sending as materialized (
      ${chosen("SENDING")}
      order by ${emailQueue.place} desc, ${emailQueue.emailId} desc ${limited}
      for update of ${emailQueue} skip locked
    ), chosen as (select email_id from paused union all select email_id from sending)
    update ${emailQueue} set ${assignments(
      emailQueue,
      waitingColumns(
        sql`${emails.contactId}`,
        sql`coalesce((select ${contacts.createdAt} from ${contacts}
          where ${contacts.id} = ${emails.contactId}), app_now())`,
      ),
    )}
    from ${emails}
    where ${queuedIn("chosen", "email_id")} and ${emails.id} = ${emailQueue.emailId}`);
  return count;
}
