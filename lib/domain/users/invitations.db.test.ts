import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { encodeId } from "@/lib/ground/ids/ids";
import { findRole } from "@/lib/domain/projects/projects";
import { makeProject } from "@/lib/testing";
import { inviteUser } from "./invitations";
import { consumeLoginToken } from "./login-tokens";
import { findOrCreateUser } from "./users";

const database = useTestDatabase();

test("an invitation makes a member, and its link lets that person in", async () => {
  const { ctx, projectId } = await makeProject(database.db, { role: "admin" });
  const { user, url } = await inviteUser(ctx, { email: " New@Example.com ", role: "editor" });
  expect(user.email).toBe("New@Example.com");
  expect(await findRole(database.db, projectId, user.id)).toBe("editor");
  const token = url.slice(url.lastIndexOf("/") + 1);
  expect((await consumeLoginToken(database.db, token, "invitation"))?.user.id).toBe(user.id);
  const [entry] = await database.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.target, encodeId("user", user.id)));
  expect(entry).toMatchObject({ action: "invite.user", projectId, actorType: "user" });
});

test("editors invite nobody, and admins make no owners", async () => {
  const editor = await makeProject(database.db, { role: "editor" });
  const admin = await makeProject(database.db, { role: "admin" });
  const email = "somebody@example.com";
  await expect(inviteUser(editor.ctx, { email, role: "viewer" })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  await expect(inviteUser(admin.ctx, { email, role: "owner" })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
});

test("inviting a member again gives a new link, and never another role", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const first = await inviteUser(ctx, { email: "twice@example.com", role: "viewer" });
  const again = await inviteUser(ctx, { email: "TWICE@example.com", role: "viewer" });
  expect(again.user).toEqual(first.user);
  expect(again.url).not.toBe(first.url);
  await expect(
    inviteUser(ctx, { email: "twice@example.com", role: "owner" }),
  ).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await findRole(database.db, projectId, first.user.id)).toBe("viewer");
});

test("a wrong address is refused and leaves nothing", async () => {
  const { ctx } = await makeProject(database.db);
  await expect(inviteUser(ctx, { email: "nobody", role: "viewer" })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "email", message: "is not an email address" }],
  });
});

test("twenty that look for a new user at once find one", async () => {
  const users = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      findOrCreateUser(database.db, { email: index % 2 ? "one@example.com" : "ONE@example.com" }),
    ),
  );
  expect(new Set(users.map(({ id }) => id)).size).toBe(1);
});
