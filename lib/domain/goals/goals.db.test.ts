import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, goals } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { goalFigures, goalPeriods, type Role } from "@/db/enums";
import { newId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { createGoal, deleteGoal, listGoals, updateGoal } from "./goals";
import { goalInput, goalUpdate, type GoalInput } from "./schema";
import { goalRules, mostGoals } from "./terms";

const database = useTestDatabase();

const goalOf = (more: Partial<GoalInput> = {}): GoalInput =>
  validate(goalInput, { figure: "sent", period: "month", target: 1000, ...more });
const placesOf = (input: object) =>
  goalInput
    .safeParse({ figure: "sent", period: "week", target: 10, ...input })
    .error?.issues.map((issue) =>
      [...issue.path, ...(issue.code === "unrecognized_keys" ? issue.keys : [])].join("."),
    ) ?? [];
const conflict = (path: string) => ({ code: "CONFLICT", details: [{ path }] });

test("goals are set, changed and deleted, each of which is in the log", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  expect(await listGoals(ctx)).toEqual({ data: [] });
  const goal = await createGoal(ctx, goalOf());
  expect(goal).toMatchObject({
    ...{ figure: "sent", period: "month", target: 1000 },
    ...{ reached: 0, of: null, standing: expect.stringMatching(/onPace|behind/) as string },
  });
  expect(await listGoals(ctx)).toMatchObject({ data: [{ id: goal.id, target: 1000 }] });

  const changed = await updateGoal(ctx, goal.id, { target: 2000, basedOn: goal.updatedAt });
  expect(changed).toMatchObject({ id: goal.id, figure: "sent", period: "month", target: 2000 });
  expect(changed.updatedAt > goal.updatedAt).toBe(true);
  expect(await updateGoal(ctx, goal.id, { period: "week" })).toMatchObject({ target: 2000 });
  await deleteGoal(ctx, goal.id);
  expect(await listGoals(ctx)).toEqual({ data: [] });
  const gone = { code: "NOT_FOUND" };
  await expect(deleteGoal(ctx, goal.id)).rejects.toMatchObject(gone);
  await expect(updateGoal(ctx, goal.id, { target: 1 })).rejects.toMatchObject(gone);

  const log = await database.db
    .select({ action: auditLog.action, details: auditLog.details, target: auditLog.target })
    .from(auditLog)
    .where(sql`${auditLog.projectId} = ${projectId} and ${auditLog.action} like '%.goal'`)
    .orderBy(auditLog.id);
  const entry = (action: string, name: string, target: number) => ({
    ...{ action, target: goal.id, details: { name, target } },
  });
  expect(log).toEqual([
    entry("create.goal", "Emails sent this month", 1000),
    entry("update.goal", "Emails sent this month", 2000),
    entry("update.goal", "Emails sent this week", 2000),
    entry("delete.goal", "Emails sent this week", 2000),
  ]);
});

test("a change based on an older state is refused and changes nothing", async () => {
  const { ctx } = await makeProject(database.db);
  const goal = await createGoal(ctx, goalOf());
  const outcomes = await Promise.allSettled(
    [10, 20, 30].map((target) => updateGoal(ctx, goal.id, { target, basedOn: goal.updatedAt })),
  );
  const saved = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value.target] : []));
  expect(saved).toHaveLength(1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(conflict("basedOn"));
  }
  expect(await listGoals(ctx)).toMatchObject({ data: [{ target: saved[0] }] });
});

test("a figure has one goal in a period, however many ask at once", async () => {
  const { ctx } = await makeProject(database.db);
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4].map((n) => createGoal(ctx, goalOf({ target: n }))),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(createGoal(ctx, goalOf())).rejects.toMatchObject({
    ...conflict("period"),
    message: "This project has a goal “Emails sent this month” already: change that one.",
  });
  const week = await createGoal(ctx, goalOf({ period: "week" }));
  await createGoal(ctx, goalOf({ figure: "newContacts" }));
  await expect(updateGoal(ctx, week.id, { period: "month" })).rejects.toMatchObject(
    conflict("period"),
  );
  expect(await listGoals(ctx)).toMatchObject({
    data: [{ period: "week" }, { figure: "newContacts" }, { figure: "sent", period: "month" }],
  });
  // Another project has goals of its own.
  await createGoal((await makeProject(database.db)).ctx, goalOf());
});

test("a project has twelve goals, however many ask for the last one", async () => {
  const { ctx } = await makeProject(database.db);
  const all = goalPeriods.flatMap((period) =>
    goalFigures.map((figure) => goalOf({ figure, period, target: 5 })),
  );
  for (const input of all.slice(0, mostGoals - 2)) await createGoal(ctx, input);
  const outcomes = await Promise.allSettled(
    all.slice(mostGoals - 2).map((input) => createGoal(ctx, input)),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect((await listGoals(ctx)).data).toHaveLength(mostGoals);
  await expect(
    createGoal(ctx, goalOf({ period: "quarter", figure: "unsubscribeRate", target: 1 })),
  ).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("12 goals") as string,
  });
});

test.each<[Role, boolean]>([
  ["owner", true],
  ["admin", true],
  ["editor", true],
  ["viewer", false],
])("what a person may do who is %s", async (role, may) => {
  const { ctx, projectId } = await makeProject(database.db, { role });
  const [row] = await database.db
    .insert(goals)
    .values({ id: newId(projectId), projectId, figure: "sent", period: "week", target: 5 })
    .returning();
  const [goal] = (await listGoals(ctx)).data;
  expect(row && goal?.target).toBe(5);
  const id = goal?.id ?? "";
  for (const act of [
    () => createGoal(ctx, goalOf()),
    () => updateGoal(ctx, id, { target: 6 }),
    () => deleteGoal(ctx, id),
  ]) {
    const outcome = await act().then(
      () => null,
      (error: unknown) => error,
    );
    if (may) expect(outcome).toBeNull();
    else expect(outcome).toMatchObject({ code: "NOT_ALLOWED" });
  }
  if (!may) expect(await listGoals(ctx)).toMatchObject({ data: [{ target: 5 }] });
});

test("another project's goals are not found, nor is what is no goal's id", async () => {
  const { ctx } = await makeProject(database.db);
  const stranger = (await makeProject(database.db)).ctx;
  const { id } = await createGoal(ctx, goalOf());
  expect(await listGoals(stranger)).toEqual({ data: [] });
  for (const [who, which] of [
    [stranger, id],
    [ctx, id.replace("goal_", "top_")],
    [ctx, "nonsense"],
  ] as const) {
    const notFound = { code: "NOT_FOUND" };
    await expect(updateGoal(who, which, { target: 1 })).rejects.toMatchObject(notFound);
    await expect(deleteGoal(who, which)).rejects.toMatchObject(notFound);
  }
  expect(await listGoals(ctx)).toMatchObject({ data: [{ id, target: 1000 }] });
});

test.each([
  ["another figure", { figure: "revenue" }, "figure"],
  ["another period", { period: "year" }, "period"],
  ["no number", { target: "10" }, "target"],
  ["no end", { target: Infinity }, "target"],
  ["nothing to reach", { target: 0 }, "target"],
  ["half an email", { target: 1.5 }, "target"],
  ["more than there is", { target: 10, more: true }, "more"],
])("a goal of %s is refused, naming it", (_, input, place) => {
  expect(placesOf(input)).toEqual([place]);
});

test.each(goalFigures)("targets of %s keep their bounds", async (figure) => {
  const { unit, least, most } = goalRules[figure];
  const step = unit === "count" ? 1 : 0.01;
  for (const target of [least, most]) expect(placesOf({ figure, target })).toEqual([]);
  for (const target of [least - step, most + step, -least, least + step / 2]) {
    expect(placesOf({ figure, target }), `${target}`).toEqual(["target"]);
  }
  // A change is of the stored figure.
  const { ctx } = await makeProject(database.db);
  const { id } = await createGoal(ctx, goalOf({ figure, target: least }));
  await expect(updateGoal(ctx, id, { target: most + step })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "target" }],
  });
  expect(await updateGoal(ctx, id, { target: most })).toMatchObject({ target: most });
});

test("a figure stays what it is", () => {
  expect(goalUpdate.safeParse({ figure: "sent", target: 1 }).success).toBe(false);
});
