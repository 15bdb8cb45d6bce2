import { and, eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { assistantTokens, memberships } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { listAuditEntries } from "@/lib/domain/audit/read";
import { auditQuery } from "@/lib/domain/audit/schema";
import { cleanUp } from "@/lib/engine/jobs/cleanup";
import { createBearerApp } from "@/lib/doors/http/v1/app";
import { sha256 } from "@/lib/ground/secrets";
import { makeProject } from "@/lib/testing";
import { assistantDoors, errorOf, type Tokens } from "@/lib/testing/assistant";

const database = useTestDatabase();
const doors = assistantDoors(() => database.db);
const { address, send, form, json, ping, register, code, connect } = doors;
let clientId: string;

beforeAll(async () => {
  clientId = await register();
});

const refresh = (token: string, client = clientId) =>
  form("/oauth/token", { grant_type: "refresh_token", client_id: client, refresh_token: token });

describe("a code", () => {
  const exchange = async (change: Record<string, string>) => {
    const { fields } = await code({ clientId });
    return errorOf(await form("/oauth/token", { ...fields, ...change }));
  };

  test.each([
    [{ code_verifier: "x".repeat(43) }, "invalid_grant"],
    [{ code_verifier: "" }, "invalid_request"],
    [{ redirect_uri: "https://assistant.example/other" }, "invalid_grant"],
    [{ code: "lmc_unknown" }, "invalid_grant"],
    [{ resource: "https://evil.example/mcp" }, "invalid_target"],
    [{ grant_type: "password" }, "unsupported_grant_type"],
  ])("is not exchanged with %j", async (change, error) => {
    expect(await exchange(change)).toEqual({ status: 400, error });
  });

  test("is another client's to nobody", async () => {
    const other = await register();
    expect(await exchange({ client_id: other })).toEqual({ status: 400, error: "invalid_grant" });
    expect(await exchange({ client_id: "ocl_x" })).toEqual({
      status: 401,
      error: "invalid_client",
    });
  });

  test("works once; a second time ends what the first time gave", async () => {
    const project = await makeProject(database.db);
    const { fields } = await code({ clientId, person: project });
    const tokens = (await (await form("/oauth/token", fields)).json()) as Tokens;
    expect((await ping(tokens.access_token)).status).toBe(200);
    expect((await form("/oauth/token", fields)).status).toBe(400);
    expect((await ping(tokens.access_token)).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    const { data } = await listAuditEntries(project.ctx, auditQuery.parse({ limit: 1 }));
    expect(data[0]?.sentence.after).toBe(": a token of it was used twice");
  });

  test("of many at once, one works", async () => {
    const { fields } = await code({ clientId });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => form("/oauth/token", fields)),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(7);
  });

  test("is too old after a minute", async () => {
    const { fields } = await code({ clientId });
    await age(fields.code, "61 seconds");
    expect((await form("/oauth/token", fields)).status).toBe(400);
  });
});

/** Moves a token's end that much nearer. */
async function age(token: string, by: string): Promise<void> {
  await database.db
    .update(assistantTokens)
    .set({ expiresAt: sql`${assistantTokens.expiresAt} - ${by}::interval` })
    .where(eq(assistantTokens.hash, sha256(token)));
}

/** Puts a token's use further back. */
async function useEarlier(token: string, by: string): Promise<void> {
  await database.db
    .update(assistantTokens)
    .set({ usedAt: sql`${assistantTokens.usedAt} - ${by}::interval` })
    .where(eq(assistantTokens.hash, sha256(token)));
}

describe("tokens", () => {
  test("are kept as hashes", async () => {
    const tokens = await connect({ clientId });
    const rows = await database.db.execute(sql`select t::text as row from assistant_tokens t`);
    const text = JSON.stringify(rows);
    expect(text).not.toContain(tokens.access_token);
    expect(text).not.toContain(tokens.refresh_token);
    expect(text).toContain(sha256(tokens.access_token).toString("hex"));
  });

  test("are for the tool server, and nothing else takes them", async () => {
    const { access_token: token } = await connect({ clientId });
    const bearer = createBearerApp("key", () => database.db);
    const headers = { authorization: `Bearer ${token}` };
    const answer = await bearer.fetch(new Request(address("/v1/contacts"), { headers }));
    expect(answer.status).toBe(401);
  });

  test("an access token lasts an hour, a refresh token is exchanged once", async () => {
    const first = await connect({ clientId });
    await age(first.access_token, "1 hour");
    expect((await ping(first.access_token)).status).toBe(401);
    const second = (await (await refresh(first.refresh_token)).json()) as Tokens;
    expect((await ping(second.access_token)).status).toBe(200);
    await useEarlier(first.refresh_token, "61 seconds");
    // Somebody else has it: neither of the two goes on.
    expect((await refresh(first.refresh_token)).status).toBe(400);
    expect((await refresh(second.refresh_token)).status).toBe(400);
    expect((await ping(second.access_token)).status).toBe(401);
  });

  test("a refresh token may be shown again within a minute: its answer may have been lost", async () => {
    const project = await makeProject(database.db);
    const first = await connect({ clientId, person: project });
    const pairs = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const answer = await refresh(first.refresh_token);
        expect(answer.status).toBe(200);
        return (await answer.json()) as Tokens;
      }),
    );
    for (const { access_token } of pairs) expect((await ping(access_token)).status).toBe(200);
    await useEarlier(first.refresh_token, "30 seconds");
    const late = (await (await refresh(first.refresh_token)).json()) as Tokens;
    // Showing it again does not put the minute off.
    await useEarlier(first.refresh_token, "31 seconds");
    expect((await refresh(first.refresh_token)).status).toBe(400);
    for (const { access_token } of [...pairs, late]) {
      expect((await ping(access_token)).status).toBe(401);
    }
    const { data } = await listAuditEntries(project.ctx, auditQuery.parse({ limit: 1 }));
    expect(data[0]?.sentence.after).toBe(": a token of it was used twice");
  });

  test("a refresh token is of no use to another client, and stays good", async () => {
    const tokens = await connect({ clientId });
    expect((await refresh(tokens.refresh_token, await register())).status).toBe(400);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  test("an access token is no refresh token, nor the other way round", async () => {
    const tokens = await connect({ clientId });
    expect((await refresh(tokens.access_token)).status).toBe(400);
    expect((await ping(tokens.refresh_token)).status).toBe(401);
  });

  test("end when the client revokes one, and not when another does", async () => {
    const tokens = await connect({ clientId });
    const revoke = (client: string) =>
      form("/oauth/revoke", { token: tokens.refresh_token, client_id: client });
    expect((await revoke(await register())).status).toBe(200);
    expect((await ping(tokens.access_token)).status).toBe(200);
    expect((await revoke(clientId)).status).toBe(200);
    expect((await ping(tokens.access_token)).status).toBe(401);
    expect((await revoke(clientId)).status).toBe(200);
  });

  test("end when their person leaves the project, for good", async () => {
    const leaver = await makeProject(database.db);
    const tokens = await connect({ clientId, person: leaver });
    const membership = and(
      eq(memberships.projectId, leaver.projectId),
      eq(memberships.userId, leaver.userId),
    );
    await database.db.delete(memberships).where(membership);
    expect((await ping(tokens.access_token)).status).toBe(401);
    await database.db
      .insert(memberships)
      .values({ projectId: leaver.projectId, userId: leaver.userId, role: "owner" });
    expect((await ping(tokens.access_token)).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
  });
});

test("tokens are asked for with a form that names nothing twice", async () => {
  const { fields } = await code({ clientId });
  const twice = await send(address("/oauth/token"), {
    method: "POST",
    body: `${new URLSearchParams(fields).toString()}&code=lmc_other`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(await errorOf(twice)).toEqual({ status: 400, error: "invalid_request" });
  expect(await errorOf(await json("/oauth/token", fields))).toMatchObject({ status: 400 });
  const answer = await form("/oauth/token", fields);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toMatchObject({
    token_type: "Bearer",
    expires_in: 3600,
    scope: "full",
  });
  expect((await send(address("/oauth/token"))).status).toBe(405);
});

test("cleaning up forgets programs that nobody connected, and tokens past their end", async () => {
  const [unused, used] = [await register(), await register()];
  const { refresh_token } = await connect({ clientId: used });
  await database.travel("8 days");
  const summary = await cleanUp(database.db, AbortSignal.timeout(30_000));
  expect(summary.oauthClients).toBeGreaterThanOrEqual(1);
  expect(summary.assistantTokens).toBeGreaterThanOrEqual(2);
  expect(await errorOf(await refresh("lmr_x", unused))).toEqual({
    status: 401,
    error: "invalid_client",
  });
  expect((await refresh(refresh_token, used)).status).toBe(200);
});
