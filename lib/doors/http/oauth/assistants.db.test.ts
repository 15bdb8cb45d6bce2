import { and, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { assistantTokens, auditLog, memberships } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { endAssistant, listAssistants } from "@/lib/domain/assistants/assistants";
import { listAuditEntries } from "@/lib/domain/audit/read";
import { auditQuery } from "@/lib/domain/audit/schema";
import { createLoginToken } from "@/lib/domain/users/login-tokens";
import { resetPassword } from "@/lib/domain/users/passwords";
import { makeProject, type TestProject } from "@/lib/testing";
import { assistantDoors, connectByConsent } from "@/lib/testing/assistant";

const database = useTestDatabase();
const doors = assistantDoors(() => database.db);
const { ping, register, decide, ask } = doors;
let project: TestProject;
let clientId: string;

beforeAll(async () => {
  project = await makeProject(database.db);
  clientId = await register();
});

describe("a hosted assistant", () => {
  test("connects with the address of the tool server and a person's consent alone", async () => {
    const owner = await makeProject(database.db);
    const { client } = await connectByConsent(doors, owner);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(17);
    const email = "ada@example.com";
    const created = await client.callTool({ name: "create_contact", arguments: { email } });
    expect(created.isError).toBeUndefined();
    const ctx = { ...owner.ctx, role: "admin" as const };
    const { data } = await listAuditEntries(ctx, auditQuery.parse({ limit: 2 }));
    expect(data.map(({ sentence, target }) => [sentence.before, target?.name])).toEqual([
      [expect.stringMatching(/^The assistant Assistant for owner-.* added the contact /), email],
      [expect.stringContaining("connected the assistant "), "Assistant"],
    ]);
    await client.close();
  });

  test("goes on by itself when its token has expired", async () => {
    const owner = await makeProject(database.db);
    const { client } = await connectByConsent(doors, owner);
    await database.db
      .update(assistantTokens)
      .set({ expiresAt: sql`app_now()` })
      .where(
        and(eq(assistantTokens.projectId, owner.projectId), eq(assistantTokens.kind, "access")),
      );
    expect((await client.listTools()).tools).toHaveLength(17);
    const { data } = await listAssistants(owner.ctx);
    expect(data).toMatchObject([{ name: "Assistant", scope: "full" }]);
    await client.close();
  });

  test.each([
    ["read", ["list_contacts", "list_campaigns", "get_campaign_stats", "list_templates"]],
    ["sending", ["send_email"]],
  ] as const)("with the scope %s sees what that may use", async (scope, names) => {
    const { client } = await connectByConsent(doors, project, scope);
    const { tools } = await client.listTools();
    const listed = tools.map(({ name }) => name);
    expect(listed.slice(0, names.length)).toEqual(names);
    expect(tools.every(({ annotations }) => scope !== "read" || annotations?.readOnlyHint)).toBe(
      true,
    );
    await client.close();
  });
});

describe("an assistant acts with no more than its person's rights", () => {
  const setRole = (person: TestProject, role: "viewer" | "owner") =>
    database.db
      .update(memberships)
      .set({ role })
      .where(eq(memberships.projectId, person.projectId));

  test("a viewer's reads, and may not be allowed to send", async () => {
    const viewer = await makeProject(database.db, { role: "viewer" });
    const { client } = await connectByConsent(doors, viewer);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    await expect(
      client.callTool({ name: "create_contact", arguments: { email: "a@example.com" } }),
    ).rejects.toThrow(/no tool/i);
    const { asked } = ask(clientId);
    expect((await decide(viewer, asked, { scope: "sending" })).status).toBe(403);
    await client.close();
  });

  test("one that may send stops when its person may no longer", async () => {
    const sender = await makeProject(database.db);
    const { client, tokens } = await connectByConsent(doors, sender, "sending");
    await setRole(sender, "viewer");
    expect((await ping(tokens.access_token)).status).toBe(403);
    await client.close();
  });
});

describe("the list of assistants", () => {
  test("shows those that can sign in: all to admins, their own to others; and ends them", async () => {
    const owner = await makeProject(database.db);
    expect((await listAssistants(owner.ctx)).data).toEqual([]);
    const { asked } = ask(clientId);
    await decide(owner, asked);
    // Nobody exchanged that code.
    expect((await listAssistants(owner.ctx)).data).toEqual([]);
    const { client, tokens } = await connectByConsent(doors, owner, "read");
    const { data } = await listAssistants(owner.ctx);
    expect(data).toMatchObject([
      { name: "Assistant", host: "assistant.example", scope: "read", own: true },
    ]);
    const id = data[0]?.id ?? "";
    const viewer = await makeProject(database.db, { role: "viewer" });
    const other = { ...viewer.ctx, projectId: owner.projectId };
    expect((await listAssistants(other)).data).toEqual([]);
    await expect(endAssistant(other, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(endAssistant(viewer.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await ping(tokens.access_token)).status).toBe(200);
    await endAssistant(owner.ctx, id);
    expect((await ping(tokens.access_token)).status).toBe(401);
    expect((await listAssistants(owner.ctx)).data).toEqual([]);
    await expect(endAssistant(owner.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const ends = await database.db
      .select({ target: auditLog.target })
      .from(auditLog)
      .where(and(eq(auditLog.projectId, owner.projectId), eq(auditLog.action, "end.assistant")));
    expect(ends).toEqual([{ target: id }]);
    await client.close();
  });

  test("lacks those of a person who has reset their password, and nobody else's", async () => {
    const owner = await makeProject(database.db);
    const colleague = await makeProject(database.db);
    await database.db
      .insert(memberships)
      .values({ projectId: owner.projectId, userId: colleague.userId, role: "editor" });
    const mine = await connectByConsent(doors, owner, "read");
    const there = { projectId: owner.projectId, userId: colleague.userId };
    const theirs = await connectByConsent(doors, there, "read");
    const [{ id = "" } = {}] = (await listAssistants(owner.ctx)).data.filter(({ own }) => own);
    const purpose = "password_reset" as const;
    const { token } = await createLoginToken(database.db, { userId: owner.userId, purpose });
    await resetPassword(database.db, { token, purpose, password: "a new password" });
    expect((await ping(mine.tokens.access_token)).status).toBe(401);
    expect((await ping(theirs.tokens.access_token)).status).toBe(200);
    expect((await listAssistants(owner.ctx)).data.map(({ own }) => own)).toEqual([false]);
    const ends = await database.db
      .select({ target: auditLog.target, actorId: auditLog.actorId, details: auditLog.details })
      .from(auditLog)
      .where(and(eq(auditLog.projectId, owner.projectId), eq(auditLog.action, "end.assistant")));
    expect(ends).toEqual([
      {
        target: id,
        actorId: owner.userId,
        details: { name: "Assistant", by: "passwordReset" },
      },
    ]);
    await Promise.all([mine.client.close(), theirs.client.close()]);
  });
});
