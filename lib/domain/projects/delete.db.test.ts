import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, memberships, projectDeletions, projects } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { findKeyIdentity } from "@/lib/domain/api-keys/authenticate";
import { setPassword } from "@/lib/domain/users/passwords";
import { createSession } from "@/lib/domain/users/sessions";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { makeCampaign } from "@/lib/testing/campaigns";
import { createOwnProject, mostOwnedProjects } from "./create";
import { deleteProject } from "./delete";
import {
  createProjectLoginLink,
  findOrCreatePlatformToken,
  findPlatformIdentity,
} from "./platform-tokens";
import { createProject, listProjects } from "./projects";

const database = useTestDatabase();
const name = "Test project";

/** An owner of two projects, signed in a moment ago by a link. */
async function makeOwner() {
  const project = await makeProject(database.db);
  const { userId } = project;
  const spare = await createProject(database.db, { name: "Spare", ownerUserId: userId });
  const where = { address: "192.0.2.1", userAgent: "Firefox", platformTokenId: null };
  const { id } = await createSession(database.db, { userId, ...where });
  const ctx: Context = {
    ...project.ctx,
    session: { id, onlyProject: false },
    origin: { address: "192.0.2.1", userAgent: "Firefox" },
  };
  return { ...project, ctx, spare };
}

const isThere = async (projectId: string) =>
  (
    await database.db
      .select()
      .from(projectDeletions)
      .where(eq(projectDeletions.projectId, projectId))
  ).length === 0;

test("keys, platform tokens, links and memberships of a deleted project stop with the answer", async () => {
  const { ctx, projectId, userId, apiKey, spare } = await makeOwner();
  const colleague = await makeProject(database.db);
  await database.db
    .insert(memberships)
    .values({ projectId, userId: colleague.userId, role: "admin" });
  const token = await findOrCreatePlatformToken(database.db, { projectId, userId });
  const platform = await findPlatformIdentity(database.db, token);
  await createProjectLoginLink({ ...ctx, platformTokenId: platform?.tokenId ?? "" });
  await deleteProject(ctx, { name });

  expect(await findPlatformIdentity(database.db, token)).toBeNull();
  expect(await findKeyIdentity(database.db, apiKey)).toBeNull();
  const names = async (id: string) => (await listProjects(database.db, id)).map((one) => one.id);
  expect(await names(userId)).toEqual([spare.id]);
  expect(await names(colleague.userId)).toEqual([colleague.projectId]);
  const [links] = await database.db.execute(sql`
    select count(*)::int as left from login_tokens where platform_token_id is not null`);
  expect(links).toEqual({ left: 0 });

  const [entry] = await database.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, "delete.project"));
  expect(entry).toMatchObject({
    projectId: null,
    actorId: userId,
    target: encodeId("project", projectId),
    details: { name },
    address: "192.0.2.1",
  });
});

test("it takes the project's name, letter by letter, and an owner who signed in themselves", async () => {
  const { ctx, projectId, userId } = await makeOwner();
  await expect(deleteProject(ctx, { name: "test project" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "name" }],
  });
  const notAllowed = { code: "NOT_ALLOWED" };
  await expect(deleteProject({ ...ctx, role: "admin" }, { name })).rejects.toMatchObject(
    notAllowed,
  );
  const byToken = { ...ctx, session: { id: userId, onlyProject: true } };
  await expect(deleteProject(byToken, { name })).rejects.toMatchObject(notAllowed);
  const { session: _, ...byKey } = ctx;
  await expect(deleteProject(byKey, { name })).rejects.toMatchObject(notAllowed);
  expect(await isThere(projectId)).toBe(true);
});

test("who has a password gives it; who has none must have signed in within a quarter of an hour", async () => {
  const { ctx, projectId, userId } = await makeOwner();
  await database.db.execute(
    sql`update sessions set created_at = app_now() - interval '16 minutes'`,
  );
  await expect(deleteProject(ctx, { name })).rejects.toMatchObject({ code: "NOT_ALLOWED" });

  await setPassword(database.db, userId, "correct horse battery");
  for (const proof of [{}, { password: "wrong horse battery" }, { code: "123456" }]) {
    await expect(deleteProject(ctx, { name, ...proof })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  }
  const refusals = await database.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, "refuse.session"));
  expect(refusals.filter((entry) => entry.projectId === projectId)).toHaveLength(2);
  expect(await isThere(projectId)).toBe(true);
  await deleteProject(ctx, { name, password: "correct horse battery" });
  expect(await isThere(projectId)).toBe(false);
});

test("a campaign that is being sent keeps its project; one that waits ends with it", async () => {
  const { ctx, projectId } = await makeOwner();
  const campaign = (status: "SENDING" | "SCHEDULED" | "PAUSED") =>
    makeCampaign(database.db, { projectId, fromEmail: "news@sandbox.test", status });
  await campaign("SCHEDULED");
  await campaign("PAUSED");
  const sending = await campaign("SENDING");
  await expect(deleteProject(ctx, { name })).rejects.toMatchObject({ code: "CONFLICT" });
  await database.db.execute(sql`update campaigns set status = 'SENT' where id = ${sending}`);
  await deleteProject(ctx, { name });
  const left = await database.db.execute(sql`select status from campaigns order by status`);
  expect([...left]).toEqual([{ status: "CANCELLED" }, { status: "CANCELLED" }, { status: "SENT" }]);
});

test("of two who delete at once one does, and nobody loses the only project they own", async () => {
  const { ctx, spare } = await makeOwner();
  const there = { ...ctx, projectId: spare.id };
  const outcomes = await Promise.allSettled([
    deleteProject(ctx, { name }),
    deleteProject(ctx, { name }),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(deleteProject(there, { name: "Spare" })).rejects.toMatchObject({ code: "CONFLICT" });
});

test("an owner makes projects up to a limit, also all at once, and none around a monthly limit", async () => {
  const { ctx, projectId, userId } = await makeOwner();
  const outcomes = await Promise.allSettled(
    Array.from({ length: mostOwnedProjects + 3 }, (_, n) =>
      createOwnProject(ctx, { name: `Shop ${n}` }),
    ),
  );
  const refused = outcomes.flatMap((one) =>
    one.status === "rejected" ? [(one.reason as { code: string }).code] : [],
  );
  expect(refused).toEqual(Array(5).fill("CONFLICT"));
  const owned = await listProjects(database.db, userId);
  expect(owned).toHaveLength(mostOwnedProjects);
  expect(new Set(owned.map(({ role }) => role))).toEqual(new Set(["owner"]));

  const limited = await makeOwner();
  await database.db
    .update(projects)
    .set({ monthlyEmailLimit: 1000 })
    .where(eq(projects.id, limited.spare.id));
  const notAllowed = { code: "NOT_ALLOWED" };
  await expect(createOwnProject(limited.ctx, { name: "More" })).rejects.toMatchObject(notAllowed);
  const editor: Context = { ...ctx, projectId, role: "admin" };
  await expect(createOwnProject(editor, { name: "More" })).rejects.toMatchObject(notAllowed);
});
