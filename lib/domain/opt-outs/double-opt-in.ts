import { and, eq, isNotNull, isNull, not, sql } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { contacts, lists, personRequests, projects, subscribers } from "@/db/schema";
import { recordsOf } from "@/lib/domain/contact-states/merged";
import { keepEvidence, type Evidence } from "@/lib/domain/contacts/consent-changes";
import { changeMembership } from "@/lib/domain/lists/membership";
import { encodeId } from "@/lib/ground/ids/ids";
import { contactToken, isMailedTo, readConfirmToken } from "@/lib/mail/tracking/tokens";
import { languageIn } from "@/lib/ground/texts/texts";
import { brandColumns } from "./brand";
import type { Confirmation } from "./schema";

/** A link that asks for confirmation works this long after its mail. */
const confirmationDays = 30;

const fresh = sql<boolean>`${subscribers.updatedAt}
  > app_now() - make_interval(days => ${confirmationDays})`;

const selectMembership = (executor: Executor, subscriberId: string) =>
  executor
    .select({
      id: subscribers.id,
      projectId: subscribers.projectId,
      listId: subscribers.listId,
      contactId: subscribers.contactId,
      status: subscribers.status,
      brand: brandColumns,
      data: contacts.data,
      list: lists.name,
      email: contacts.email,
      consent: contacts.consent,
      fresh,
    })
    .from(subscribers)
    .innerJoin(lists, eq(lists.id, subscribers.listId))
    .innerJoin(contacts, eq(contacts.id, subscribers.contactId))
    .innerJoin(projects, eq(projects.id, subscribers.projectId))
    .where(eq(subscribers.id, subscriberId));
type Row = Awaited<ReturnType<typeof selectMembership>>[number];

function toConfirmation(row: Row | undefined): Confirmation {
  if (!row) {
    return {
      ...{ state: "gone", brand: null, person: null, list: "", listId: "" },
      ...{ email: "", token: "", subscribed: false, leftAll: false },
    };
  }
  return {
    state: row.status !== "unconfirmed" ? "used" : row.fresh ? "open" : "expired",
    brand: row.brand,
    person: languageIn(row.data),
    list: row.list,
    listId: encodeId("list", row.listId),
    email: row.email,
    subscribed: row.status === "subscribed",
    leftAll: row.consent === "unsubscribed",
    token: contactToken(row.contactId, row.listId),
  };
}

/**
 * Whether the link was mailed to the person: at their address, one that they had before a merge, or one that they
 * changed themselves. Where the project corrected it, the former one may be anybody's.
 */
async function isTheirs(executor: Executor, { contactId: id, email }: Row, token: string) {
  if (isMailedTo(token, [email])) return true;
  const { addresses } = await recordsOf(executor, { id, email });
  const moves = await executor
    .select({ from: personRequests.previousEmail })
    .from(personRequests)
    .where(
      and(
        eq(personRequests.contactId, id),
        isNotNull(personRequests.previousEmail),
        isNull(personRequests.undoneAt),
        not(personRequests.keptApart),
      ),
    );
  return isMailedTo(token, [...addresses, ...moves.flatMap(({ from }) => from ?? [])]);
}

/** What a confirmation link asks, and its state. Changes nothing. null when the token is not ours. */
export async function getConfirmation(db: Database, token: string): Promise<Confirmation | null> {
  const subscriberId = readConfirmToken(token);
  if (subscriberId === null) return null;
  const [row] = await selectMembership(db, subscriberId);
  return toConfirmation(row && (await isTheirs(db, row, token)) ? row : undefined);
}

/**
 * Confirms: unconfirmed becomes subscribed, and nothing else does, so that an old link brings nobody back
 * who has left since. Resolves to the link's new state, null when the token is not ours.
 */
export async function confirmSubscription(
  db: Database,
  token: string,
  evidence?: Evidence,
): Promise<Confirmation | null> {
  const subscriberId = readConfirmToken(token);
  if (!subscriberId) return null;
  return retryConflicts(() =>
    db.transaction(async (tx) => {
      // The contact first, as every statement locks them.
      const query = selectMembership(tx, subscriberId);
      const [row] = await query.for("update", { of: [contacts, subscribers] });
      if (!row || !(await isTheirs(tx, row, token))) return toConfirmation(undefined);
      if (row.status !== "unconfirmed" || !row.fresh) return toConfirmation(row);
      const kept = await keepEvidence(tx, row.projectId, evidence);
      const by = { origin: "confirmation", actorId: null, ...kept } as const;
      await changeMembership(tx, row, "subscribed", { testMode: false, by });
      const [confirmed] = await selectMembership(tx, subscriberId);
      return toConfirmation(confirmed);
    }),
  );
}
