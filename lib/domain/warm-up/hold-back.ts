import { sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import { contacts, emails } from "@/db/schema";
import { awakeOfMine, campaignsOf, untried } from "./usage";
import type { WarmupRow } from "./plan";

/** Ranks of people who never opened anything: those never written to before those who did not care. */
const unknown = 10_000;
const indifferent = 20_000;

/**
 * SQL of how soon a person's mail is let out, the smallest first: days since they last opened or clicked
 * anything; then those whom nothing was sent yet, the newest first; then those who let all of it lie.
 */
export const rankOf = (contactId: SQL, since: SQL) => sql`(
  select case
    when max(greatest(e.opened_at, e.clicked_at)) is not null
      then extract(epoch from app_now() - max(greatest(e.opened_at, e.clicked_at))) / 86400
    when count(*) = 0
      then ${sql.raw(String(unknown))}
        + least(9999, extract(epoch from app_now() - ${since}) / 86400)
    else ${sql.raw(String(indifferent))} + count(*)
  end::real
  from ${emails} e where e.contact_id = ${contactId} and e.sent_at is not null)`;

/** What an email has that waits for the warm-up. */
export const waitingColumns = (contactId: SQL, since: SQL) => ({
  dueAt: sql`null::timestamptz`,
  warmupRank: rankOf(contactId, since),
});

/**
 * Lets campaign mail wait that nobody has begun with: all of it, or, with a number, all of what is
 * paused and so much of the rest. Under the plan's lock. Resolves to how much.
 */
export async function holdBack(
  tx: Transaction,
  owner: Pick<WarmupRow, "domainId" | "projectId">,
  most: number | "all",
): Promise<number> {
  const limited = most === "all" ? sql`` : sql`limit ${Math.max(0, most)}`;
  const chosen = (status: "SENDING" | "PAUSED") => sql`
      select ${emails.id} from mine join ${emails} on ${awakeOfMine}
      where mine.status = ${status} and ${untried}`;
  const { count } = await tx.execute(sql`
    with ${campaignsOf(owner)}, paused as materialized (
      ${chosen("PAUSED")} for update of ${emails} skip locked
    ), sending as materialized (
      ${chosen("SENDING")} order by ${emails.dueAt} desc ${limited} for update of ${emails} skip locked
    ), chosen as (select id from paused union all select id from sending)
    update ${emails} set ${assignments(emails, {
      ...waitingColumns(
        sql`${emails.contactId}`,
        sql`coalesce((select ${contacts.createdAt} from ${contacts}
          where ${contacts.id} = ${emails.contactId}), app_now())`,
      ),
      asleep: sql`false`,
    })}
    from chosen where ${emails.id} = chosen.id`);
  return count;
}
