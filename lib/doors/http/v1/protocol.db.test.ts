import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { connect } from "@/db/client";
import { apiKeys, emails, projects } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createApiKey, deleteApiKey } from "@/lib/domain/api-keys/api-keys";
import { makeProject, type TestProject } from "@/lib/testing";
import { bearerClient, type BearerAnswer } from "@/lib/testing/bearer";
import { takeFromRate } from "@/lib/ground/rate-limit";
import { createBearerApp } from "./app";

const database = useTestDatabase();
let project: TestProject;
let ask: ReturnType<typeof bearerClient>;

beforeEach(async () => {
  await database.db.execute(sql`delete from rate_limits`);
  project = await makeProject(database.db);
  ask = bearerClient(project.apiKey);
});

const mail = {
  to: "ada@example.com",
  from: "hello@sandbox.test",
  subject: "Hello",
  body: "<p>Hello</p>",
};

function outcome({ status, body }: BearerAnswer) {
  return { status, code: (body as { error?: { code: string } } | undefined)?.error?.code };
}

function expectFrame(answer: BearerAnswer, limit: number): void {
  expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
  expect(answer.headers.get("x-ratelimit-limit")).toBe(String(limit));
  expect(Number(answer.headers.get("x-ratelimit-remaining"))).toBeLessThan(limit);
  const resets = Number(answer.headers.get("x-ratelimit-reset"));
  expect(resets).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000));
  expect(resets).toBeLessThanOrEqual(Date.now() / 1000 + 61);
}

describe("a query", () => {
  test.each([
    ["/v1/contacts/export?tag=a%00b", "tag"],
    ["/v1/contacts?search=%00", "search"],
    ["/v1/emails?to%00=x", "to"],
  ])("%s with what cannot be stored is refused before anything is answered", async (path, name) => {
    const answer = await ask("GET", path);
    expect(outcome(answer)).toEqual({ status: 400, code: "VALIDATION_ERROR" });
    expect(answer.text).toContain(name === "to" ? "NUL" : `"path":"${name}"`);
  });
});

describe("paths", () => {
  test.each(["/v1/send", "/v1/send/", "/send", "/send/"])("%s sends", async (path) => {
    expect((await ask("POST", path, mail)).status).toBe(200);
  });

  test.each(["/v1/emails", "/v1/emails/", "/emails", "/emails/?limit=1"])(
    "%s lists",
    async (path) => {
      expect((await ask("GET", path)).body).toEqual({ data: [] });
    },
  );

  test.each([
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/send/x/y",
    "/emails/x/y/z",
    "/v1/v1/send",
    "/v1/%00",
  ])("%s is nothing: 404 in the envelope", async (path) => {
    const answer = await ask("GET", path);
    expect(outcome(answer)).toEqual({ status: 404, code: "NOT_FOUND" });
    expect(answer.body).toMatchObject({ success: false, error: { statusCode: 404 } });
    expectFrame(answer, 100);
  });

  test.each([
    ["GET", "/v1/send", ["POST"]],
    ["DELETE", "/send", ["POST"]],
    ["PUT", "/v1/emails", ["GET", "HEAD"]],
    ["POST", "/v1/emails/em_x", ["GET", "HEAD", "PATCH"]],
    ["OPTIONS", "/v1/emails/batch", ["POST"]],
  ])("%s %s is 405 and says what is allowed", async (method, path, allowed) => {
    const answer = await ask(method, path);
    expect(outcome(answer)).toEqual({ status: 405, code: "METHOD_NOT_ALLOWED" });
    const allow = (answer.headers.get("allow") ?? "").split(", ");
    for (const allowedMethod of allowed) expect(allow).toContain(allowedMethod);
    expect(allow).not.toContain(method);
    expectFrame(answer, 100);
  });

  test("HEAD answers like GET, without the body", async () => {
    const answer = await ask("HEAD", "/v1/emails");
    expect(answer).toMatchObject({ status: 200, text: "" });
    expectFrame(answer, 100);
  });
});

describe("credentials", () => {
  test.each([
    ["no header", null, "MISSING_AUTH"],
    ["another scheme", "Basic YTpi", "INVALID_API_KEY"],
    ["no key", "Bearer ", "INVALID_API_KEY"],
    ["no key of ours", "Bearer abc", "INVALID_API_KEY"],
  ])("%s is 401, with the figures of the address's own limit", async (_, authorization, code) => {
    const answer = await bearerClient(null)(
      "GET",
      "/v1/emails",
      undefined,
      authorization === null ? {} : { authorization },
    );
    expect(outcome(answer)).toEqual({ status: 401, code });
    expectFrame(answer, 600);
  });

  test("failed credentials are limited by address and never touch a valid key", async () => {
    const stranger = bearerClient("sk_live_wrong");
    expect((await stranger("GET", "/v1/emails")).status).toBe(401);
    await database.db.execute(sql`update rate_limits set used = 600 where subject like 'denied:%'`);
    const refused = await stranger("GET", "/v1/emails");
    expect(outcome(refused)).toEqual({ status: 429, code: "RATE_LIMIT_EXCEEDED" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask("GET", "/v1/emails")).status).toBe(200);
  });

  test("a sending key sends and does nothing else", async () => {
    const { key } = await createApiKey(project.ctx, { name: "Sender", scope: "sending" });
    const sender = bearerClient(key);
    const { body } = await sender("POST", "/v1/send", mail);
    expect(body.success).toBe(true);
    expect((await sender("POST", "/v1/emails/batch", [mail])).status).toBe(200);
    const id = body.data.emails[0].email as string;
    for (const [method, path] of [
      ["GET", "/v1/emails"],
      ["GET", `/v1/emails/${id}`],
      ["POST", `/v1/emails/${id}/cancel`],
      ["GET", "/v1/api-keys"],
      ["POST", "/v1/api-keys"],
      ["GET", "/v1/domains"],
      ["GET", "/v1/contacts"],
    ] as const) {
      const answer = await sender(method, path, method === "GET" ? undefined : { name: "x" });
      expect(outcome(answer)).toEqual({ status: 403, code: "NOT_ALLOWED" });
    }
  });

  test("a revoked key is refused within a second in a process that knew it", async () => {
    const { key, id } = await createApiKey(project.ctx, { name: "Short" });
    const client = bearerClient(key);
    expect((await client("GET", "/v1/emails")).status).toBe(200);
    // What revokes it is another process: it shares nothing with this one but the database.
    const elsewhere = connect(database.url, { max: 1 });
    await deleteApiKey({ ...project.ctx, db: elsewhere }, id);
    await elsewhere.$client.end();
    const revoked = performance.now();
    let answer = await client("GET", "/v1/emails");
    while (answer.status === 200 && performance.now() - revoked < 1000) {
      answer = await client("GET", "/v1/emails");
    }
    expect(outcome(answer).code).toMatch(/^(INVALID_API_KEY|RATE_LIMIT_EXCEEDED)$/);
    if (answer.status === 429) {
      await database.db.execute(sql`delete from rate_limits`);
      while (answer.status !== 401 && performance.now() - revoked < 1000) {
        answer = await client("GET", "/v1/emails");
      }
    }
    expect(outcome(answer)).toEqual({ status: 401, code: "INVALID_API_KEY" });
  });
});

describe("projects", () => {
  test("an id of another project, unknown, malformed or of another kind is the same 404", async () => {
    const otherProject = await makeProject(database.db);
    const { body } = await bearerClient(otherProject.apiKey)("POST", "/v1/send", mail);
    const theirs = body.data.emails[0].email as string;
    const ids = [
      theirs,
      theirs.toUpperCase(),
      "em_01kat4rz8sfq3v6d1mpx3k6w9j",
      theirs.replace("em_", "con_"),
      "em_",
      "7",
      "%27%20or%201=1",
      "..%2f",
      "%00",
    ];
    for (const [method, suffix, sent] of [
      ["GET", "", undefined],
      ["PATCH", "", { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() }],
      ["POST", "/cancel", undefined],
    ] as const) {
      const texts = [];
      for (const id of ids) {
        const answer = await ask(method, `/v1/emails/${id}${suffix}`, sent);
        expect(outcome(answer)).toEqual({ status: 404, code: "NOT_FOUND" });
        texts.push(answer.text.replace(/req_[0-9a-f]+/, ""));
      }
      expect(new Set(texts).size).toBe(1);
    }
    const { body: untouched } = await bearerClient(otherProject.apiKey)(
      "GET",
      `/v1/emails/${theirs}`,
    );
    expect(untouched.email.status).toBe("PENDING");
  });

  test("the log shows a project's own mail alone", async () => {
    const otherProject = await makeProject(database.db);
    await bearerClient(otherProject.apiKey)("POST", "/v1/send", mail);
    expect((await ask("GET", "/v1/emails")).body).toEqual({ data: [] });
  });
});

describe("rate limits", () => {
  test("of 300 concurrent sends at a limit of 100 exactly 100 are accepted, over two processes", async () => {
    await database.db
      .update(apiKeys)
      .set({ sendsPerMinute: 100 })
      .where(eq(apiKeys.projectId, project.projectId));
    // Two apps with pools of their own share nothing but the database, as two processes do.
    const elsewhere = connect(database.url, { max: 5 });
    const here = createBearerApp("key");
    const there = createBearerApp("key", () => elsewhere);
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, nth) =>
        (nth % 2 ? here : there).fetch(
          new Request("http://localhost/v1/send", {
            method: "POST",
            headers: { authorization: `Bearer ${project.apiKey}` },
            body: JSON.stringify({ ...mail, to: `p${nth}@example.com` }),
          }),
        ),
      ),
    );
    await elsewhere.$client.end();
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(100);
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused).toHaveLength(200);
    expect(await database.db.$count(emails, eq(emails.projectId, project.projectId))).toBe(100);
    for (const answer of refused) {
      expect(answer.headers.get("x-ratelimit-limit")).toBe("100");
      expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
    }
    const remaining = answers
      .filter((answer) => answer.status === 200)
      .map((answer) => Number(answer.headers.get("x-ratelimit-remaining")))
      .sort((a, b) => a - b);
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, nth) => nth));
  });

  test("a window starts with its first request, and when it is over the whole limit is back", async () => {
    const rule = { subject: "test:window", limit: 2, windowSeconds: 10 };
    const taken = [];
    for (let nth = 0; nth < 3; nth++) taken.push((await takeFromRate(database.db, rule)).allowed);
    expect(taken).toEqual([true, true, false]);
    await database.db.execute(sql`
      update rate_limits set resets_at = app_now() where subject = 'test:window'`);
    expect(await takeFromRate(database.db, rule)).toMatchObject({ allowed: true, remaining: 1 });
  });

  test("sends and all else are counted apart, a batch as one", async () => {
    expect((await ask("POST", "/v1/emails/batch", [mail, mail, mail])).status).toBe(200);
    const sent = await ask("POST", "/v1/send", mail);
    expect(sent.headers.get("x-ratelimit-limit")).toBe("1000");
    expect(sent.headers.get("x-ratelimit-remaining")).toBe("998");
    const listed = await ask("GET", "/v1/emails");
    expect(listed.headers.get("x-ratelimit-limit")).toBe("100");
    expect(listed.headers.get("x-ratelimit-remaining")).toBe("99");
  });

  test("limits are settable per project and, above that, per key", async () => {
    await database.db
      .update(projects)
      .set({ requestsPerTenSeconds: 7 })
      .where(eq(projects.id, project.projectId));
    const { key, id } = await createApiKey(project.ctx, { name: "Own" });
    expect((await bearerClient(key)("GET", "/v1/emails")).headers.get("x-ratelimit-limit")).toBe(
      "7",
    );
    expect(id).toMatch(/^key_/);
    const { key: second } = await createApiKey(project.ctx, { name: "Wide" });
    await database.db
      .update(apiKeys)
      .set({ requestsPerTenSeconds: 9 })
      .where(sql`name = 'Wide' and project_id = ${project.projectId}`);
    const answer = await bearerClient(second)("GET", "/v1/emails");
    expect(answer.headers.get("x-ratelimit-limit")).toBe("9");
  });

  test("429 is the envelope, with the seconds in the message, and comes before scope and body", async () => {
    await database.db
      .update(apiKeys)
      .set({ sendsPerMinute: 1 })
      .where(eq(apiKeys.projectId, project.projectId));
    expect((await ask("POST", "/v1/send", "not JSON")).status).toBe(400);
    const answer = await ask("POST", "/v1/send", "not JSON");
    expect(outcome(answer)).toEqual({ status: 429, code: "RATE_LIMIT_EXCEEDED" });
    expect(answer.body.error.message).toMatch(/\b\d+ seconds?\b/);
    expectFrame(answer, 1);
  });
});

test("the envelope carries code, message, status and the request's id; faults their places", async () => {
  const answer = await ask("POST", "/v1/send", { ...mail, subject: 7 });
  expect(answer.body).toEqual({
    success: false,
    error: {
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("subject"),
      statusCode: 400,
      details: [{ path: "subject", message: expect.any(String) }],
    },
    requestId: answer.headers.get("x-request-id"),
  });
});

test("a fault of ours is 500 without a word of the database's", async () => {
  await database.db.execute(sql`alter table messages rename to messages_away`);
  try {
    const answer = await ask("POST", "/v1/send", mail);
    expect(outcome(answer)).toEqual({ status: 500, code: "INTERNAL_ERROR" });
    expect(answer.text).not.toMatch(/messages|select|insert|example\.com/i);
    expect(answer.body.error.message).toContain(answer.body.requestId);
    expectFrame(answer, 1000);
  } finally {
    await database.db.execute(sql`alter table messages_away rename to messages`);
  }
});
