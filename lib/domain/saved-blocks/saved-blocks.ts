import { and, asc, eq, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { savedBlocks } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { lockProject } from "@/lib/ground/project-lock";
import { bringBack, keepDeleted } from "@/lib/ground/updates/bring-back";
import { refuseDuplicate } from "@/lib/ground/updates/duplicates";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { blocks } from "@/lib/mail/design/schema";
import {
  mostSavedBlocks,
  type SavedBlock,
  type SavedBlockInput,
  type SavedBlockList,
  type SavedBlockUpdate,
} from "./schema";

type Row = typeof savedBlocks.$inferSelect;

const parts = [{ table: savedBlocks, by: savedBlocks.id }];

const toSavedBlock = (row: Row): SavedBlock => ({
  id: encodeId("savedBlock", row.id),
  name: row.name,
  content: row.content as SavedBlock["content"],
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Throws CONFLICT when another saved block has the name. */
const withUniqueName = <T>(name: string, write: () => Promise<T>): Promise<T> =>
  refuseDuplicate(
    write,
    () =>
      new AppError("CONFLICT", `There is already a saved block called ${name} in this project.`, [
        { path: "name", message: "is the name of another saved block" },
      ]),
  );

async function findRow(executor: Executor, ctx: Context, id: string): Promise<Row> {
  const uuid = decodeId("savedBlock", id);
  if (!uuid) throw notFound();
  const [row] = await executor
    .select()
    .from(savedBlocks)
    .where(and(eq(savedBlocks.projectId, ctx.projectId), eq(savedBlocks.id, uuid)))
    .for("update");
  if (!row) throw notFound();
  return row;
}

/** All of the project's saved blocks, by name. */
export async function listSavedBlocks(ctx: Context): Promise<SavedBlockList> {
  requireRole(ctx, "viewer");
  const rows = await ctx.db
    .select()
    .from(savedBlocks)
    .where(eq(savedBlocks.projectId, ctx.projectId))
    .orderBy(sql`lower(${savedBlocks.name})`, asc(savedBlocks.id));
  return { data: rows.map(toSavedBlock) };
}

/** Throws CONFLICT when there are as many as there may be. */
async function requireRoom(tx: Transaction, ctx: Context): Promise<void> {
  await lockProject(tx, ctx.projectId);
  const existing = await tx.$count(savedBlocks, eq(savedBlocks.projectId, ctx.projectId));
  if (existing < mostSavedBlocks) return;
  throw new AppError(
    "CONFLICT",
    `This project has ${mostSavedBlocks} saved blocks: delete one first.`,
  );
}

/** Throws CONFLICT: the name is taken, or there are a hundred. Needs editor. */
export async function createSavedBlock(ctx: Context, input: SavedBlockInput): Promise<SavedBlock> {
  requireRole(ctx, "editor");
  const content = blocks.parse(input.content);
  return withUniqueName(input.name, () =>
    ctx.db.transaction(async (tx) => {
      await requireRoom(tx, ctx);
      const [row] = await tx
        .insert(savedBlocks)
        .values({
          id: newId(ctx.projectId),
          projectId: ctx.projectId,
          name: input.name,
          content,
        })
        .returning();
      if (!row) throw new Error("An insert returned no row.");
      const saved = toSavedBlock(row);
      await audit(tx, ctx, "create.savedBlock", saved.id, { name: saved.name });
      return saved;
    }),
  );
}

/**
 * Mails that the blocks were put into before stay as they are. Throws NOT_FOUND; CONFLICT: the name is taken, or they
 * were changed since `basedOn`. Needs editor.
 */
export async function updateSavedBlock(
  ctx: Context,
  id: string,
  { name, content, basedOn }: SavedBlockUpdate,
): Promise<SavedBlock> {
  requireRole(ctx, "editor");
  return withUniqueName(name ?? "", () =>
    ctx.db.transaction(async (tx) => {
      const before = await findRow(tx, ctx, id);
      refuseStale(basedOn, before.updatedAt);
      const [row] = await tx
        .update(savedBlocks)
        .set({
          ...(name !== undefined && { name }),
          ...(content !== undefined && { content: blocks.parse(content) }),
          updatedAt: laterThan(savedBlocks.updatedAt),
        })
        .where(eq(savedBlocks.id, before.id))
        .returning();
      if (!row) throw notFound();
      const saved = toSavedBlock(row);
      await audit(tx, ctx, "update.savedBlock", saved.id, { name: saved.name });
      return saved;
    }),
  );
}

/** Mails that it was put into keep its content. Throws NOT_FOUND. Needs editor. */
export async function deleteSavedBlock(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const { id: uuid, name } = await findRow(tx, ctx, id);
    await keepDeleted(tx, ctx, uuid, parts);
    await tx.delete(savedBlocks).where(eq(savedBlocks.id, uuid));
    await audit(tx, ctx, "delete.savedBlock", encodeId("savedBlock", uuid), { name });
  });
}

/**
 * Takes a deletion back within ten minutes. Throws NOT_FOUND; CONFLICT: the name is taken, or there are a hundred.
 * Needs editor.
 */
export async function restoreSavedBlock(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const uuid = decodeId("savedBlock", id);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    await requireRoom(tx, ctx);
    await bringBack(tx, ctx, uuid, parts);
    const { name } = await findRow(tx, ctx, id);
    await audit(tx, ctx, "create.savedBlock", id, { name, restored: true });
  });
}
