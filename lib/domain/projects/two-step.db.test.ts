import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, memberships, secondFactors } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { useTestDatabase } from "@/db/testing";
import { beginSecondFactor } from "@/lib/domain/users/second-factor";
import { findSession } from "@/lib/domain/users/sessions";
import type { Context } from "@/lib/ground/context";
import { makeProject, sessionCookie } from "@/lib/testing";
import { listProjects } from "./projects";
import { getProjectSettings, updateProjectSettings } from "./settings";

const database = useTestDatabase();

async function makeOwner() {
  const project = await makeProject(database.db);
  const ctx: Context = {
    ...project.ctx,
    session: { id: project.userId, onlyProject: false },
  };
  const setUp = async () => {
    await beginSecondFactor(ctx);
    await database.db
      .update(secondFactors)
      .set({ confirmedAt: now })
      .where(eq(secondFactors.userId, project.userId));
  };
  return { ...project, ctx, setUp };
}

test("an owner without it cannot ask it of others, nor can an admin who has it", async () => {
  const { ctx, setUp } = await makeOwner();
  await expect(updateProjectSettings(ctx, { requiresTwoStep: true })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "requiresTwoStep" }],
  });
  await setUp();
  await expect(
    updateProjectSettings({ ...ctx, role: "admin" }, { requiresTwoStep: true }),
  ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  expect((await getProjectSettings(ctx)).requiresTwoStep).toBe(false);
  expect((await updateProjectSettings(ctx, { requiresTwoStep: true })).requiresTwoStep).toBe(true);
  const [entry] = await database.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.projectId, ctx.projectId))
    .orderBy(desc(auditLog.id));
  expect(entry).toMatchObject({ action: "update.project", details: { requiresTwoStep: true } });
});

test("a member without it has no role until it is on, and their other projects stay open", async () => {
  const { ctx, setUp, projectId, userId } = await makeOwner();
  const member = await makeProject(database.db);
  await database.db
    .insert(memberships)
    .values({ projectId, userId: member.userId, role: "editor" });
  const seen = async (id: string, project = projectId) => {
    const headers = new Headers({ cookie: await sessionCookie(database.db, id) });
    const session = await findSession(database.db, headers, project);
    return { role: session?.role, lacksTwoStep: session?.lacksTwoStep };
  };
  expect(await seen(member.userId)).toEqual({ role: "editor", lacksTwoStep: false });
  await setUp();
  await updateProjectSettings(ctx, { requiresTwoStep: true });
  expect(await seen(userId)).toEqual({ role: "owner", lacksTwoStep: false });
  expect(await seen(member.userId)).toEqual({ role: null, lacksTwoStep: true });
  expect(await seen(member.userId, member.projectId)).toEqual({
    role: "owner",
    lacksTwoStep: false,
  });
  const stranger = await makeProject(database.db);
  expect(await seen(stranger.userId)).toEqual({ role: null, lacksTwoStep: false });
  const listed = await listProjects(database.db, member.userId);
  expect(listed.map(({ id, lacksTwoStep }) => [id, lacksTwoStep])).toEqual([
    [projectId, true],
    [member.projectId, false],
  ]);
  const there: Context = {
    ...member.ctx,
    session: { id: member.userId, onlyProject: false },
  };
  await beginSecondFactor(there);
  // An app that was never confirmed does not count.
  expect(await seen(member.userId)).toEqual({ role: null, lacksTwoStep: true });
  await database.db
    .update(secondFactors)
    .set({ confirmedAt: now })
    .where(eq(secondFactors.userId, member.userId));
  expect(await seen(member.userId)).toEqual({ role: "editor", lacksTwoStep: false });
});
