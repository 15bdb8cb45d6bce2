import { expect, test } from "vitest";
import { pendingMigrations } from "@/db/migrate";
import { installation, platformTokens } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { findKeyIdentity } from "@/lib/domain/api-keys/authenticate";
import { systemContext } from "@/lib/ground/context";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { decodeId } from "@/lib/ground/ids/ids";
import { confirmAppSecret } from "@/lib/ground/installation";
import { consumeLoginToken } from "@/lib/domain/users/login-tokens";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { bootstrap } from "./bootstrap";
import { findOrCreatePlatformToken, rotatePlatformToken } from "./platform-tokens";
import { createProject, findRole, listProjects } from "./projects";

const database = useTestDatabase();

test("bootstrap gives a project with a working key, link, token and sending domain", async () => {
  const made = await bootstrap(database.db, { email: "first@example.com", projectName: "Shop" });
  const projectId = decodeId("project", made.projectId) ?? "";
  expect(await findKeyIdentity(database.db, made.apiKey)).toMatchObject({ projectId });
  const token = made.loginUrl.slice(made.loginUrl.lastIndexOf("/") + 1);
  const login = await consumeLoginToken(database.db, token, "login");
  expect(login?.user.email).toBe("first@example.com");
  expect(login?.redirectTo).toBe(`/dashboard/${made.projectId}`);
  expect(await findRole(database.db, projectId, login?.user.id ?? "")).toBe("owner");
  const { data } = await listDomains(systemContext(database.db, projectId), { limit: 20 });
  expect(data).toMatchObject([{ name: "sandbox.test", status: "VERIFIED" }]);
  expect(made.appUrl).toBe("http://localhost:3000");
});

test("a second time it finds user, project and token, and makes a new key", async () => {
  const email = "again@example.com";
  const first = await bootstrap(database.db, { email });
  const second = await bootstrap(database.db, { email: email.toUpperCase() });
  expect(second.projectId).toBe(first.projectId);
  expect(second.platformToken).toBe(first.platformToken);
  expect(second.apiKey).not.toBe(first.apiKey);
  const named = await bootstrap(database.db, { email, projectName: "Another" });
  expect(named.projectId).not.toBe(first.projectId);
  expect((await bootstrap(database.db, { email, projectName: "Another" })).projectId).toBe(
    named.projectId,
  );
});

test("ten at once for a new person make one project", async () => {
  const email = "crowd@example.com";
  const made = await Promise.all(
    Array.from({ length: 10 }, () => bootstrap(database.db, { email })),
  );
  expect(new Set(made.map(({ projectId }) => projectId)).size).toBe(1);
  expect(new Set(made.map(({ platformToken }) => platformToken)).size).toBe(1);
  const user = await findOrCreateUser(database.db, { email });
  expect(await listProjects(database.db, user.id)).toHaveLength(1);
});

test("a project of which the user is no owner is not found, and a wrong name is refused", async () => {
  const stranger = await findOrCreateUser(database.db, { email: "stranger@example.com" });
  await createProject(database.db, { name: "Theirs", ownerUserId: stranger.id });
  const made = await bootstrap(database.db, { email: "mine@example.com", projectName: "Theirs" });
  const user = await findOrCreateUser(database.db, { email: "mine@example.com" });
  expect(await findRole(database.db, decodeId("project", made.projectId) ?? "", user.id)).toBe(
    "owner",
  );
  await expect(
    bootstrap(database.db, { email: "mine@example.com", projectName: "a\nb" }),
  ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("a rotated platform token replaces the standing one, and neither is stored readably", async () => {
  const user = await findOrCreateUser(database.db, { email: "token@example.com" });
  const project = await createProject(database.db, { name: "Tokens", ownerUserId: user.id });
  const owner = { projectId: project.id, userId: user.id };
  const standing = await findOrCreatePlatformToken(database.db, owner);
  const rotated = await rotatePlatformToken(database.db, owner);
  expect(rotated).not.toBe(standing);
  expect(await findOrCreatePlatformToken(database.db, owner)).toBe(rotated);
  expect(JSON.stringify(await database.db.select().from(platformTokens))).not.toContain(rotated);
});

test("a database remembers the APP_SECRET it was first used with", async () => {
  expect(await confirmAppSecret(database.db)).toBe(true);
  expect(await confirmAppSecret(database.db)).toBe(true);
  await database.db.update(installation).set({ value: "made with another secret" });
  expect(await confirmAppSecret(database.db)).toBe(false);
});

test("migrations that a database lacks are named, oldest first", async () => {
  const { $client: client } = database.db;
  expect(await pendingMigrations(client)).toEqual([]);
  await client`delete from drizzle.__drizzle_migrations`;
  const all = await pendingMigrations(client);
  expect(all[0]).toBe("0000_foundation");
  await client`drop schema drizzle cascade`;
  expect(await pendingMigrations(client)).toEqual(all);
});
