import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { sessionCookie } from "@/lib/testing";
import { createLoginToken, findLoginToken } from "./login-tokens";
import { resetPassword, setPassword, verifyPassword } from "./passwords";
import { findSession } from "./sessions";
import { findOrCreateUser } from "./users";

const test = useTestDatabase();
const password = "correct horse battery";

async function person(email: string) {
  const user = await findOrCreateUser(test.db, { email });
  await setPassword(test.db, user.id, password);
  return user;
}

describe("passwords", () => {
  it("accepts the right password whatever the address's case, and no other", async () => {
    const user = await person("ada@example.com");
    expect(await verifyPassword(test.db, { email: " ADA@example.com", password })).toMatchObject({
      user: { id: user.id },
    });
    expect(await verifyPassword(test.db, { email: user.email, password: "wrong" })).toBeNull();
    expect(await verifyPassword(test.db, { email: "nobody@example.com", password })).toBeNull();
  });

  it("lets nobody in who has not set a password yet", async () => {
    const user = await findOrCreateUser(test.db, { email: "linkonly@example.com" });
    expect(await verifyPassword(test.db, { email: user.email, password: "" })).toBeNull();
    expect(await verifyPassword(test.db, { email: user.email, password: "decoy" })).toBeNull();
  });

  it("stores argon2id, and accepts the same characters typed in another Unicode form", async () => {
    const user = await findOrCreateUser(test.db, { email: "zoe@example.com" });
    await setPassword(test.db, user.id, "Zoe\u0308 liest Briefe");
    const [row] = await test.db.execute<{ password_hash: string }>(
      sql`select password_hash from users where id = ${user.id}`,
    );
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const typed = { email: user.email, password: "Zo\u00eb liest Briefe" };
    expect(await verifyPassword(test.db, typed)).not.toBeNull();
  });

  it("ends all sessions when the password changes", async () => {
    const user = await person("sessions@example.com");
    const headers = new Headers({ cookie: await sessionCookie(test.db, user.id) });
    expect(await findSession(test.db, headers)).toMatchObject({ user: { id: user.id } });
    await setPassword(test.db, user.id, "another password");
    expect(await findSession(test.db, headers)).toBeNull();
  });

  it("resets once with a link, which is not used up by a password that is too short", async () => {
    const user = await person("reset@example.com");
    const purpose = "password_reset" as const;
    const { token } = await createLoginToken(test.db, { userId: user.id, purpose });
    await expect(
      resetPassword(test.db, { token, purpose, password: "short" }),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR", details: [{ path: "password" }] });
    await resetPassword(test.db, { token, purpose, password: "a new password" });
    expect(
      await verifyPassword(test.db, { email: user.email, password: "a new password" }),
    ).not.toBeNull();
    await expect(
      resetPassword(test.db, { token, purpose, password: "a third password" }),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("invalidates the user's other links when the password is reset", async () => {
    const user = await person("links@example.com");
    const purpose = "password_reset" as const;
    const login = await createLoginToken(test.db, { userId: user.id, purpose: "login" });
    const invited = await createLoginToken(test.db, { userId: user.id, purpose: "invitation" });
    const { token } = await createLoginToken(test.db, { userId: user.id, purpose });
    const find = () =>
      Promise.all([
        findLoginToken(test.db, login.token, "login"),
        findLoginToken(test.db, invited.token, "invitation"),
      ]);
    expect(await find()).toMatchObject([{ email: user.email }, { email: user.email }]);
    await resetPassword(test.db, { token, purpose, password: "a new password" });
    expect(await find()).toEqual([null, null]);
  });
});
