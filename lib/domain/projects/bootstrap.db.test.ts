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

test("bootstrap returns a project with a working key, link, token and sending domain", async () => {
  const result = await bootstrap(database.db, { email: "first@example.com", projectName: "Shop" });
  const projectId = decodeId("project", result.projectId) ?? "";
  expect(await findKeyIdentity(database.db, result.apiKey)).toMatchObject({ projectId });
  const token = result.loginUrl.slice(result.loginUrl.lastIndexOf("/") + 1);
  const login = await consumeLoginToken(database.db, token, "login");
  expect(login?.user.email).toBe("first@example.com");
  expect(login?.redirectTo).toBe(`/dashboard/${result.projectId}`);
  expect(await findRole(database.db, projectId, login?.user.id ?? "")).toBe("owner");
  const { data } = await listDomains(systemContext(database.db, projectId), { limit: 20 });
  expect(data).toMatchObject([{ name: "sandbox.test", status: "VERIFIED" }]);
  expect(result.appUrl).toBe("http://localhost:3000");
});

test("run again, it finds user, project and token, and creates a new key", async () => {
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

test("ten concurrent calls for a new person create one project", async () => {
  const email = "crowd@example.com";
  const results = await Promise.all(
    Array.from({ length: 10 }, () => bootstrap(database.db, { email })),
  );
  expect(new Set(results.map(({ projectId }) => projectId)).size).toBe(1);
  expect(new Set(results.map(({ platformToken }) => platformToken)).size).toBe(1);
  const user = await findOrCreateUser(database.db, { email });
  expect(await listProjects(database.db, user.id)).toHaveLength(1);
});

test("a project that the user does not own is not used, and an invalid name is refused", async () => {
  const stranger = await findOrCreateUser(database.db, { email: "stranger@example.com" });
  await createProject(database.db, { name: "Theirs", ownerUserId: stranger.id });
  const result = await bootstrap(database.db, { email: "mine@example.com", projectName: "Theirs" });
  const user = await findOrCreateUser(database.db, { email: "mine@example.com" });
  expect(await findRole(database.db, decodeId("project", result.projectId) ?? "", user.id)).toBe(
    "owner",
  );
  await expect(
    bootstrap(database.db, { email: "mine@example.com", projectName: "a\nb" }),
  ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("a rotated platform token replaces the current one, and neither is stored in plain text", async () => {
  const user = await findOrCreateUser(database.db, { email: "token@example.com" });
  const project = await createProject(database.db, { name: "Tokens", ownerUserId: user.id });
  const owner = { projectId: project.id, userId: user.id };
  const current = await findOrCreatePlatformToken(database.db, owner);
  const rotated = await rotatePlatformToken(database.db, owner);
  expect(rotated).not.toBe(current);
  expect(await findOrCreatePlatformToken(database.db, owner)).toBe(rotated);
  expect(JSON.stringify(await database.db.select().from(platformTokens))).not.toContain(rotated);
});

test("a database remembers the APP_SECRET it was first used with", async () => {
  expect(await confirmAppSecret(database.db)).toBe(true);
  expect(await confirmAppSecret(database.db)).toBe(true);
  await database.db.update(installation).set({ value: "made with another secret" });
  expect(await confirmAppSecret(database.db)).toBe(false);
});

test("pending migrations are listed, oldest first", async () => {
  const { $client: client } = database.db;
  expect(await pendingMigrations(client)).toEqual([]);
  await client`delete from drizzle.__drizzle_migrations`;
  const all = await pendingMigrations(client);
  expect(all[0]).toBe("0000_foundation");
  await client`drop schema drizzle cascade`;
  expect(await pendingMigrations(client)).toEqual(all);
});
