import { expect, test } from "vitest";
import { loginTokens } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { consumeLoginToken, createLoginToken, isLocalPath } from "./login-tokens";
import { findOrCreateUser } from "./users";

const database = useTestDatabase();
const person = () => findOrCreateUser(database.db, { email: "person@example.com" });

test("a link signs its user in once and leads to the page it was made for", async () => {
  const user = await person();
  const { token, url } = await createLoginToken(database.db, {
    userId: user.id,
    purpose: "login",
    redirectTo: "/dashboard",
  });
  expect(url).toBe(`http://localhost:3000/login/token/${token}`);
  const used = await consumeLoginToken(database.db, token, "login");
  expect(used).toEqual({ user, redirectTo: "/dashboard", platformTokenId: null });
  expect(await consumeLoginToken(database.db, token, "login")).toBeNull();
});

test("of fifty attempts to use a token at once, one wins", async () => {
  const { id: userId } = await person();
  const { token } = await createLoginToken(database.db, { userId, purpose: "login" });
  const results = await Promise.all(
    Array.from({ length: 50 }, () => consumeLoginToken(database.db, token, "login")),
  );
  expect(results.filter((result) => result !== null)).toHaveLength(1);
});

test("a token works for its own purpose only, and a wrong attempt does not use it up", async () => {
  const { id: userId } = await person();
  const { token } = await createLoginToken(database.db, { userId, purpose: "password_reset" });
  expect(await consumeLoginToken(database.db, token, "login")).toBeNull();
  expect(await consumeLoginToken(database.db, `${token}x`, "password_reset")).toBeNull();
  expect(await consumeLoginToken(database.db, token, "password_reset")).not.toBeNull();
});

test("the database holds only the token's hash", async () => {
  const { id: userId } = await person();
  const { token } = await createLoginToken(database.db, { userId, purpose: "login" });
  expect(JSON.stringify(await database.db.select().from(loginTokens))).not.toContain(token);
});

test("a path that leads to another site is refused", async () => {
  const { id: userId } = await person();
  for (const redirectTo of ["//evil.example", "/\\evil.example", "https://evil.example", "x", ""]) {
    expect(isLocalPath(redirectTo)).toBe(false);
    await expect(
      createLoginToken(database.db, { userId, purpose: "login", redirectTo }),
    ).rejects.toThrow("redirectTo");
  }
});

test("a login link expires after 10 minutes by the database's clock", async () => {
  const { id: userId } = await person();
  const early = await createLoginToken(database.db, { userId, purpose: "login" });
  const late = await createLoginToken(database.db, { userId, purpose: "login" });
  await database.travel("9 minutes 55 seconds");
  expect(await consumeLoginToken(database.db, early.token, "login")).not.toBeNull();
  await database.travel("6 seconds");
  expect(await consumeLoginToken(database.db, late.token, "login")).toBeNull();
});
