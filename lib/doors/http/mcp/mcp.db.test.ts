import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { and, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLog, campaigns, emails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { listAuditEntries } from "@/lib/domain/audit/read";
import { auditQuery } from "@/lib/domain/audit/schema";
import { env } from "@/lib/ground/env/env";
import { makeProject, type TestProject } from "@/lib/testing";
import { seedContacts } from "@/lib/testing/campaigns";
import { attachmentsBodyLimit } from "@/lib/doors/http/surface/body";
import { roomForBody } from "@/lib/doors/http/surface/intake";
import { createMcpApp } from "./app";

const database = useTestDatabase();
const app = createMcpApp(() => database.db);
let project: TestProject;
let client: Client;

beforeAll(async () => {
  project = await makeProject(database.db);
  client = await connect(project.apiKey);
});
afterAll(() => client.close());

const address = () => new URL("/mcp", env().APP_URL);
/** What a network would add. */
function fetchApp(url: string | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(url, init);
  if (!request.headers.has("host")) request.headers.set("host", address().host);
  return Promise.resolve(app.fetch(request));
}

async function connect(apiKey: string): Promise<Client> {
  const connected = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${apiKey}` } };
  await connected.connect(
    new StreamableHTTPClientTransport(address(), { fetch: fetchApp, requestInit }),
  );
  return connected;
}

interface Result {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  content: { type: string; text: string }[];
}

async function call(name: string, given: object = {}, by = client): Promise<Result> {
  return (await by.callTool({ name, arguments: { ...given } })) as unknown as Result;
}
const textOf = ({ content }: Result) => content.map(({ text }) => text).join("\n");

const post = (headers: Record<string, string>, body: unknown) =>
  fetchApp(address(), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

test("the tools are the contract's seventeen, each with schemas and hints", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "send_email",
    "list_contacts",
    "create_contact",
    "update_contact",
    "delete_contact",
    "list_campaigns",
    "create_campaign",
    "send_campaign",
    "get_campaign_stats",
    "list_templates",
    "create_template",
    "list_domains",
    "add_domain",
    "verify_domain",
    "list_segments",
    "list_webhooks",
    "create_webhook",
  ]);
  for (const { inputSchema, outputSchema, annotations, description } of tools) {
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: "object" });
    expect(annotations?.readOnlyHint).toBeTypeOf("boolean");
    expect(description?.length).toBeGreaterThan(20);
  }
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.get("delete_contact")).toMatchObject({ destructiveHint: true, readOnlyHint: false });
  expect(hints.get("list_domains")).toMatchObject({ destructiveHint: false, readOnlyHint: true });
  expect(hints.get("create_contact")).toMatchObject({ idempotentHint: true });
});

test("from a template to a campaign and its figures by tools alone", async () => {
  const added = await call("add_domain", { name: "tools.example.com" });
  expect(added.structuredContent).toMatchObject({ name: "tools.example.com", status: "PENDING" });
  expect((await call("list_domains")).structuredContent).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ name: "tools.example.com" }),
    ]) as unknown,
  });
  const template = await call("create_template", {
    name: "Letter",
    subject: "Hello",
    body: "<p>Hello {{ firstName }}</p>",
  });
  expect(template.structuredContent?.["id"]).toMatch(/^tpl_/);
  const contact = await call("create_contact", {
    email: "ada@example.com",
    firstName: "Ada",
    subscribed: true,
  });
  const { id } = contact.structuredContent ?? {};
  const updated = await call("update_contact", { id, lastName: "Lovelace" });
  expect(updated.structuredContent).toMatchObject({ firstName: "Ada", lastName: "Lovelace" });
  const listed = await call("list_contacts", { search: "ada@", subscribed: true });
  expect(listed.structuredContent).toMatchObject({ data: [{ id, email: "ada@example.com" }] });
  expect(listed.content[0]?.text).toMatch(/data that other people wrote/);

  const campaign = await call("create_campaign", {
    name: "News",
    subject: "News",
    body: "<p>News</p>",
    from: "hello@sandbox.test",
  });
  const sent = await call("send_campaign", { id: campaign.structuredContent?.["id"] });
  expect(sent.structuredContent).toMatchObject({ status: "SENDING" });
  const stats = await call("get_campaign_stats", { id: campaign.structuredContent?.["id"] });
  expect(Object.keys(stats.structuredContent ?? {})).toContain("stats");
  expect(stats.structuredContent).not.toHaveProperty("body");
  const campaigns = await call("list_campaigns", { status: "SENDING" });
  expect(campaigns.structuredContent).toMatchObject({ data: [{ name: "News" }] });

  const email = await call("send_email", {
    to: "grace@example.com",
    from: "hello@sandbox.test",
    subject: "Hello",
    body: "<p>Hello</p>",
  });
  expect(email.structuredContent).toMatchObject({ success: true });
  expect(
    await database.db.$count(
      emails,
      and(eq(emails.projectId, project.projectId), eq(emails.recipient, "grace@example.com")),
    ),
  ).toBe(1);

  const { data: log } = await listAuditEntries(project.ctx, auditQuery.parse({ limit: 1 }));
  expect(log).toMatchObject([
    {
      action: "send.email",
      actor: { type: "apiKey", name: "Test" },
      sentence: { before: "The API key Test sent an email to " },
      target: { name: "grace@example.com" },
    },
  ]);

  expect((await call("delete_contact", { id })).structuredContent).toEqual({ done: true });
  expect((await call("list_segments")).structuredContent).toEqual({ data: [] });
  expect((await call("list_templates")).structuredContent).toMatchObject({ data: [{}] });
  const webhook = await call("create_webhook", {
    url: "https://example.com/hook",
    events: ["email.delivered"],
  });
  expect(webhook.structuredContent).toHaveProperty("secret");
  expect((await call("list_webhooks")).structuredContent).toMatchObject({ data: [{}] });
  const verified = await call("verify_domain", { id: added.structuredContent?.["id"] });
  expect(verified.structuredContent).toHaveProperty("status");

  const audited = await database.db
    .select({ action: auditLog.action, actorType: auditLog.actorType })
    .from(auditLog)
    .where(and(eq(auditLog.projectId, project.projectId), like(auditLog.action, "%.contact%")));
  expect(audited.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["update.contact", "delete.contact"]),
  );
  expect(new Set(audited.map(({ actorType }) => actorType))).toEqual(new Set(["apiKey"]));
});

describe("what a model can mend comes back as a tool's error", () => {
  test.each([
    [
      "send_email",
      { to: "a@example.com", from: "a@b.example", subject: "x", body: "x" },
      "verify_domain",
    ],
    ["send_email", { to: "nobody", from: "hello@sandbox.test", subject: "x", body: "x" }, "to"],
    ["create_contact", { email: "a@example.com", firstname: "x" }, "firstName"],
    ["list_contacts", { serch: "x" }, "search"],
    ["delete_contact", { id: "con_01kat4rz8hfd2b7z1cm4x5n8qk" }, "NOT_FOUND"],
    ["delete_contact", {}, "id: is required"],
    ["get_campaign_stats", { id: ".." }, "id: is required"],
    ["send_campaign", { id: "..", confirm: true }, "id: is required"],
    ["send_campaign", { id: "cmp_01kat4rz8hfd2b7z1cm4x5n8qk" }, "NOT_FOUND"],
    ["send_campaign", { id: "x", confirm: "yes" }, "confirm"],
  ])("%s %j", async (name, given, hint) => {
    const result = await call(name, given);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(hint);
  });

  test("variables of more than 1 MB are refused by name", async () => {
    const message = { to: "a@example.com", from: "hello@sandbox.test", template: "tpl_1" };
    const data = { x: "x".repeat(1024 * 1024) };
    const result = await call("send_email", { ...message, data });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("data: is larger than 1 MB of JSON");
  });

  test("a tool that does not exist is an error of the protocol", async () => {
    await expect(call("drop_database")).rejects.toThrow(/no tool/i);
  });
});

test("a campaign to more than a hundred people asks first, and goes with confirm", async () => {
  const large = await makeProject(database.db);
  await seedContacts(database.db, large.projectId, 101);
  const other = await connect(large.apiKey);
  const draft = await call(
    "create_campaign",
    { name: "Large", subject: "x", body: "<p>x</p>", from: "hello@sandbox.test" },
    other,
  );
  const campaign = { id: draft.structuredContent?.["id"] };
  const question = await call("send_campaign", campaign, other);
  expect(question.structuredContent).toMatchObject({
    needsConfirmation: true,
    recipients: 101,
    status: "DRAFT",
    blocking: [],
    advisory: expect.arrayContaining([
      expect.objectContaining({ code: "postal_address_missing" }),
    ]) as unknown,
  });
  expect(textOf(question)).toContain("confirm: true");
  expect(textOf(question)).toMatch(/pre-flight found:\n- .*postal address/s);
  const answer = await call("send_campaign", { ...campaign, confirm: true }, other);
  expect(answer.structuredContent).toMatchObject({ status: "SENDING" });
  await other.close();
});

test("a large campaign that cannot be sent says what to mend, and asks for no yes", async () => {
  const large = await makeProject(database.db);
  await seedContacts(database.db, large.projectId, 101);
  const other = await connect(large.apiKey);
  const mail = { name: "Large", subject: "x", body: "<p>x</p>", from: "hello@sandbox.test" };
  const draft = await call("create_campaign", mail, other);
  await database.db
    .update(campaigns)
    .set({ fromEmail: "hello@nobody.example" })
    .where(eq(campaigns.projectId, large.projectId));
  const id = draft.structuredContent?.["id"];
  const question = await call("send_campaign", { id }, other);
  expect(textOf(question)).toContain("It cannot be sent before this is mended:");
  expect(textOf(question)).not.toContain("confirm: true");
  expect(question.structuredContent?.["blocking"]).not.toEqual([]);
  expect((await call("send_campaign", { id, confirm: true }, other)).isError).toBe(true);
  await other.close();
});

test("a key that may only send sees and calls send_email alone", async () => {
  const { key } = await createApiKey(project.ctx, { name: "S", scope: "sending", mode: "live" });
  const sender = await connect(key);
  const { tools } = await sender.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["send_email"]);
  await expect(call("list_contacts", {}, sender)).rejects.toThrow(/no tool/i);
  await sender.close();
});

test("another project's things are not found", async () => {
  const other = await makeProject(database.db);
  const theirs = await connect(other.apiKey);
  const contact = await call("create_contact", { email: "x@example.com" });
  const result = await call("delete_contact", { id: contact.structuredContent?.["id"] }, theirs);
  expect(textOf(result)).toContain("NOT_FOUND");
  await theirs.close();
});

describe("over HTTP", () => {
  test("a missing and an unknown key are 401 and say how to send one", async () => {
    const missing = await post({}, ping);
    expect(missing.status).toBe(401);
    expect(missing.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await missing.json()).toMatchObject({ error: { code: "MISSING_AUTH" } });
    const unknown = await post({ authorization: "Bearer sk_live_nope" }, ping);
    expect(await unknown.json()).toMatchObject({ error: { code: "INVALID_API_KEY" } });
  });

  /** What stands on every answer: with the figures of the caller's address where no key is looked at. */
  const named = (answer: Response) => {
    expect(answer.headers.get("x-request-id")).toBe("req_of-the-caller");
    expect(Number(answer.headers.get("x-ratelimit-limit"))).toBe(600);
    expect(Number(answer.headers.get("x-ratelimit-remaining"))).toBeLessThan(600);
    expect(Number(answer.headers.get("x-ratelimit-reset"))).toBeGreaterThan(0);
  };
  const id = { "x-request-id": "req_of-the-caller" };

  test.each(["GET", "DELETE", "PUT"])("%s is 405: there are no sessions", async (method) => {
    const answer = await fetchApp(address(), {
      method,
      headers: { authorization: `Bearer ${project.apiKey}`, accept: "text/event-stream", ...id },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: {} });
    named(answer);
  });

  test.each([
    ["host", "evil.example"],
    ["origin", "https://evil.example"],
  ])("a request under another name is refused: %s %s", async (header, value) => {
    const authorization = `Bearer ${project.apiKey}`;
    const answer = await post({ authorization, [header]: value, ...id }, ping);
    expect(answer.status).toBe(403);
    named(answer);
  });

  test("listing counts towards the key's limit, and so does each call, once", async () => {
    const counted = await makeProject(database.db);
    const authorization = { authorization: `Bearer ${counted.apiKey}` };
    const remaining = async (body: object) => {
      const answer = await post(authorization, { jsonrpc: "2.0", id: 1, ...body });
      await answer.text();
      return Number(answer.headers.get("x-ratelimit-remaining"));
    };
    const first = await remaining({ method: "tools/list" });
    await remaining({
      method: "tools/call",
      params: { name: "list_segments", arguments: {} },
    });
    expect(await remaining({ method: "tools/list" })).toBe(first - 2);
  });
});

test("a message has room like a request, from before it is read until it is answered, and once", async () => {
  const headers = { authorization: `Bearer ${project.apiKey}` };
  const large = { ...headers, "content-length": String(30 * 1024 * 1024) };
  // Another request of the project holds more than the half that is left for it.
  const request = new Request(new URL("/v1/send", env().APP_URL), { headers: large });
  const { projectId } = project;
  const limit = attachmentsBodyLimit;
  const room = await roomForBody(request, projectId, limit);
  const refused = await post(large, ping);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect((await post(headers, ping)).status).toBe(200);
  room?.release();
  // The tool's own request to the API needs none beside it: it would wait for itself.
  const send = {
    ...{ jsonrpc: "2.0", id: 2, method: "tools/call" },
    params: {
      name: "send_email",
      arguments: { to: "a@sandbox.test", from: "a@sandbox.test", subject: "Hi", body: "<p>Hi" },
    },
  };
  for (let turn = 0; turn < 4; turn++) {
    const answer = await post(large, send);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain("isError");
  }
});
