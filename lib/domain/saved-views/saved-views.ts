import { and, asc, eq, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { memberships, savedViews } from "@/db/schema";
import { askingMember } from "@/lib/domain/users/prove";
import type { Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { refuseDuplicate } from "@/lib/ground/updates/duplicates";
import {
  mostViews,
  type SavedView,
  type SavedViewInput,
  type SavedViewList,
  type SavedViewQuery,
  type SavedViewUpdate,
} from "./schema";

const toView = (row: typeof savedViews.$inferSelect): SavedView => ({
  id: encodeId("savedView", row.id),
  page: row.page,
  name: row.name,
  query: row.query,
  createdAt: row.createdAt.toISOString(),
});

/** The asking member's own. Throws NOT_ALLOWED for keys and tokens: they stand for no person. */
const ownViews = (ctx: Context) =>
  and(eq(savedViews.projectId, ctx.projectId), eq(savedViews.userId, askingMember(ctx)));

/** One of the asking member's own. Throws NOT_FOUND for an id that cannot be one, NOT_ALLOWED. */
function ownView(ctx: Context, id: string): SQL | undefined {
  const own = ownViews(ctx);
  const uuid = decodeId("savedView", id);
  if (!uuid) throw notFound();
  return and(own, eq(savedViews.id, uuid));
}

/** Throws CONFLICT when another view of the page has the name. */
const withUniqueName = <T>(write: () => Promise<T>): Promise<T> =>
  refuseDuplicate(
    write,
    () =>
      new AppError("CONFLICT", "You have a view of this name already.", [
        { path: "name", message: "is the name of another view of yours" },
      ]),
  );

/** What the asking member has saved, in the order they saved it. Throws NOT_ALLOWED. */
export async function listSavedViews(
  ctx: Context,
  { page }: SavedViewQuery = {},
): Promise<SavedViewList> {
  const rows = await ctx.db
    .select()
    .from(savedViews)
    .where(and(ownViews(ctx), page && eq(savedViews.page, page)))
    .orderBy(asc(savedViews.id));
  return { data: rows.map(toView) };
}

/** Lets one request at a time count a member's views. */
async function lockMember(tx: Transaction, ctx: Context): Promise<string> {
  const userId = askingMember(ctx);
  const [member] = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.projectId, ctx.projectId), eq(memberships.userId, userId)))
    .for("no key update");
  if (!member) throw notFound();
  return member.userId;
}

/** Throws CONFLICT when the page has a view of the name, or the member has fifty; NOT_ALLOWED. */
export function createSavedView(ctx: Context, input: SavedViewInput): Promise<SavedView> {
  return withUniqueName(() =>
    ctx.db.transaction(async (tx) => {
      const userId = await lockMember(tx, ctx);
      if ((await tx.$count(savedViews, ownViews(ctx))) >= mostViews) {
        throw new AppError(
          "CONFLICT",
          `You have ${mostViews} saved views in this project: delete one first.`,
        );
      }
      const { projectId } = ctx;
      const [row] = await tx
        .insert(savedViews)
        .values({ id: newId(projectId), projectId, userId, ...input })
        .returning();
      if (!row) throw new Error("An insert returned no row.");
      return toView(row);
    }),
  );
}

/** Throws NOT_FOUND, also for somebody else's; CONFLICT when the page has another view of the name; NOT_ALLOWED. */
export function renameSavedView(
  ctx: Context,
  id: string,
  { name }: SavedViewUpdate,
): Promise<SavedView> {
  return withUniqueName(async () => {
    const [row] = await ctx.db.update(savedViews).set({ name }).where(ownView(ctx, id)).returning();
    if (!row) throw notFound();
    return toView(row);
  });
}

/** Throws NOT_FOUND, also for somebody else's; NOT_ALLOWED. */
export async function deleteSavedView(ctx: Context, id: string): Promise<void> {
  const rows = await ctx.db
    .delete(savedViews)
    .where(ownView(ctx, id))
    .returning({ id: savedViews.id });
  if (rows.length === 0) throw notFound();
}
