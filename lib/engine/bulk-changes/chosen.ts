import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import type { BulkRefusal } from "@/db/enums";
import { bulkChangeChunks, bulkChanges, contacts } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { starterOf, storeChosen } from "@/lib/domain/contact-fields/chosen";
import { undoOf } from "@/lib/domain/contact-fields/terms";
import { recount } from "@/lib/domain/contact-fields/survey";
import { contactSelection } from "@/lib/domain/contacts/selection";
import { byIds } from "@/lib/ground/by-id";
import { systemContext } from "@/lib/ground/context";
import { actOn } from "./chosen-actions";
import { leaseEnd } from "./lease";

type Change = typeof bulkChanges.$inferSelect;

/** One chunk of a change to chosen contacts, or its end. The caller has locked the change's row. */
export async function takeChosenStep(
  db: Database,
  tx: Transaction,
  change: Change,
): Promise<{ changed: number; more: boolean }> {
  const own = eq(bulkChanges.id, change.id);
  const { startedBy, projectId } = change;
  if (startedBy === null) {
    await choose(db, tx, change);
    return { changed: 0, more: true };
  }
  const position = change.chunksDone;
  const ofChunk = and(
    eq(bulkChangeChunks.changeId, change.id),
    eq(bulkChangeChunks.position, position),
  );
  const [chunk] = await tx
    .select({ ids: bulkChangeChunks.contactIds })
    .from(bulkChangeChunks)
    .where(ofChunk);
  if (!chunk) {
    await end(tx, change);
    return { changed: 0, more: false };
  }
  const { ids } = chunk;
  const present = await tx.$count(contacts, byIds(contacts, projectId, ids));
  const ctx = { ...systemContext(db, projectId), ...startedBy };
  const { changed, refused } = await actOn(tx, ctx, change, ids);
  if (undoOf(change.action) !== null) {
    await tx.update(bulkChangeChunks).set({ changedIds: changed }).where(ofChunk);
  }
  await tx
    .update(bulkChanges)
    .set({
      chunksDone: position + 1,
      processed: sql`${bulkChanges.processed} + ${ids.length}`,
      changed: sql`${bulkChanges.changed} + ${changed.length}`,
      refused: added(change.refused, { ...refused, gone: ids.length - present }),
      failedSteps: 0,
      dueAt: leaseEnd,
    })
    .where(own);
  return { changed: changed.length, more: true };
}

function added(before: Change["refused"], more: Change["refused"]): Change["refused"] {
  const sum = { ...before };
  for (const [reason, count] of Object.entries(more) as [BulkRefusal, number][]) {
    if (count > 0) sum[reason] = (sum[reason] ?? 0) + count;
  }
  return sum;
}

/** For changes that a version began which did not write down whom they are about. */
async function choose(db: Database, tx: Transaction, change: Change): Promise<void> {
  const ctx = systemContext(db, change.projectId);
  const { conditions } = await contactSelection(ctx, change.filter ?? {});
  await storeChosen(tx, change, conditions);
  await tx
    .update(bulkChanges)
    .set({ startedBy: starterOf(ctx), processed: 0, dueAt: leaseEnd })
    .where(eq(bulkChanges.id, change.id));
}

async function end(tx: Transaction, change: Change): Promise<void> {
  await tx
    .update(bulkChanges)
    .set({ status: "COMPLETED", leaseId: null, dueAt: null, finishedAt: now })
    .where(eq(bulkChanges.id, change.id));
  if (undoOf(change.action) === null) {
    await tx.delete(bulkChangeChunks).where(eq(bulkChangeChunks.changeId, change.id));
  }
  await recount(tx, change.projectId);
}
