import { eq, sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { BulkAction } from "@/db/enums";
import { insertSelected } from "@/db/names";
import { bulkChangeChunks, bulkChanges, contacts } from "@/db/schema";
import type { BulkStarter } from "@/db/schema/contact-fields";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { Context } from "@/lib/ground/context";

/**
 * Contacts of one transaction, which locks them: few where each takes long. Joining a list may write each of them a
 * mail, and deleting goes through every table.
 */
function chunkSize(action: BulkAction): number {
  if (action === "delete") return 25;
  return action === "join_list" ? 200 : 2_000;
}

export function starterOf({ actor, platformTokenId, testMode }: Context): BulkStarter {
  return {
    // An assistant acts for a person; the audit log records which assistant it was.
    actor: actor.type === "assistant" ? { type: "user", id: actor.userId } : actor,
    ...(platformTokenId === undefined ? {} : { platformTokenId }),
    testMode,
  };
}

/** Writes down whom the change is about: who meets the conditions on `contacts c` at this moment. */
export async function storeChosen(
  tx: Transaction,
  { id, action }: { id: string; action: BulkAction },
  conditions: readonly SQL[],
): Promise<void> {
  await tx.execute(sql`
    ${insertSelected(bulkChangeChunks, {
      changeId: sql`${id}::uuid`,
      position: sql`chosen.position`,
      contactIds: sql`array_agg(chosen.id order by chosen.id)`,
    })} from (
      select ${c.id}, ((row_number() over (order by ${c.id}) - 1) / ${chunkSize(action)}::int)::int as position
      from ${contacts} c where ${sql.join([...conditions], sql` and `)}
    ) chosen group by chosen.position`);
  await noteTotal(tx, id);
}

/** Writes down those whom another change has changed. */
export async function storeChanged(tx: Transaction, id: string, undone: string): Promise<void> {
  await tx.execute(sql`
    ${insertSelected(bulkChangeChunks, {
      changeId: sql`${id}::uuid`,
      position: sql`(row_number() over (order by ${bulkChangeChunks.position}) - 1)::int`,
      contactIds: sql`${bulkChangeChunks.changedIds}`,
    })} from ${bulkChangeChunks}
    where ${bulkChangeChunks.changeId} = ${undone} and cardinality(${bulkChangeChunks.changedIds}) > 0`);
  await noteTotal(tx, id);
}

const noteTotal = (tx: Transaction, id: string) =>
  tx
    .update(bulkChanges)
    .set({
      total: sql`(select coalesce(sum(cardinality(${bulkChangeChunks.contactIds})), 0)
        from ${bulkChangeChunks} where ${bulkChangeChunks.changeId} = ${id})`,
    })
    .where(eq(bulkChanges.id, id));
