import { eq } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { auditLog, memberships, platformTokens } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import {
  findOrCreatePlatformToken,
  findPlatformIdentity,
  createProjectLoginLink,
  rotatePlatformToken,
} from "@/lib/domain/projects/platform-tokens";
import { createProject } from "@/lib/domain/projects/projects";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";
import { createLoginToken, findLoginToken } from "./login-tokens";
import { resetPassword, setPassword } from "./passwords";
import {
  endOtherSessions,
  endOwnSession,
  endSession,
  findSession,
  listSessions,
  sessionCookieName,
} from "./sessions";
import { signInByLink, signInByPassword, type StartedSession } from "./sign-in";
import { getUser } from "./users";

const database = useTestDatabase();
const origin = { address: "192.0.2.7", userAgent: "Firefox", requestId: "req_test" };

const headersOf = (cookie: string) => new Headers({ cookie });
const cookieOf = async (userId: string, sid: string) =>
  headersOf(
    `${sessionCookieName()}=${await encode({ token: { sub: userId, sid }, secret: env().APP_SECRET ?? "" })}`,
  );
const find = (headers: Headers, projectId?: string) =>
  findSession(database.db, headers, projectId ?? null);

/** Signs in by a link that is made with the member's platform token. */
async function byPlatformToken({ ctx, projectId, userId }: TestProject) {
  const token = await findOrCreatePlatformToken(database.db, { projectId, userId });
  const identity = await findPlatformIdentity(database.db, token);
  const asToken: Context = { ...ctx, platformTokenId: identity?.tokenId ?? "" };
  const link = await createProjectLoginLink(asToken);
  const started = await signInByLink(database.db, { token: link.token, purpose: "login" }, origin);
  return { asToken, headers: await cookieOf(userId, startedBy(started).sessionId) };
}

/** A sign-in that waits for nothing more. */
function startedBy(outcome: Awaited<ReturnType<typeof signInByLink>>): StartedSession {
  if (!outcome || !("sessionId" in outcome)) throw new Error("No session was started.");
  return outcome;
}

const actionsOf = async (projectId: string) =>
  (await database.db.select().from(auditLog).where(eq(auditLog.projectId, projectId))).map(
    ({ action, actorType, details, address, userAgent }) => ({
      action,
      actorType,
      details,
      from: address && { address, userAgent },
    }),
  );

test("a session tells user and role in one look, and ends on the server when it is signed out", async () => {
  const { projectId, userId } = await makeProject(database.db, { role: "editor" });
  const headers = headersOf(await sessionCookie(database.db, userId));
  const session = await find(headers, projectId);
  expect(session).toMatchObject({ user: { id: userId }, role: "editor", onlyProjectId: null });
  expect(await find(headers, newUnownedId())).toMatchObject({ role: null });
  await endSession(database.db, session?.id ?? "");
  expect(await find(headers)).toBeNull();
});

test("no cookie, a malformed one and a foreign one are nobody's session", async () => {
  const { userId } = await makeProject(database.db);
  const good = await sessionCookie(database.db, userId);
  const name = sessionCookieName();
  const foreign = await encode({
    token: { sub: userId, sid: newUnownedId() },
    secret: "another secret",
  });
  const odd = await encode({ token: { sub: userId, sid: "x" }, secret: env().APP_SECRET ?? "" });
  for (const cookie of [
    "",
    `${name}=%`,
    `${name}=%E0%A4%A`,
    `${good}x`,
    `${name}=${foreign}`,
    `${name}=${odd}`,
  ]) {
    expect(await find(headersOf(cookie))).toBeNull();
  }
});

test("30 days count from signing in, however much the session is used", async () => {
  const { userId } = await makeProject(database.db);
  const headers = headersOf(await sessionCookie(database.db, userId));
  for (let day = 0; day < 29; day += 7) {
    expect(await find(headers)).not.toBeNull();
    await database.travel("7 days");
  }
  expect(await find(headers)).toBeNull();
});

test("a platform token's link opens its project alone, and ends when the token is replaced", async () => {
  const project = await makeProject(database.db);
  const { projectId, userId } = project;
  const otherProject = await createProject(database.db, { name: "Other", ownerUserId: userId });
  const { asToken, headers } = await byPlatformToken(project);
  expect(await find(headers, projectId)).toMatchObject({ role: "owner", onlyProjectId: projectId });
  expect(await find(headers, otherProject.id)).toMatchObject({ role: null });
  const unused = await createProjectLoginLink(asToken);

  await rotatePlatformToken(database.db, { projectId, userId });
  expect(await find(headers, projectId)).toBeNull();
  expect(await findLoginToken(database.db, unused.token, "login")).toBeNull();
  await expect(createProjectLoginLink(asToken)).rejects.toMatchObject({
    code: "INVALID_API_KEY",
  });
});

test("two replacements of a token at once leave one token", async () => {
  const { projectId, userId } = await makeProject(database.db);
  const owner = { projectId, userId };
  const tokens = await Promise.all([1, 2, 3].map(() => rotatePlatformToken(database.db, owner)));
  const identities = await Promise.all(
    tokens.map((token) => findPlatformIdentity(database.db, token)),
  );
  expect(identities.filter(Boolean)).toHaveLength(1);
  expect(await database.db.$count(platformTokens, eq(platformTokens.projectId, projectId))).toBe(1);
});

test("a login link needs a platform token, and making one is audited", async () => {
  const project = await makeProject(database.db);
  await expect(createProjectLoginLink(project.ctx)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  await byPlatformToken(project);
  expect(await actionsOf(project.projectId)).toEqual(
    expect.arrayContaining([
      { action: "create.loginToken", actorType: "user", details: {}, from: null },
      {
        action: "start.session",
        actorType: "user",
        details: { by: "platformToken" },
        from: { address: "192.0.2.7", userAgent: "Firefox" },
      },
    ]),
  );
});

test("sign-ins and refused ones stand in the audit log of each of the user's projects", async () => {
  const { projectId, userId } = await makeProject(database.db);
  const otherProject = await createProject(database.db, { name: "Other", ownerUserId: userId });
  const { email } = await getUser(database.db, userId);
  await setPassword(database.db, userId, "correct horse battery");
  expect(await signInByPassword(database.db, { email, password: "wrong" }, origin)).toBeNull();
  const started = await signInByPassword(
    database.db,
    { email, password: "correct horse battery" },
    origin,
  );
  expect(startedBy(started).user.id).toBe(userId);
  const signIn = {
    details: { by: "password" },
    from: { address: "192.0.2.7", userAgent: "Firefox" },
  };
  for (const id of [projectId, otherProject.id]) {
    await expect
      .poll(() => actionsOf(id))
      .toEqual(
        expect.arrayContaining([
          { action: "start.session", actorType: "user", ...signIn },
          { action: "refuse.session", actorType: "system", ...signIn },
        ]),
      );
  }
});

test("one-time links that do not work stand there, too, by what is wrong with them, and signing out", async () => {
  const { projectId, userId } = await makeProject(database.db);
  const link = (purpose: "login" | "password_reset", expiresInSeconds?: number) =>
    createLoginToken(database.db, {
      userId,
      purpose,
      ...(expiresInSeconds && { expiresInSeconds }),
    });
  const [used, expired, reset] = [
    await link("login"),
    await link("login", -1),
    await link("password_reset"),
  ];
  const first = await signInByLink(database.db, { token: used.token, purpose: "login" }, origin);
  for (const { token } of [used, expired, reset, { token: "x".repeat(43) }]) {
    expect(await signInByLink(database.db, { token, purpose: "login" }, origin)).toBeNull();
  }
  const password = "correct horse battery";
  const resetInput = { password, purpose: "password_reset", token: reset.token } as const;
  const from = { address: origin.address, userAgent: origin.userAgent };
  await resetPassword(database.db, { ...resetInput, origin: from });
  await expect(resetPassword(database.db, { ...resetInput, origin: from })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  expect(first).not.toBeNull();
  const signedIn = await signInByPassword(
    database.db,
    { email: (await getUser(database.db, userId)).email, password },
    origin,
  );
  await endSession(database.db, startedBy(signedIn).sessionId);
  await endSession(database.db, startedBy(signedIn).sessionId);
  const actions = await actionsOf(projectId);
  const refused = (purpose: string, reason: string) => ({
    action: "refuse.session",
    actorType: "system",
    details: { by: "link", purpose, reason },
    from,
  });
  const refusals = actions.filter(({ action }) => action === "refuse.session");
  expect(refusals).toHaveLength(4);
  expect(refusals).toEqual(
    expect.arrayContaining([
      refused("login", "used"),
      refused("login", "expired"),
      refused("password_reset", "otherPurpose"),
      refused("password_reset", "used"),
    ]),
  );
  expect(actions.filter(({ action }) => action === "end.sessions")).toMatchObject([
    { actorType: "user", details: { by: "signOut" } },
  ]);
});

test("people see and end their own sessions, one by one or all others, and nobody else's", async () => {
  const { ctx, projectId, userId } = await makeProject(database.db);
  const stranger = await makeProject(database.db);
  const [here, there, elsewhere, theirs] = (await Promise.all(
    [userId, userId, userId, stranger.userId].map(async (id) =>
      headersOf(await sessionCookie(database.db, id)),
    ),
  )) as [Headers, Headers, Headers, Headers];
  const idOf = async (headers: Headers) => (await find(headers))?.id ?? "";
  const asking: Context = { ...ctx, session: { id: await idOf(here), onlyProject: false } };

  const { data } = await listSessions(asking);
  expect(data).toHaveLength(3);
  expect(data.filter(({ current }) => current)).toMatchObject([
    { id: encodeId("session", await idOf(here)), userAgent: "Test", onlyProjectId: null },
  ]);
  await expect(
    endOwnSession(asking, encodeId("session", await idOf(theirs))),
  ).rejects.toMatchObject({ code: "NOT_FOUND" });
  await endOwnSession(asking, encodeId("session", await idOf(there)));
  expect(await find(there)).toBeNull();
  expect(await find(elsewhere)).not.toBeNull();
  await endOtherSessions(asking);
  expect(await find(elsewhere)).toBeNull();
  expect(await find(here)).not.toBeNull();
  expect(await find(theirs)).not.toBeNull();
  expect(
    (await actionsOf(projectId)).filter(({ action }) => action === "end.sessions"),
  ).toHaveLength(2);
  await expect(listSessions(ctx)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
});

test("a session of one project neither sees nor ends the sessions that open the others", async () => {
  const project = await makeProject(database.db);
  const { ctx, userId } = project;
  const whole = headersOf(await sessionCookie(database.db, userId));
  const { headers } = await byPlatformToken(project);
  const narrow: Context = {
    ...ctx,
    session: { id: (await find(headers))?.id ?? "", onlyProject: true },
  };
  expect((await listSessions(narrow)).data).toMatchObject([
    { current: true, onlyProjectId: encodeId("project", project.projectId) },
  ]);
  const wholeId = encodeId("session", (await find(whole))?.id ?? "");
  await expect(endOwnSession(narrow, wholeId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await endOtherSessions(narrow);
  expect(await find(whole)).not.toBeNull();
  await database.db.delete(memberships).where(eq(memberships.userId, userId));
  expect(await find(headers, project.projectId)).toMatchObject({ role: null });
});
