import { and, eq } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { goals } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { lockProject } from "@/lib/ground/project-lock";
import { refuseDuplicate } from "@/lib/ground/updates/duplicates";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { validate } from "@/lib/ground/validate";
import { readGoals } from "./progress";
import { goalInput, type Goal, type GoalInput, type GoalList, type GoalUpdate } from "./schema";
import { goalName, mostGoals } from "./terms";

type Row = typeof goals.$inferSelect;

/** Throws CONFLICT when the figure has a goal for the period. */
const withOwnPeriod = <T>(
  which: Pick<GoalInput, "figure" | "period">,
  write: () => Promise<T>,
): Promise<T> =>
  refuseDuplicate(
    write,
    () =>
      new AppError(
        "CONFLICT",
        `This project has a goal “${goalName(which)}” already: change that one.`,
        [{ path: "period", message: "is the period of another goal for the same figure" }],
      ),
  );

async function findRow(executor: Executor, ctx: Context, id: string): Promise<Row> {
  const uuid = decodeId("goal", id);
  if (!uuid) throw notFound();
  const [row] = await executor
    .select()
    .from(goals)
    .where(and(eq(goals.projectId, ctx.projectId), eq(goals.id, uuid)))
    .for("update");
  if (!row) throw notFound();
  return row;
}

/** The goal with its progress, once it is written and in the log. */
async function written(
  tx: Transaction,
  ctx: Context,
  action: "create.goal" | "update.goal",
  row: Row,
): Promise<Goal> {
  const id = encodeId("goal", row.id);
  const details = { name: goalName(row), target: row.target };
  await audit(tx, ctx, action, id, details);
  const goal = (await readGoals(tx, ctx.projectId)).find((one) => one.id === id);
  if (!goal) throw new Error("A goal that was written is not read.");
  return goal;
}

/** All of the project's goals with their progress, those of the shortest periods first. */
export async function listGoals(ctx: Context): Promise<GoalList> {
  requireRole(ctx, "viewer");
  return { data: await readGoals(ctx.db, ctx.projectId) };
}

/** Throws CONFLICT: the figure has a goal for the period, or there are twelve. Needs editor. */
export async function createGoal(ctx: Context, input: GoalInput): Promise<Goal> {
  requireRole(ctx, "editor");
  return withOwnPeriod(input, () =>
    ctx.db.transaction(async (tx) => {
      const { projectId } = ctx;
      await lockProject(tx, projectId);
      if ((await tx.$count(goals, eq(goals.projectId, projectId))) >= mostGoals) {
        throw new AppError("CONFLICT", `This project has ${mostGoals} goals: delete one first.`);
      }
      const [row] = await tx
        .insert(goals)
        .values({ id: newId(projectId), projectId, ...input })
        .returning();
      if (!row) throw new Error("An insert returned no row.");
      return written(tx, ctx, "create.goal", row);
    }),
  );
}

/**
 * Throws NOT_FOUND; VALIDATION_ERROR: the target is none of its figure; CONFLICT: the figure has another goal for the
 * period, or this one was changed since `basedOn`. Needs editor.
 */
export async function updateGoal(
  ctx: Context,
  id: string,
  { basedOn, ...changes }: GoalUpdate,
): Promise<Goal> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    const before = await findRow(tx, ctx, id);
    refuseStale(basedOn, before.updatedAt);
    const { figure, period, target } = { ...before, ...changes };
    const after = validate(goalInput, { figure, period, target });
    const [row] = await withOwnPeriod(after, () =>
      tx
        .update(goals)
        .set({ ...after, updatedAt: laterThan(goals.updatedAt) })
        .where(eq(goals.id, before.id))
        .returning(),
    );
    if (!row) throw notFound();
    return written(tx, ctx, "update.goal", row);
  });
}

/** Throws NOT_FOUND. Needs editor. */
export async function deleteGoal(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const row = await findRow(tx, ctx, id);
    await tx.delete(goals).where(eq(goals.id, row.id));
    await audit(tx, ctx, "delete.goal", id, { name: goalName(row), target: row.target });
  });
}
