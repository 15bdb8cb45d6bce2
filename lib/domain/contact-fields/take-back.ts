import { and, eq, isNull } from "drizzle-orm";
import { sqlState } from "@/db/errors";
import { bulkChanges } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { tookTooLong } from "@/db/time-limit";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { newId } from "@/lib/ground/ids/ids";
import { slowRead } from "@/lib/ground/slow-reads";
import { findBulkChange, isUndoable, toBulkChange } from "./bulk-change-rows";
import { alreadyUnderWay, longestChoiceSeconds } from "./bulk-changes";
import { starterOf, storeChanged } from "./chosen";
import type { BulkChange } from "./schema";
import { isOfChosen, undoOf } from "./terms";

/**
 * Stops a change of chosen contacts where it is: those changed so far stay changed. Throws NOT_FOUND; CONFLICT when it
 * has ended, or renames or removes something, which must not stay half done. Needs editor.
 */
export async function cancelBulkChange(ctx: Context, id: string): Promise<BulkChange> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    // Waits for the chunk under way, which holds the row.
    const before = await findBulkChange(tx, ctx, id, true);
    if (!isOfChosen(before.action)) {
      throw new AppError("CONFLICT", "A field or tag cannot be left half changed.");
    }
    const [row] = await tx
      .update(bulkChanges)
      .set({ status: "CANCELLED", leaseId: null, dueAt: null, finishedAt: now })
      .where(and(eq(bulkChanges.id, before.id), isNull(bulkChanges.finishedAt)))
      .returning();
    if (!row) throw new AppError("CONFLICT", "The change has already ended.");
    await audit(tx, ctx, "cancel.bulkChange", id);
    return toBulkChange(row);
  });
}

/**
 * Starts the change that takes back what this one did: from exactly those whom it gave the tag, or to those whom it
 * took it from. Throws NOT_FOUND; CONFLICT when that cannot be done, or another change is under way. Needs editor.
 */
export async function undoBulkChange(ctx: Context, id: string): Promise<BulkChange> {
  requireRole(ctx, "editor");
  try {
    return await slowRead(ctx, longestChoiceSeconds, async (tx) => {
      const before = await findBulkChange(tx, ctx, id, true);
      const action = undoOf(before.action);
      if (action === null || !isUndoable(before)) {
        throw new AppError("CONFLICT", "This change cannot be taken back, or already was.");
      }
      const own = newId(ctx.projectId);
      await tx.insert(bulkChanges).values({
        id: own,
        projectId: ctx.projectId,
        action,
        name: before.name,
        stage: "clear",
        startedBy: starterOf(ctx),
        dueAt: now,
      });
      await storeChanged(tx, own, before.id);
      await tx.update(bulkChanges).set({ undone: true }).where(eq(bulkChanges.id, before.id));
      const [row] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, own));
      if (!row) throw new Error("An insert left no row.");
      await audit(tx, ctx, "undo.bulkChange", id);
      return toBulkChange(row);
    });
  } catch (error) {
    if (tookTooLong(error))
      throw new AppError("CONFLICT", "It took too long. Nothing was changed.");
    throw sqlState(error) === "23505" ? new AppError("CONFLICT", alreadyUnderWay) : error;
  }
}
