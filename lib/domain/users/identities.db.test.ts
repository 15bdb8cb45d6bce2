import { and, eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { auditLog, passkeys, userIdentities, users } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { signInByIdentity } from "@/lib/domain/projects/identity-sign-in";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { listIdentities, unlinkIdentitiesOf, unlinkIdentity } from "./identities";
import { createLoginToken } from "./login-tokens";
import { setPassword } from "./passwords";
import { beginSecondFactor, confirmSecondFactor } from "./second-factor";
import { createSession } from "./sessions";
import { signInByCode, signInByLink, signInByPassword, startSession } from "./sign-in";
import { totpCode } from "./totp";
import { getUser } from "./users";

const database = useTestDatabase();
const password = "correct horse battery";
const issuer = "https://id.acme.example";
const origin = { address: "192.0.2.1", userAgent: "Firefox", requestId: "req_test" };
const settings = {
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: "lettermill",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_NAME: "Acme ID",
};
let people = 0;

function set(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  reloadEnv();
}
afterEach(() => {
  const names = [...Object.keys(settings), "OIDC_DOMAINS", "OIDC_ONLY"];
  set({ ...Object.fromEntries(names.map((name) => [name, undefined])), MAIL_TRANSPORT: "capture" });
});

/** Somebody signed in whose account at the provider is linked, at an address of their own. */
async function makeLinked() {
  set(settings);
  const project = await makeProject(database.db);
  const { email } = await getUser(database.db, project.userId);
  const claims = { issuer, subject: project.userId, email, emailVerified: true, name: "" };
  const signIn = () => signInByIdentity(database.db, claims, origin);
  await signIn();
  const where = { address: `198.51.100.${++people}`, userAgent: "Firefox" };
  const { id } = await createSession(database.db, {
    userId: project.userId,
    platformTokenId: null,
    ...where,
  });
  const ctx: Context = { ...project.ctx, origin: where, session: { id, onlyProject: false } };
  const [row] = await database.db
    .select({ id: userIdentities.id })
    .from(userIdentities)
    .where(eq(userIdentities.userId, project.userId));
  return { ...project, ctx, email, signIn, identityId: encodeId("identity", row?.id ?? "") };
}

test("a person sees their own, unlinks them with their password, and the log says both", async () => {
  const { ctx, userId, projectId, email, identityId } = await makeLinked();
  const stranger = await makeLinked();
  expect(await listIdentities(ctx)).toMatchObject({
    provider: "Acme ID",
    data: [{ id: identityId, provider: "Acme ID", email }],
  });
  set({ OIDC_ISSUER: "https://other.example" });
  expect((await listIdentities(ctx)).data).toMatchObject([{ provider: "id.acme.example" }]);
  await setPassword(database.db, userId, password);
  const proof = { password };
  await expect(unlinkIdentity(stranger.ctx, identityId, {})).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await expect(
    unlinkIdentity(ctx, identityId, { password: "a wrong password" }),
  ).rejects.toMatchObject({ details: [{ path: "password" }] });
  await unlinkIdentity(ctx, identityId, proof);
  expect((await listIdentities(ctx)).data).toEqual([]);
  await expect(unlinkIdentity(ctx, identityId, proof)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const acts = await database.db
    .select({ action: auditLog.action })
    .from(auditLog)
    .where(eq(auditLog.projectId, projectId));
  expect(acts.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["link.identity", "unlink.identity"]),
  );
});

test("the last way to sign in stays", async () => {
  const { ctx, userId, email, identityId } = await makeLinked();
  const unlink = () => unlinkIdentity(ctx, identityId, {});
  // Where mail ends in a mailbox that only the signed-in can read, a link is no way in.
  await expect(unlink()).rejects.toMatchObject({
    code: "CONFLICT",
    message: "This is your only way to sign in: add a passkey or set a password first.",
  });
  await database.db.insert(passkeys).values({
    ...{ userId, credentialId: `of ${userId}`, publicKey: Buffer.from("key"), counter: 0 },
    ...{ transports: [], name: "Phone" },
  });
  set({ OIDC_DOMAINS: "example.com", OIDC_ONLY: "1" });
  await expect(unlink()).rejects.toMatchObject({
    message: `This is the only way in which ${email} may sign in.`,
  });
  set({ OIDC_ONLY: undefined });
  await unlink();

  const other = await makeLinked();
  set({ MAIL_TRANSPORT: "smtp://127.0.0.1:1" });
  await unlinkIdentity(other.ctx, other.identityId, {});
});

test("an operator unlinks the account of somebody who has got a new one", async () => {
  const { projectId, email } = await makeLinked();
  const anew = { issuer, subject: `new-${email}`, email, emailVerified: true, name: "" };
  expect(await signInByIdentity(database.db, anew, origin)).toEqual({ problem: "taken" });
  expect(await unlinkIdentitiesOf(database.db, email)).toBe(1);
  expect(await unlinkIdentitiesOf(database.db, email)).toBe(0);
  await expect(unlinkIdentitiesOf(database.db, "nobody@example.com")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await signInByIdentity(database.db, anew, origin)).toMatchObject({ user: { email } });
  const details = await database.db
    .select({ details: auditLog.details })
    .from(auditLog)
    .where(and(eq(auditLog.projectId, projectId), eq(auditLog.action, "unlink.identity")));
  expect(details).toEqual([{ details: { provider: "Acme ID", by: "operator" } }]);
});

test("the code of the authenticator app is asked for after the provider too", async () => {
  const { ctx, signIn } = await makeLinked();
  const { secret } = await beginSecondFactor(ctx);
  const step = () => Math.floor(Date.now() / 30_000);
  await confirmSecondFactor(ctx, { code: totpCode(secret, step()) });
  const pending = await signIn();
  if (!("pendingToken" in pending)) throw new Error("It did not wait for the code.");
  const { pendingToken } = pending;
  const code = totpCode(secret, step() + 1);
  expect(await signInByCode(database.db, { pendingToken, code }, origin)).toMatchObject({
    user: { id: ctx.actor.id },
  });
});

test("OIDC_ONLY refuses every other way to people of its domains, owners too, and leaves others alone", async () => {
  const { userId, email, signIn } = await makeLinked();
  await setPassword(database.db, userId, password);
  const link = await createLoginToken(database.db, { userId, purpose: "login" });
  const invitation = await createLoginToken(database.db, { userId, purpose: "invitation" });
  const ways = {
    password: () => signInByPassword(database.db, { email, password }, origin),
    wrongPassword: () =>
      signInByPassword(database.db, { email: email.toUpperCase(), password: "wrong" }, origin),
    link: () => signInByLink(database.db, { token: link.token, purpose: "login" }, origin),
    invitation: () =>
      signInByLink(database.db, { token: invitation.token, purpose: "invitation" }, origin),
    passkey: () =>
      database.db.transaction(async (tx) => {
        const user = await getUser(tx, userId);
        return startSession(tx, { user, by: "passkey", platformTokenId: null }, origin);
      }),
  };
  set({ OIDC_DOMAINS: "example.com", OIDC_ONLY: "1" });
  for (const way of Object.values(ways)) {
    await expect(way()).rejects.toMatchObject({
      code: "NOT_ALLOWED",
      message: "People at example.com sign in with Acme ID, and in no other way.",
    });
  }
  expect(await signIn()).toMatchObject({ user: { id: userId } });
  await database.db
    .update(users)
    .set({ email: `x${email}.au` })
    .where(eq(users.id, userId));
  expect(
    await signInByPassword(database.db, { email: `x${email}.au`, password }, origin),
  ).toMatchObject({ user: { id: userId } });
});

test("OIDC_ONLY refuses a sign-in that waits for a code since before it was set", async () => {
  const { ctx, userId, email } = await makeLinked();
  const { secret } = await beginSecondFactor(ctx);
  const step = () => Math.floor(Date.now() / 30_000);
  await confirmSecondFactor(ctx, { code: totpCode(secret, step()) });
  await setPassword(database.db, userId, password);
  const byPassword = () => signInByPassword(database.db, { email, password }, origin);
  const pending = await byPassword();
  if (!pending || !("pendingToken" in pending)) throw new Error("It did not wait for the code.");
  set({ OIDC_DOMAINS: "example.com", OIDC_ONLY: "1" });
  const code = totpCode(secret, step() + 1);
  await expect(
    signInByCode(database.db, { pendingToken: pending.pendingToken, code }, origin),
  ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
});
