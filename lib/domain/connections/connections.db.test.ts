import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { auditLog, sendingConnections } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createDomain, updateDomain } from "@/lib/domain/sending-domains/domains";
import type { Context } from "@/lib/ground/context";
import { reloadEnv } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  updateConnection,
} from "./connections";
import type { Connection, SmtpConnectionInput } from "./schema";

type PostmarkConnection = Extract<Connection, { kind: "postmark" }>;

const database = useTestDatabase();
const auditOf = (ctx: Context) =>
  database.db.select().from(auditLog).where(eq(auditLog.projectId, ctx.projectId));
const input = (more: Partial<SmtpConnectionInput> = {}): SmtpConnectionInput => ({
  name: "Ours",
  kind: "smtp",
  host: "smtp.example.com",
  user: "mail",
  password: "correct horse",
  ...more,
});

describe("a sending connection", () => {
  it("keeps its password sealed, and shows it to nobody", async () => {
    const { ctx } = await makeProject(database.db);
    const connection = await createConnection(ctx, input());
    expect(connection).toMatchObject({ port: 587, tls: "required", user: "mail", sessions: 5 });
    const [dump] = await database.db.execute<{ all: string }>(
      sql`select sending_connections::text as all from sending_connections where project_id = ${ctx.projectId}`,
    );
    expect(dump?.all).not.toContain("correct horse");
    expect(JSON.stringify([connection, await listConnections(ctx)])).not.toContain("correct horse");
    const entries = await database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.projectId, ctx.projectId));
    expect(entries.map(({ action }) => action)).toContain("create.connection");
    expect(JSON.stringify(entries)).not.toContain("correct horse");
  });

  it("takes its password to no new place, and none in clear text", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await createConnection(ctx, input());
    for (const change of [
      { host: "elsewhere.example.com" },
      { port: 465 },
      { tls: "implicit" as const },
    ]) {
      await expect(updateConnection(ctx, id, change)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        details: [{ path: "password" }],
      });
    }
    await expect(
      updateConnection(ctx, id, { tls: "opportunistic", password: "x" }),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR", details: [{ path: "tls" }] });
    await expect(
      createConnection(ctx, input({ name: "Bare", password: "" })),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const moved = { host: "elsewhere.example.com", password: "new", port: 465 };
    expect(await updateConnection(ctx, id, { ...moved, tls: "implicit" })).toMatchObject({
      host: "elsewhere.example.com",
      tls: "implicit",
    });
  });

  it("of a provider keeps its key and what proves its reports to itself", async () => {
    const { ctx } = await makeProject(database.db);
    const created = await createConnection(ctx, {
      ...{ name: "Postmark", kind: "postmark", apiKey: "a-server-token" },
    });
    expect(created).toMatchObject({
      ...{ kind: "postmark", messageStream: "outbound", campaignStream: "broadcast" },
      hasWebhookSecret: true,
    });
    const { password, pathname } = new URL((created as PostmarkConnection).webhookUrl ?? "");
    expect(pathname).toBe(`/hooks/connections/${created.id}`);
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    const seen = await listConnections({ ...ctx, role: "editor" });
    expect(JSON.stringify([seen, await auditOf(ctx)])).not.toContain(password);
    expect(seen.data[0]).toMatchObject({ webhookUrl: null });
    const [dump] = await database.db.execute<{ all: string }>(
      sql`select sending_connections::text as all from sending_connections where project_id = ${ctx.projectId}`,
    );
    for (const secret of ["a-server-token", password]) expect(dump?.all).not.toContain(secret);
    for (const [field, value] of Object.entries({ host: "x.example.com", webhookSecret: "x" })) {
      await expect(updateConnection(ctx, created.id, { [field]: value })).rejects.toMatchObject({
        details: [{ path: field }],
      });
    }
  });

  it.each([
    ["resend", "sg_1", "webhookSecret"],
    ["sendgrid", "bm8ga2V5", "webhookSecret"],
  ] as const)("of %s takes no secret that cannot prove anything", async (kind, secret, path) => {
    const { ctx } = await makeProject(database.db);
    const made = { name: "Provider", kind, apiKey: "key", webhookSecret: secret };
    await expect(createConnection(ctx, made)).rejects.toMatchObject({ details: [{ path }] });
  });

  it("is the standard one alone, and is not deleted while a domain names it", async () => {
    const { ctx } = await makeProject(database.db);
    const first = await createConnection(ctx, input({ standard: true }));
    const second = await createConnection(
      ctx,
      input({ name: "Second", standard: true, fallbackId: first.id }),
    );
    const standards = (await listConnections(ctx)).data.filter(({ standard }) => standard);
    expect(standards.map(({ id }) => id)).toEqual([second.id]);
    const domain = await createDomain(ctx, { name: "mail.example.org" });
    const named = await updateDomain(ctx, domain.id, { connectionId: first.id });
    expect(named.connectionId).toBe(first.id);
    expect((await getConnection(ctx, first.id)).domains).toEqual([
      { id: domain.id, name: "mail.example.org" },
    ]);
    await expect(deleteConnection(ctx, first.id)).rejects.toMatchObject({ code: "CONFLICT" });
    await updateDomain(ctx, domain.id, { connectionId: null });
    await deleteConnection(ctx, first.id);
    expect((await getConnection(ctx, second.id)).fallbackId).toBeNull();
  });

  it("is one project's: another can neither see nor name it", async () => {
    const { ctx } = await makeProject(database.db);
    const other = await makeProject(database.db);
    const { id } = await createConnection(ctx, input());
    await expect(getConnection(other.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(deleteConnection(other.ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const domain = await createDomain(other.ctx, { name: "mail.example.net" });
    await expect(updateDomain(other.ctx, domain.id, { connectionId: id })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    await expect(createConnection(other.ctx, input({ fallbackId: id }))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });

  it("is an admin's to change, and a project has twenty", async () => {
    const { ctx } = await makeProject(database.db);
    await expect(createConnection({ ...ctx, role: "editor" }, input())).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
    const attempts = await Promise.allSettled(
      Array.from({ length: 22 }, (_, index) =>
        createConnection(ctx, input({ name: `No ${index}` })),
      ),
    );
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    const count = await database.db.$count(
      sendingConnections,
      eq(sendingConnections.projectId, ctx.projectId),
    );
    expect(count).toBe(20);
  });
});

describe("where private addresses are not allowed", () => {
  const before = process.env["ALLOW_PRIVATE_ADDRESSES"];
  afterEach(() => {
    if (before === undefined) delete process.env["ALLOW_PRIVATE_ADDRESSES"];
    else process.env["ALLOW_PRIVATE_ADDRESSES"] = before;
    reloadEnv();
  });

  it.each([
    [{ host: "127.0.0.1" }, "host"],
    [{ host: "169.254.169.254" }, "host"],
    [{ host: "postgres" }, "host"],
    [{ host: "mail.internal" }, "host"],
    [{ host: "smtp.example.com", port: 5432 }, "port"],
  ])("%j is refused", async (place, path) => {
    process.env["ALLOW_PRIVATE_ADDRESSES"] = "0";
    reloadEnv();
    const { ctx } = await makeProject(database.db);
    await expect(createConnection(ctx, input({ ...place, tls: "required" }))).rejects.toMatchObject(
      { code: "VALIDATION_ERROR", details: [{ path }] },
    );
  });
});
