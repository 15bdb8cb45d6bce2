import { and, eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, memberships, platformTokens } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { systemContext } from "@/lib/ground/context";
import { sha256 } from "@/lib/ground/secrets";
import { makeProject } from "@/lib/testing";
import { findOrCreateUser } from "@/lib/domain/users/users";
import {
  getPlatformToken,
  revealPlatformToken,
  rotateOwnPlatformToken,
} from "./own-platform-token";
import { findPlatformIdentity } from "./platform-tokens";

const database = useTestDatabase();

test("people see and replace their own token, and nobody else's", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const user = await findOrCreateUser(database.db, { email: "second@example.com" });
  await database.db.insert(memberships).values({ projectId, userId: user.id, role: "viewer" });
  const viewer = { ...ctx, role: "viewer" as const, actor: { type: "user" as const, id: user.id } };

  const [mine, theirs] = [await revealPlatformToken(ctx), await revealPlatformToken(viewer)];
  expect(mine.token).not.toBe(theirs.token);
  expect(await getPlatformToken(ctx)).toEqual({
    last4: mine.token.slice(-4),
    rotatedAt: mine.rotatedAt,
  });

  const next = await rotateOwnPlatformToken(ctx);
  expect(next.token).not.toBe(mine.token);
  expect((await revealPlatformToken(ctx)).token).toBe(next.token);
  expect((await revealPlatformToken(viewer)).token).toBe(theirs.token);
  const stored = await database.db
    .select()
    .from(platformTokens)
    .where(eq(platformTokens.projectId, projectId));
  expect(stored.map(({ hash }) => hash)).not.toContain(sha256(mine.token).toString("hex"));
});

test("showing and replacing it are in the audit log, its text is not", async () => {
  const { ctx, projectId, userId } = await makeProject(database.db);
  await getPlatformToken(ctx);
  const { token } = await revealPlatformToken(ctx);
  await rotateOwnPlatformToken(ctx);
  const entries = await database.db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.projectId, projectId),
        inArray(auditLog.action, ["reveal.platformToken", "rotate.platformToken"]),
      ),
    );
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    "reveal.platformToken",
    "rotate.platformToken",
  ]);
  expect(entries.every(({ actorId }) => actorId === userId)).toBe(true);
  expect(JSON.stringify(entries)).not.toContain(token);
});

test("programs have none", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  for (const program of [
    systemContext(database.db, projectId),
    { ...ctx, actor: { type: "apiKey" as const, id: projectId } },
  ]) {
    await expect(revealPlatformToken(program)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(rotateOwnPlatformToken(program)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
});

test("one that cannot be read says so, works on, and is replaced", async () => {
  const { ctx, projectId, userId } = await makeProject(database.db);
  const { token } = await revealPlatformToken(ctx);
  await database.db
    .update(platformTokens)
    .set({ sealed: "AAAA" })
    .where(eq(platformTokens.projectId, projectId));
  expect(await getPlatformToken(ctx)).toMatchObject({ last4: null });
  await expect(revealPlatformToken(ctx)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("Replace it") as string,
  });
  expect(await findPlatformIdentity(database.db, token)).toMatchObject({ userId });
  const next = await rotateOwnPlatformToken(ctx);
  expect(await getPlatformToken(ctx)).toMatchObject({ last4: next.token.slice(-4) });
});
