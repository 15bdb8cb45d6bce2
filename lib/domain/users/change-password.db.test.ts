import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import {
  assistants,
  assistantTokens,
  auditLog,
  capturedEmails,
  oauthClients,
  sessions,
} from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { mintToken } from "@/lib/domain/assistants/tokens";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { changePassword } from "./change-password";
import { createLoginToken, findLoginToken } from "./login-tokens";
import { setPassword, verifyPassword } from "./passwords";
import { beginSecondFactor, confirmSecondFactor } from "./second-factor";
import { createSession } from "./sessions";
import { signInByCode, signInByLink, signInByPassword } from "./sign-in";
import { totpCode } from "./totp";
import { getUser } from "./users";

const database = useTestDatabase();
const first = "correct horse battery";
const second = "another long sentence";
let people = 0;

async function person({ password }: { password: string | null }) {
  const project = await makeProject(database.db);
  const { userId } = project;
  if (password !== null) await setPassword(database.db, userId, password);
  const origin = { address: `198.51.100.${++people}`, userAgent: "Firefox" };
  const started = { userId, platformTokenId: null, ...origin };
  const { id } = await createSession(database.db, started);
  const ctx: Context = { ...project.ctx, origin, session: { id, onlyProject: false } };
  const { email } = await getUser(database.db, userId);
  const opens = async (typed: string) =>
    (await verifyPassword(database.db, { email, password: typed })) !== null;
  const sessionIds = async () =>
    (await database.db.select().from(sessions).where(eq(sessions.userId, userId))).map(
      (session) => session.id,
    );
  const acts = async () =>
    (
      await database.db.select().from(auditLog).where(eq(auditLog.projectId, project.projectId))
    ).map(({ action, details }) => ({ action, details }));
  const mails = async () =>
    Promise.all(
      (
        await database.db
          .select()
          .from(capturedEmails)
          .where(eq(capturedEmails.projectId, project.projectId))
      ).map(({ raw }) => PostalMime.parse(raw)),
    );
  return { ...project, ctx, started, id, email, opens, sessionIds, acts, mails };
}

async function connectAssistant({ projectId, userId }: { projectId: string; userId: string }) {
  const [client] = await database.db
    .insert(oauthClients)
    .values({ name: "Assistant", redirectUris: ["https://assistant.example/back"] })
    .returning({ clientId: oauthClients.id });
  const { clientId = "" } = client ?? {};
  const assistant = { id: newId(projectId), projectId, userId };
  await database.db.insert(assistants).values({
    ...assistant,
    ...{ clientId, name: "Assistant", host: "assistant.example", scope: "full" },
  });
  await mintToken(database.db, assistant, "refresh");
  return assistant;
}

test("with the current password: other sessions and mailed links end, and the person is told", async () => {
  const { ctx, started, id, email, opens, sessionIds, acts, mails, userId } = await person({
    password: first,
  });
  await createSession(database.db, started);
  const link = await createLoginToken(database.db, { userId, purpose: "password_reset" });
  expect(await changePassword(ctx, { password: first, newPassword: second })).toEqual({
    endedSessions: 1,
  });
  expect([await opens(first), await opens(second)]).toEqual([false, true]);
  expect(await sessionIds()).toEqual([id]);
  expect(await findLoginToken(database.db, link.token, "password_reset")).toBeNull();
  expect(await acts()).toContainEqual({
    action: "change.password",
    details: { first: false, sessions: 1 },
  });
  const [mail] = await mails();
  expect(mail?.subject).toBe("Your Lettermill password was changed");
  expect(mail?.text).toContain(email);
  expect(mail?.text).toContain("/sign-in/forgot");
  expect(mail?.text).not.toContain(second);
});

test("ends the assistants that the person has connected, and no one else's", async () => {
  const one = await person({ password: first });
  const other = await person({ password: first });
  const [mine, theirs] = [await connectAssistant(one), await connectAssistant(other)];
  await changePassword(one.ctx, { password: first, newPassword: second });
  const state = async ({ id }: { id: string }) => {
    const [row] = await database.db.select().from(assistants).where(eq(assistants.id, id));
    const held = eq(assistantTokens.assistantId, id);
    return {
      ended: row?.endedAt !== null,
      tokens: await database.db.$count(assistantTokens, held),
    };
  };
  expect(await state(mine)).toEqual({ ended: true, tokens: 0 });
  expect(await state(theirs)).toEqual({ ended: false, tokens: 1 });
  expect((await one.acts()).map(({ action }) => action)).toContain("end.assistant");
});

test("of two changes with one current password, the second finds it is no longer that", async () => {
  const { ctx, opens, mails } = await person({ password: first });
  const third = "a third long sentence";
  const outcomes = await Promise.allSettled(
    [second, third].map((newPassword) => changePassword(ctx, { password: first, newPassword })),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "VALIDATION_ERROR", details: [{ path: "password" }] },
  });
  const won = outcomes[0]?.status === "fulfilled";
  expect([await opens(second), await opens(third)]).toEqual([won, !won]);
  expect(await mails()).toHaveLength(1);
});

test.each(["password", "link", "code"] as const)(
  "a sign-in by %s, begun before the change and ended after it, starts no session",
  async (by) => {
    const { ctx, userId, email, sessionIds } = await person({ password: first });
    const origin = { address: "203.0.113.9", userAgent: "Firefox", requestId: "req_1" };
    const signIn = (password: string) => signInByPassword(database.db, { email, password }, origin);
    const { token } = await createLoginToken(database.db, { userId, purpose: "login" });
    let [pendingToken, code] = ["", ""];
    if (by === "code") {
      const { secret } = await beginSecondFactor(ctx);
      const now = () => totpCode(secret, Math.floor(Date.now() / 30_000));
      const { recoveryCodes } = await confirmSecondFactor(ctx, { code: now() });
      [code = ""] = recoveryCodes;
      const pending = await signIn(first);
      if (pending && "pendingToken" in pending) ({ pendingToken } = pending);
    }
    const ways = {
      password: () => signIn(first),
      link: () => signInByLink(database.db, { token, purpose: "login" }, origin),
      code: () => signInByCode(database.db, { pendingToken, code }, origin),
    };
    const begun = await database.db.transaction(async (tx) => {
      await setPassword(tx, userId, second);
      let settled = false;
      const signingIn = ways[by]()
        .catch((error: unknown) => error)
        .finally(() => (settled = true));
      const waits = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await until(async () => settled || (await database.db.execute(waits)).length > 0);
      await tx.execute(sql`update login_tokens set used_at = app_now() where user_id = ${userId}`);
      return { signingIn };
    });
    const refused = await begun.signingIn;
    if (by === "code") expect(refused).toMatchObject({ code: "NOT_ALLOWED" });
    else expect(refused).toBeNull();
    expect(await sessionIds()).toEqual([]);
    expect(await signIn(second)).not.toBeNull();
  },
);

test("of two who set the first password, the second has to know it", async () => {
  const { ctx } = await person({ password: null });
  const outcomes = await Promise.allSettled(
    [first, second].map((newPassword) => changePassword(ctx, { newPassword })),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("a wrong current password changes nothing, is logged, and is tried a few times only", async () => {
  const { ctx, opens, acts, mails } = await person({ password: first });
  const guess = () => changePassword(ctx, { password: "a wrong guess", newPassword: second });
  await expect(guess()).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "password" }],
  });
  await expect(changePassword(ctx, { newPassword: second })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "password" }],
  });
  for (let left = 9; left > 0; left--) {
    await expect(guess()).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  }
  await expect(guess()).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  await expect(changePassword(ctx, { password: first, newPassword: second })).rejects.toMatchObject(
    { code: "RATE_LIMIT_EXCEEDED" },
  );
  expect([await opens(first), await opens(second)]).toEqual([true, false]);
  expect((await acts()).filter(({ action }) => action === "refuse.session")).toHaveLength(10);
  expect(await mails()).toEqual([]);
});

test("somebody without a password sets one soon after signing in, and not later", async () => {
  const early = await person({ password: null });
  await changePassword(early.ctx, { newPassword: second });
  expect(await early.opens(second)).toBe(true);
  expect(await early.acts()).toContainEqual({
    action: "change.password",
    details: { first: true, sessions: 0 },
  });
  const late = await person({ password: null });
  await database.db
    .update(sessions)
    .set({ createdAt: sql`app_now() - interval '16 minutes'` })
    .where(eq(sessions.id, late.id));
  await expect(changePassword(late.ctx, { newPassword: second })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  expect(await late.opens(second)).toBe(false);
});

test("who has an app and no password types its code; a code does not replace a password", async () => {
  const { ctx, opens } = await person({ password: null });
  const { secret } = await beginSecondFactor(ctx);
  const now = Math.floor(Date.now() / 30_000);
  const { recoveryCodes } = await confirmSecondFactor(ctx, { code: totpCode(secret, now) });
  const [one = "", two = ""] = recoveryCodes;
  await expect(changePassword(ctx, { newPassword: second })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  await changePassword(ctx, { code: one, newPassword: second });
  expect(await opens(second)).toBe(true);
  await expect(changePassword(ctx, { code: two, newPassword: first })).rejects.toMatchObject({
    details: [{ path: "password" }],
  });
});

test("keys and sessions of a platform token's link change no password", async () => {
  const { ctx, opens } = await person({ password: first });
  const input = { password: first, newPassword: second };
  const others: Context[] = [
    { ...ctx, actor: { type: "apiKey", id: ctx.projectId } },
    { ...ctx, session: { id: ctx.session?.id ?? "", onlyProject: true } },
  ];
  for (const other of others) {
    await expect(changePassword(other, input)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
  expect(await opens(first)).toBe(true);
});
