import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, recoveryCodes, secondFactors, sessions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import {
  createProjectLoginLink,
  findOrCreatePlatformToken,
  findPlatformIdentity,
} from "@/lib/domain/projects/platform-tokens";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { createLoginToken } from "./login-tokens";
import { setPassword } from "./passwords";
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  disableSecondFactorOf,
  getSecondFactor,
  renewRecoveryCodes,
} from "./second-factor";
import { signInByCode, signInByLink, signInByPassword } from "./sign-in";
import { totpCode } from "./totp";
import { getUser } from "./users";

const database = useTestDatabase();
const password = "correct horse battery";
let people = 0;

/** Codes of the time that the database has, or of a step next to it. */
async function codeNow(secret: string, drift = 0): Promise<string> {
  const [row] = await database.db.execute<{ step: number }>(
    "select floor(extract(epoch from app_now()) / 30)::int as step",
  );
  return totpCode(secret, (row?.step ?? 0) + drift);
}

/** Somebody with a password whose app is confirmed, at an address of their own. */
async function makePerson() {
  const project = await makeProject(database.db);
  const address = `198.51.100.${++people}`;
  const origin = { address, userAgent: "Firefox", requestId: "req_test" };
  const ctx: Context = {
    ...project.ctx,
    origin,
    session: { id: project.userId, onlyProject: false },
  };
  await setPassword(database.db, project.userId, password);
  const { email } = await getUser(database.db, project.userId);
  const { secret } = await beginSecondFactor(ctx);
  const { recoveryCodes: codes } = await confirmSecondFactor(ctx, {
    code: await codeNow(secret, -1),
  });
  const begin = async () => {
    const outcome = await signInByPassword(database.db, { email, password }, origin);
    if (!outcome || !("pendingToken" in outcome)) throw new Error("No code was asked for.");
    return outcome.pendingToken;
  };
  const finish = (pendingToken: string, code: string) =>
    signInByCode(database.db, { pendingToken, code }, origin);
  return { ...project, ctx, email, secret, codes, origin, begin, finish };
}

const actsOf = async (projectId: string) =>
  (
    await database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.projectId, projectId))
      .orderBy(desc(auditLog.id))
  ).map(({ action, details }) => ({ action, details }));

test("an app that was never confirmed is not asked for", async () => {
  const { ctx, userId } = await makeProject(database.db);
  const own: Context = { ...ctx, session: { id: userId, onlyProject: false } };
  await setPassword(database.db, userId, password);
  const { email } = await getUser(database.db, userId);
  const { secret, uri } = await beginSecondFactor(own);
  expect(uri).toContain(`secret=${secret}`);
  await expect(confirmSecondFactor(own, { code: "12345" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  expect(await getSecondFactor(own)).toMatchObject({ enabled: false, recoveryCodesLeft: 0 });
  const origin = { address: "203.0.113.1", userAgent: "", requestId: "req_test" };
  const outcome = await signInByPassword(database.db, { email, password }, origin);
  expect(outcome).toHaveProperty("sessionId");
});

test("password and link both wait for the code, which starts the session they began", async () => {
  const person = await makePerson();
  expect(await getSecondFactor(person.ctx)).toMatchObject({
    enabled: true,
    recoveryCodesLeft: 10,
    hasPassword: true,
  });
  const byPassword = await person.finish(await person.begin(), await codeNow(person.secret));
  expect(byPassword?.user.id).toBe(person.userId);

  const link = await createLoginToken(database.db, { userId: person.userId, purpose: "login" });
  const outcome = await signInByLink(
    database.db,
    { token: link.token, purpose: "login" },
    person.origin,
  );
  const pendingToken = outcome && "pendingToken" in outcome ? outcome.pendingToken : "";
  // Typed as people type it, from an app whose clock is half a minute fast.
  const code = (await codeNow(person.secret, 1)).replace(/^.../, "$& ");
  expect(await person.finish(pendingToken, code)).not.toBeNull();
  expect((await actsOf(person.projectId)).slice(0, 3)).toEqual([
    { action: "start.session", details: { by: "link", second: "code" } },
    { action: "start.session", details: { by: "password", second: "code" } },
    { action: "enable.secondFactor", details: {} },
  ]);
});

test("a secret that cannot be read fits no code, and recovery codes go on working", async () => {
  const person = await makePerson();
  await database.db
    .update(secondFactors)
    .set({ secretSealed: "AAAA" })
    .where(eq(secondFactors.userId, person.userId));
  const waiting = await person.begin();
  expect(await person.finish(waiting, await codeNow(person.secret))).toBeNull();
  expect(await person.finish(waiting, person.codes[0] ?? "")).not.toBeNull();
});

test("of many attempts with one code at once a single one signs in, and none after it", async () => {
  const person = await makePerson();
  const waiting = [await person.begin(), await person.begin(), await person.begin()];
  const code = await codeNow(person.secret);
  const outcomes = await Promise.all(waiting.map((token) => person.finish(token, code)));
  expect(outcomes.filter((outcome) => outcome !== null)).toHaveLength(1);
  const left = waiting.find((_, index) => outcomes[index] === null) ?? "";
  expect(await person.finish(left, code)).toBeNull();
  expect((await actsOf(person.projectId))[0]).toEqual({
    action: "refuse.session",
    details: { by: "secondFactor" },
  });
});

test("a waiting sign-in ends with its use, after ten minutes, and is no link", async () => {
  const person = await makePerson();
  const used = await person.begin();
  await person.finish(used, person.codes[0] ?? "");
  await expect(person.finish(used, person.codes[1] ?? "")).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  const asLink = { token: await person.begin(), purpose: "login" } as const;
  expect(await signInByLink(database.db, asLink, person.origin)).toBeNull();
  const late = await person.begin();
  await database.travel("11 minutes");
  await expect(person.finish(late, await codeNow(person.secret))).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  expect(await getSecondFactor(person.ctx)).toMatchObject({ recoveryCodesLeft: 9 });
});

test("a recovery code is good once, however it is typed, and kept as a hash", async () => {
  const person = await makePerson();
  const [first = "", second = ""] = person.codes;
  expect(new Set(person.codes).size).toBe(10);
  expect(await person.finish(await person.begin(), first)).not.toBeNull();
  expect(await person.finish(await person.begin(), first)).toBeNull();
  const typed = second.toUpperCase().replaceAll("-", " ");
  expect(await person.finish(await person.begin(), typed)).not.toBeNull();
  expect(await getSecondFactor(person.ctx)).toMatchObject({ recoveryCodesLeft: 8 });
  expect(await actsOf(person.projectId)).toContainEqual({
    action: "use.recoveryCode",
    details: { left: 8 },
  });
  const kept = JSON.stringify([
    await database.db.select().from(recoveryCodes),
    await database.db.select().from(secondFactors),
  ]);
  for (const secret of [...person.codes, person.secret]) {
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain(secret.replaceAll("-", "").toUpperCase());
  }
});

test("nobody's code opens another's account", async () => {
  const [ada, grace] = [await makePerson(), await makePerson()];
  const pending = await ada.begin();
  expect(await ada.finish(pending, grace.codes[0] ?? "")).toBeNull();
  expect(await ada.finish(pending, await codeNow(grace.secret))).toBeNull();
  expect(await getSecondFactor(grace.ctx)).toMatchObject({ recoveryCodesLeft: 10 });
});

test("ten codes from an address are the last for a while, thirty from everywhere", async () => {
  const guess = async (person: Awaited<ReturnType<typeof makePerson>>, addresses: string[]) => {
    const pendingToken = await person.begin();
    const attempts = addresses.map((address) =>
      signInByCode(database.db, { pendingToken, code: "000000" }, { ...person.origin, address }),
    );
    const outcomes = await Promise.allSettled(attempts);
    return outcomes.filter(({ status }) => status === "fulfilled").length;
  };
  expect(await guess(await makePerson(), Array<string>(15).fill("203.0.113.1"))).toBe(10);
  const person = await makePerson();
  const spread = Array.from({ length: 40 }, (_, index) => `203.0.113.${10 + (index % 8)}`);
  // One of the thirty was the code that switched it on.
  expect(await guess(person, spread)).toBe(29);
  await expect(person.finish(await person.begin(), person.codes[0] ?? "")).rejects.toMatchObject({
    code: "RATE_LIMIT_EXCEEDED",
  });
});

test("password or code switch it off and make new recovery codes, nothing else does", async () => {
  const person = await makePerson();
  for (const proof of [{ password: "wrong" }, { code: "000000" }, { code: "abcd-efgh" }]) {
    await expect(disableSecondFactor(person.ctx, proof)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  }
  await expect(beginSecondFactor(person.ctx)).rejects.toMatchObject({ code: "CONFLICT" });
  const renewed = await renewRecoveryCodes(person.ctx, { code: person.codes[0] ?? "" });
  expect(renewed.recoveryCodes).toHaveLength(10);
  expect(await person.finish(await person.begin(), person.codes[1] ?? "")).toBeNull();
  await disableSecondFactor(person.ctx, { password });
  expect(await database.db.$count(secondFactors, eq(secondFactors.userId, person.userId))).toBe(0);
  await expect(person.begin()).rejects.toThrow("No code was asked for.");
  await expect(disableSecondFactor(person.ctx, { password })).rejects.toMatchObject({
    code: "CONFLICT",
  });
});

test("keys, and sessions that a platform token started, have no say", async () => {
  const { ctx, userId } = await makeProject(database.db);
  const others: Context[] = [
    ctx,
    { ...ctx, session: { id: userId, onlyProject: true } },
    { ...ctx, actor: { type: "apiKey", id: userId } },
  ];
  for (const other of others) {
    await expect(beginSecondFactor(other)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(getSecondFactor(other)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
});

test("a link made with a platform token asks for the code too", async () => {
  const person = await makePerson();
  const { projectId, userId, ctx } = person;
  const token = await findOrCreatePlatformToken(database.db, { projectId, userId });
  const identity = await findPlatformIdentity(database.db, token);
  const link = await createProjectLoginLink({ ...ctx, platformTokenId: identity?.tokenId ?? "" });
  const outcome = await signInByLink(
    database.db,
    { token: link.token, purpose: "login" },
    person.origin,
  );
  const pendingToken = outcome && "pendingToken" in outcome ? outcome.pendingToken : "";
  const started = await person.finish(pendingToken, person.codes[0] ?? "");
  const [session] = await database.db
    .select()
    .from(sessions)
    .where(eq(sessions.id, started?.sessionId ?? ""));
  expect(session?.platformTokenId).toBe(identity?.tokenId);
});

test("an operator switches it off for somebody who has lost everything", async () => {
  const person = await makePerson();
  expect(await disableSecondFactorOf(database.db, person.email.toUpperCase())).toBe(true);
  expect(await disableSecondFactorOf(database.db, person.email)).toBe(false);
  await expect(disableSecondFactorOf(database.db, "nobody@example.com")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect((await actsOf(person.projectId))[0]).toEqual({
    action: "disable.secondFactor",
    details: { by: "operator" },
  });
});
