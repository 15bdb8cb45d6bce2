import { sql, type SQL } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import type { Consent } from "@/db/enums";
import { retryConflicts } from "@/db/errors";
import { moveMembership, type Membership } from "@/lib/domain/lists/membership";
import { contactToken, readConfirmToken } from "@/lib/mail/tracking/tokens";
import type { Confirmation } from "./schema";

/** A link that asks for confirmation works this long after its mail. */
const confirmationDays = 30;

interface Row extends Membership, Record<string, unknown> {
  project: string;
  list: string;
  email: string;
  consent: Consent;
  fresh: boolean;
}

async function findRow(executor: Executor, subscriberId: string, lock: SQL): Promise<Row | null> {
  const [row] = await executor.execute<Row>(sql`
    select s.id, s.project_id, s.list_id, s.contact_id, s.status, p.name as project,
      l.name as list, c.email, c.consent,
      s.updated_at > app_now() - make_interval(days => ${confirmationDays}) as fresh
    from subscribers s join lists l on l.id = s.list_id join contacts c on c.id = s.contact_id
      join projects p on p.id = s.project_id
    where s.id = ${subscriberId} ${lock}`);
  return row ?? null;
}

function toConfirmation(row: Row | null): Confirmation {
  if (!row) {
    return {
      ...{ state: "gone", project: "", list: "", email: "", token: "" },
      ...{ subscribed: false, leftAll: false },
    };
  }
  return {
    state: row.status !== "unconfirmed" ? "used" : row.fresh ? "open" : "expired",
    project: row.project,
    list: row.list,
    email: row.email,
    subscribed: row.status === "subscribed",
    leftAll: row.consent === "unsubscribed",
    token: contactToken(row.contact_id, row.list_id),
  };
}

/** What a confirmation link asks, and where it stands. Changes nothing. null: the token is not ours. */
export async function getConfirmation(db: Database, token: string): Promise<Confirmation | null> {
  const subscriberId = readConfirmToken(token);
  return subscriberId === null ? null : toConfirmation(await findRow(db, subscriberId, sql``));
}

/**
 * Confirms: unconfirmed becomes subscribed, and nothing else does, so that an old link brings nobody back
 * who has left since. Resolves to how the link then stands. null: the token is not ours.
 */
export async function confirmSubscription(
  db: Database,
  token: string,
): Promise<Confirmation | null> {
  const subscriberId = readConfirmToken(token);
  if (!subscriberId) return null;
  return retryConflicts(() =>
    db.transaction(async (tx) => {
      // The contact first, as every statement locks them.
      const row = await findRow(tx, subscriberId, sql`for update of c, s`);
      if (row?.status !== "unconfirmed" || !row.fresh) return toConfirmation(row);
      await moveMembership(tx, row, "subscribed", { testMode: false });
      return toConfirmation(await findRow(tx, subscriberId, sql``));
    }),
  );
}
