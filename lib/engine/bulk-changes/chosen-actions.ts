import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { BulkRefusal } from "@/db/enums";
import { assignments } from "@/db/names";
import { type bulkChanges, contacts, lists } from "@/db/schema";
import { hasName } from "@/lib/domain/contact-fields/bulk-changes";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { sayWhoChanges } from "@/lib/domain/contacts/changing";
import { changedBy, writtenConsentChanges } from "@/lib/domain/contacts/consent-changes";
import { eraseContact } from "@/lib/domain/contacts/delete";
import type { ContactRow } from "@/lib/domain/contacts/rows";
import { mostTags } from "@/lib/domain/contacts/schema";
import { joinMany, takeOffMany } from "@/lib/domain/lists/join-many";
import { byIds } from "@/lib/ground/by-id";
import type { Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import { laterThan } from "@/lib/ground/updates/stale";

type Change = typeof bulkChanges.$inferSelect;

export interface Outcome {
  /** uuids */
  changed: string[];
  refused: Partial<Record<BulkRefusal, number>>;
}

type Actor = Pick<Context, "projectId" | "actor" | "requestId" | "platformTokenId">;

/** Does to these contacts (uuids) what the change asks for, and tells of it as for each alone. */
export async function actOn(
  tx: Transaction,
  ctx: Actor,
  change: Change,
  ids: readonly string[],
): Promise<Outcome> {
  switch (change.action) {
    case "tag":
    case "untag":
      return changeTags(tx, ctx, change, ids);
    case "unsubscribe":
      return unsubscribe(tx, ctx, ids);
    case "delete":
      return erase(tx, ctx, ids);
    case "join_list": {
      const { origin, actorId } = changedBy(ctx);
      const by = { source: "added", origin, actorId } as const;
      const testMode = change.startedBy?.testMode ?? false;
      const list = await listOf(tx, change);
      const { joined, ...refused } = await joinMany(tx, list, ids, { ...by, testMode });
      return { changed: joined, refused };
    }
    case "leave_list": {
      const { takenOff, leftList } = await takeOffMany(tx, await listOf(tx, change), ids);
      return { changed: takenOff, refused: { leftList } };
    }
    default:
      throw new Error(`${change.action} is not done to chosen contacts.`);
  }
}

async function listOf(tx: Transaction, { projectId, listId }: Change) {
  const [list] = await tx
    .select()
    .from(lists)
    .where(and(eq(lists.projectId, projectId), eq(lists.id, listId ?? "")))
    .for("key share");
  if (!list) throw new AppError("NOT_FOUND", inEnglish("The list has been deleted meanwhile."));
  return list;
}

/** Locked in one order, so that two who change the same people do not wait for each other. */
const locked = (projectId: string, ids: readonly string[]): SQL => sql`locked as materialized (
    select ${c.id}, ${c.consent} as before from ${contacts} c
    where ${byIds(c, projectId, ids)}
    order by ${c.id} for update)`;

async function changeTags(
  tx: Transaction,
  ctx: Actor,
  { action, name }: Change,
  ids: readonly string[],
): Promise<Outcome> {
  const { projectId } = ctx;
  await sayWhoChanges(tx, changedBy(ctx));
  const has = hasName(action, name);
  const [effect, tags] =
    action === "tag"
      ? [
          sql`not (${has}) and cardinality(${c.tags}) < ${mostTags}`,
          sql`${c.tags} || array[${name}]::text[]`,
        ]
      : [has, sql`array_remove(${c.tags}, ${name})`];
  const rows = await tx.execute<{ id: string }>(sql`
    with ${locked(projectId, ids)}
    update ${contacts} c set ${assignments(contacts, { tags, updatedAt: laterThan(c.updatedAt) })}
    from locked where ${c.id} = locked.id and ${effect}
    returning ${c.id}`);
  const changed = rows.map(({ id }) => id);
  await emitContactEvents(
    tx,
    projectId,
    changed.map((contactId) => ({ type: "contact.updated", contactId })),
  );
  if (action === "untag") return { changed, refused: {} };
  const [full] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from ${contacts} c
    where ${byIds(c, projectId, ids)} and not (${has})`);
  return { changed, refused: { tagLimit: full?.count ?? 0 } };
}

async function unsubscribe(tx: Transaction, ctx: Actor, ids: readonly string[]): Promise<Outcome> {
  const { projectId } = ctx;
  const { origin, actorId } = changedBy(ctx);
  const rows = await tx.execute<{ contact_id: string }>(sql`
    with ${locked(projectId, ids)}, changed as (
      update ${contacts} c set ${assignments(contacts, {
        consent: sql`'unsubscribed'`,
        updatedAt: laterThan(c.updatedAt),
      })}
      from locked where ${c.id} = locked.id and locked.before <> 'unsubscribed'
      returning ${c.projectId}, ${c.id} as contact_id, locked.before, ${c.consent}
    ), remembered as (
      ${writtenConsentChanges(sql`changed`, { origin: sql`${origin}`, actorId: sql`${actorId}::uuid` })}
    )
    select contact_id from changed`);
  const changed = rows.map((row) => row.contact_id);
  await emitContactEvents(
    tx,
    projectId,
    changed.flatMap((contactId) =>
      (["contact.updated", "contact.unsubscribed"] as const).map((type) => ({ type, contactId })),
    ),
  );
  return { changed, refused: {} };
}

async function erase(tx: Transaction, ctx: Actor, ids: readonly string[]): Promise<Outcome> {
  const rows = await tx
    .select({ id: contacts.id, email: contacts.email })
    .from(contacts)
    .where(byIds(contacts, ctx.projectId, ids))
    .orderBy(contacts.id)
    .for("update");
  for (const row of rows satisfies Pick<ContactRow, "id" | "email">[]) {
    await eraseContact(tx, ctx, row);
  }
  return { changed: rows.map(({ id }) => id), refused: {} };
}
