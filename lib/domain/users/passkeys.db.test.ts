import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, passkeys, sessions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { softAuthenticator } from "@/lib/testing/passkeys";
import { beginPasskeySignIn, signInByPasskey } from "./passkey-sign-in";
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from "./passkeys";
import { setPassword } from "./passwords";
import { beginSecondFactor, confirmSecondFactor } from "./second-factor";
import { createSession } from "./sessions";
import { totpCode } from "./totp";

const database = useTestDatabase();
const password = "correct horse battery";
const origin = { address: "192.0.2.1", userAgent: "Firefox", requestId: "req_test" };
let people = 0;

/** Somebody with a password who is signed in, at an address of their own. */
async function makePerson() {
  const project = await makeProject(database.db);
  const { userId } = project;
  const where = { address: `198.51.100.${++people}`, userAgent: "Firefox" };
  await setPassword(database.db, userId, password);
  const { id } = await createSession(database.db, { userId, platformTokenId: null, ...where });
  const ctx: Context = {
    ...project.ctx,
    origin: where,
    session: { id, onlyProject: false },
  };
  return { ...project, ctx };
}

/** The same with a passkey. */
async function makeHolder() {
  const person = await makePerson();
  const authenticator = softAuthenticator();
  const { options } = await beginPasskey(person.ctx, { password });
  const response = authenticator.create(options);
  const passkey = await addPasskey(person.ctx, { name: "My phone", response });
  return { ...person, authenticator, passkey };
}

const actsOf = async (projectId: string) =>
  (
    await database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.projectId, projectId))
      .orderBy(desc(auditLog.id))
  ).map(({ action, details }) => ({ action, details }));

async function question(holder: string): Promise<string> {
  return (await beginPasskeySignIn(database.db, holder)).challenge;
}

test("a passkey is added with the password, and then signs in as both factors", async () => {
  const { ctx, userId, projectId, authenticator, passkey } = await makeHolder();
  const { secret } = await beginSecondFactor(ctx);
  const [row] = await database.db.execute<{ step: number }>(
    "select floor(extract(epoch from app_now()) / 30)::int as step",
  );
  await confirmSecondFactor(ctx, { code: totpCode(secret, row?.step ?? 0) });

  const signed = authenticator.sign(await question("browser"));
  const started = await signInByPasskey(database.db, { holder: "browser", signed }, origin);
  expect(started?.user.id).toBe(userId);
  expect(await listPasskeys(ctx)).toEqual({
    available: true,
    data: [{ ...passkey, name: "My phone", lastUsedAt: expect.any(String) as string }],
  });
  expect((await actsOf(projectId)).slice(0, 3)).toMatchObject([
    { action: "start.session", details: { by: "passkey" } },
    { action: "enable.secondFactor" },
    { action: "create.passkey", details: { name: "My phone" } },
  ]);
});

test("adding one takes the password, and what was begun in another session cannot be ended", async () => {
  const { ctx, userId } = await makePerson();
  await expect(beginPasskey(ctx, {})).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(beginPasskey(ctx, { password: "wrong" })).rejects.toMatchObject({
    details: [{ path: "password" }],
  });
  const { options } = await beginPasskey(ctx, { password });
  const input = { name: "Laptop", response: softAuthenticator().create(options) };
  const { id } = await createSession(database.db, { userId, platformTokenId: null, ...origin });
  const elsewhere = { ...ctx, session: { id, onlyProject: false } };
  await expect(addPasskey(elsewhere, input)).rejects.toMatchObject({ code: "CONFLICT" });
  await database.travel("6 minutes");
  await expect(addPasskey(ctx, input)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await listPasskeys(ctx)).toMatchObject({ data: [] });
});

test.each([
  ["another site", { origin: "https://evil.example" }],
  ["another host name", { host: "evil.example" }],
  ["nobody's finger, face or PIN", { verified: false }],
])("one made for %s is refused", async (_, ways) => {
  const { ctx } = await makePerson();
  const { options } = await beginPasskey(ctx, { password });
  const response = softAuthenticator().create(options, ways);
  await expect(addPasskey(ctx, { name: "Laptop", response })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "response" }],
  });
  expect(await listPasskeys(ctx)).toMatchObject({ data: [] });
});

test.each([
  ["another site", { origin: "https://evil.example" }],
  ["another host name", { host: "evil.example" }],
  ["nobody's finger, face or PIN", { verified: false }],
  ["a counter that has gone back", { counter: 0 }],
  ["somebody else's user", { userHandle: "AZkAAAAAcACAAAAAAAAAAA" }],
])("what is signed for %s opens nothing, and the log says so", async (_, ways) => {
  const { authenticator, projectId } = await makeHolder();
  const holder = "browser";
  const first = authenticator.sign(await question(holder));
  expect(await signInByPasskey(database.db, { holder, signed: first }, origin)).not.toBeNull();
  const signed = authenticator.sign(await question(holder), ways);
  expect(await signInByPasskey(database.db, { holder, signed }, origin)).toBeNull();
  expect((await actsOf(projectId))[0]).toEqual({
    action: "refuse.session",
    details: { by: "passkey" },
  });
});

test("a challenge is answered once, within five minutes, by the browser it was given to", async () => {
  const { authenticator, projectId } = await makeHolder();
  const use = (holder: string, signed: ReturnType<typeof authenticator.sign>) =>
    signInByPasskey(database.db, { holder, signed }, origin);
  const signed = authenticator.sign(await question("browser"));
  await expect(use("another browser", signed)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  const once = await Promise.allSettled([use("browser", signed), use("browser", signed)]);
  expect(once.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(use("browser", signed)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  const late = authenticator.sign(await question("browser"));
  await database.travel("6 minutes");
  await expect(use("browser", late)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  const own = authenticator.sign(Buffer.alloc(32).toString("base64url"));
  await expect(use("browser", own)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  expect((await actsOf(projectId)).filter(({ action }) => action === "start.session")).toHaveLength(
    1,
  );
});

test("another user's credential id under one's own signature opens nothing", async () => {
  const [victim, thief] = [await makeHolder(), await makeHolder()];
  const [row] = await database.db.select().from(passkeys).where(eq(passkeys.userId, victim.userId));
  const signed = thief.authenticator.sign(await question("browser"), {
    credentialId: row?.credentialId ?? "",
    userHandle: Buffer.from(victim.userId.replaceAll("-", ""), "hex").toString("base64url"),
  });
  expect(await signInByPasskey(database.db, { holder: "browser", signed }, origin)).toBeNull();
  expect((await actsOf(victim.projectId))[0]).toMatchObject({ action: "refuse.session" });
});

test("one is renamed and removed by its owner alone; after that it opens nothing", async () => {
  const [owner, stranger] = [await makeHolder(), await makeHolder()];
  const { id } = owner.passkey;
  const missing = { code: "NOT_FOUND" };
  await expect(renamePasskey(stranger.ctx, id, { name: "Mine" })).rejects.toMatchObject(missing);
  await expect(removePasskey(stranger.ctx, id, { password })).rejects.toMatchObject(missing);
  await renamePasskey(owner.ctx, id, { name: "Old phone" });
  await expect(removePasskey(owner.ctx, id, {})).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  await removePasskey(owner.ctx, id, { password });
  expect(await listPasskeys(owner.ctx)).toMatchObject({ data: [] });
  expect((await actsOf(owner.projectId)).slice(0, 2)).toEqual([
    { action: "delete.passkey", details: { name: "Old phone" } },
    { action: "update.passkey", details: { name: "Old phone" } },
  ]);
  const signed = owner.authenticator.sign(await question("browser"));
  expect(await signInByPasskey(database.db, { holder: "browser", signed }, origin)).toBeNull();
});

test("a new password ends sessions and leaves passkeys", async () => {
  const { ctx, userId } = await makeHolder();
  await setPassword(database.db, userId, "another password");
  expect(await database.db.$count(sessions, eq(sessions.userId, userId))).toBe(0);
  expect((await listPasskeys(ctx)).data).toHaveLength(1);
});

test("at an IP address, or over http elsewhere than on localhost, none can be made", async () => {
  const { ctx } = await makePerson();
  try {
    for (const url of ["https://192.0.2.7", "http://mail.example.com", "http://[::1]:3000"]) {
      process.env["APP_URL"] = url;
      reloadEnv();
      expect(await listPasskeys(ctx)).toMatchObject({ available: false });
      await expect(beginPasskey(ctx, { password })).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(question("browser")).rejects.toMatchObject({ code: "CONFLICT" });
    }
    process.env["APP_URL"] = "https://mail.example.com";
    reloadEnv();
    const { options } = await beginPasskey(ctx, { password });
    const made = softAuthenticator({ origin: "https://mail.example.com" });
    await addPasskey(ctx, { name: "Laptop", response: made.create(options) });
    expect((await listPasskeys(ctx)).data).toHaveLength(1);
  } finally {
    delete process.env["APP_URL"];
    reloadEnv();
  }
});
