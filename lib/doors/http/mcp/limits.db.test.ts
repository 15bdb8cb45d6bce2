import { like, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { campaigns, rateLimits } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { env } from "@/lib/ground/env/env";
import { makeProject, type TestProject } from "@/lib/testing";
import { seedContacts } from "@/lib/testing/campaigns";
import { createMcpApp } from "./app";

const database = useTestDatabase();
const app = createMcpApp(() => database.db);
const address = () => new URL("/mcp", env().APP_URL);

interface Caller {
  project: TestProject;
  /** Posts JSON, or a text as it is. */
  ask: (body: unknown, headers?: Record<string, string>) => Promise<Asked>;
  /** How many requests were counted since the caller was made. */
  counted: () => Promise<{ api: number; send: number }>;
}
interface Asked {
  status: number;
  headers: Headers;
  text: string;
}

async function askApp(request: Request): Promise<Asked> {
  if (!request.headers.has("host")) request.headers.set("host", address().host);
  const answer = await app.fetch(request);
  // Read before the text: they have to be right when the stream begins.
  const headers = new Headers(answer.headers);
  return { status: answer.status, headers, text: await answer.text() };
}

/** A key of a new project in windows that do not end during the test, with as much left as is said. */
async function caller(left: { api?: number; send?: number } = {}): Promise<Caller> {
  const project = await makeProject(database.db);
  const ask: Caller["ask"] = (body, headers) =>
    askApp(
      new Request(address(), {
        method: "POST",
        headers: {
          ...{ "content-type": "application/json", authorization: `Bearer ${project.apiKey}` },
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
  await database.db.delete(rateLimits);
  await ask({ jsonrpc: "2.0", id: 1, method: "ping" });
  const [row] = await database.db
    .select()
    .from(rateLimits)
    .where(like(rateLimits.subject, "api:%"));
  const api = row?.subject ?? "";
  const send = api.replace("api:", "send:");
  const used = { api: 100 - (left.api ?? 100), send: 1000 - (left.send ?? 1000) };
  const resetsAt = sql`app_now() + interval '1 hour'`;
  await database.db.delete(rateLimits);
  await database.db.insert(rateLimits).values([
    { subject: api, used: used.api, resetsAt },
    { subject: send, used: used.send, resetsAt },
  ]);
  return {
    project,
    ask,
    counted: async () => {
      const rows = await database.db.select().from(rateLimits);
      const usedOf = (subject: string) => rows.find((one) => one.subject === subject)?.used ?? 0;
      return { api: usedOf(api) - used.api, send: usedOf(send) - used.send };
    },
  };
}

const call = (name: string, given: object = {}, id = 1) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name, arguments: given },
});
const list = { jsonrpc: "2.0", id: 9, method: "tools/list" };
const mail = { from: "hello@sandbox.test", subject: "Hello", body: "<p>Hello</p>" };
const sendEmail = (id = 1) => call("send_email", { to: "ada@sandbox.test", ...mail }, id);

async function largeCampaign({ project }: Caller): Promise<string> {
  await seedContacts(database.db, project.projectId, 101);
  return (await createCampaign(project.ctx, { name: "Large", ...mail })).id;
}

const rate = ({ headers }: Asked) =>
  ["limit", "remaining"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

describe("a message is counted once, and the answer says what is left", () => {
  test.each([
    ["a call that asks the API", call("list_segments"), { api: 1, send: 0 }, [100, 99]],
    ["one that the API refuses", call("list_contacts", { x: 1 }), { api: 1, send: 0 }, [100, 99]],
    ["a send", sendEmail(), { api: 0, send: 1 }, [1000, 999]],
    ["a tool that does not exist", call("drop_database"), { api: 1, send: 0 }, [100, 99]],
    ["a call without its id", call("delete_contact"), { api: 1, send: 0 }, [100, 99]],
    ["one without a name", { ...list, method: "tools/call" }, { api: 1, send: 0 }, [100, 99]],
    [
      "one that wants no answer",
      { jsonrpc: "2.0", method: "tools/call", params: { name: "list_segments" } },
      { api: 1, send: 0 },
      [100, 99],
    ],
    [
      "an agreement that is none",
      call("send_campaign", { id: "x", confirm: "yes" }),
      { api: 1, send: 0 },
      [100, 99],
    ],
    ["no message", [], { api: 1, send: 0 }, [100, 99]],
    [
      "each of a batch",
      [call("list_segments", {}, 1), call("drop_database", {}, 2), list],
      { api: 3, send: 0 },
      [100, 97],
    ],
    [
      "each of a batch by its limit, of which the one with less left is told",
      [call("list_segments", {}, 1), sendEmail(2)],
      { api: 1, send: 1 },
      [100, 99],
    ],
  ])("%s", async (_, body, counted, told) => {
    const { ask, counted: taken } = await caller();
    const answer = await ask(body);
    expect(rate(answer)).toEqual(told);
    expect(Number(answer.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000);
    expect(await taken()).toEqual(counted);
  });

  test("the question before a large campaign, and the send after it", async () => {
    const one = await caller();
    const id = await largeCampaign(one);
    const question = await one.ask(call("send_campaign", { id }));
    expect(question.text).toContain("needsConfirmation");
    expect(rate(question)).toEqual([100, 99]);
    expect(await one.counted()).toEqual({ api: 1, send: 0 });
    const sent = await one.ask(call("send_campaign", { id, confirm: true }));
    expect(sent.text).toContain("SENDING");
    expect(rate(sent)).toEqual([100, 98]);
    expect(await one.counted()).toEqual({ api: 2, send: 0 });
  });

  test("a batch of more than the protocol takes is refused whole, as one", async () => {
    const { ask, counted } = await caller();
    const batch = Array.from({ length: 101 }, (_, id) => call("list_segments", {}, id));
    expect((await ask(batch)).status).toBe(400);
    expect(await counted()).toEqual({ api: 1, send: 0 });
  });

  test("what cannot be read", async () => {
    const { ask, counted } = await caller();
    const answer = await ask("{");
    expect([answer.status, ...rate(answer)]).toEqual([400, 100, 99]);
    expect(await counted()).toEqual({ api: 1, send: 0 });
  });

  test("what is no JSON for the protocol, too", async () => {
    const { ask, counted } = await caller();
    const answer = await ask(call("list_segments"), { "content-type": "text/plain" });
    expect([answer.status, ...rate(answer)]).toEqual([415, 100, 99]);
    expect(await counted()).toEqual({ api: 1, send: 0 });
  });
});

describe("over the limit", () => {
  test.each([
    ["a call that asks the API", call("list_segments")],
    ["a tool that does not exist", call("drop_database")],
    ["a call without its id", call("delete_contact")],
  ])("%s is a tool's error that says how long to wait", async (_, body) => {
    const { ask } = await caller({ api: 0 });
    const answer = await ask(body);
    expect([answer.status, ...rate(answer)]).toEqual([200, 100, 0]);
    expect(answer.text).toContain('"isError":true');
    expect(answer.text).toMatch(
      /RATE_LIMIT_EXCEEDED: Too many requests\. Try again in [\d,]+ seconds\./,
    );
    expect(answer.text).toContain("Wait, then call the tool again.");
  });

  test("a send has the limit of sends, and sends nothing", async () => {
    const refused = await (await caller({ send: 0 })).ask(sendEmail());
    expect(rate(refused)).toEqual([1000, 0]);
    expect(refused.text).toContain("RATE_LIMIT_EXCEEDED");
    const sent = await (await caller({ api: 0 })).ask(sendEmail());
    expect(sent.text).not.toContain("isError");
  });

  test("the audience of a large campaign is not counted, and nothing is sent", async () => {
    const one = await caller({ api: 0 });
    const id = await largeCampaign(one);
    for (const given of [{ id }, { id, confirm: true }]) {
      const answer = await one.ask(call("send_campaign", given));
      expect(answer.text).toContain("RATE_LIMIT_EXCEEDED");
      expect(answer.text).not.toContain("needsConfirmation");
    }
    const [campaign] = await database.db
      .select({ status: campaigns.status })
      .from(campaigns)
      .where(sql`${campaigns.projectId} = ${one.project.projectId}`);
    expect(campaign?.status).toBe("DRAFT");
  });

  test("a batch's calls are refused from there on, each by itself", async () => {
    const { ask } = await caller({ api: 1 });
    const answer = await ask([call("list_segments", {}, 1), call("list_segments", {}, 2)]);
    const results = [...answer.text.matchAll(/^data: (.+)$/gm)].map(
      ([, data = ""]) => JSON.parse(data) as { id: number; result: { isError?: boolean } },
    );
    expect(results.map(({ id, result }) => [id, result.isError ?? false]).sort()).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(rate(answer)).toEqual([100, 0]);
  });

  test("a batch with anything else is refused whole", async () => {
    const { ask } = await caller({ api: 1 });
    const answer = await ask([call("create_contact", { email: "a@sandbox.test" }), list]);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(3000);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: "RATE_LIMIT_EXCEEDED" } });
  });
});
