import type { Server } from "node:http";
import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { Resend } from "resend";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { createTemplate } from "@/lib/domain/templates/templates";
import { makeProject, type TestProject } from "@/lib/testing";
import {
  dispatchDue,
  startMailServer,
  verifiedDomain,
  type TestMailServer,
} from "@/lib/testing/delivery";
import { smtpTransport } from "@/lib/testing/mail-servers";
import { dataOf, errorOf, resendClient } from "@/lib/testing/resend-client";
import { close } from "./listen";
import { startWebServer } from "./test-server";

/*
 * Resend's own client, unchanged but for its base URL and key, against the server that `npm run web` starts.
 */
const database = useTestDatabase();
let server: Server;
let mailServer: TestMailServer;
let origin: string;
let project: TestProject;
let client: Resend;

beforeAll(async () => {
  project = await makeProject(database.db);
  ({ server, origin } = await startWebServer());
  mailServer = await startMailServer();
  client = resendClient(origin, project.apiKey);
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));
afterAll(async () => {
  await close(server);
  await mailServer.stop();
});

const mail = {
  from: "Shop <hello@sandbox.test>",
  to: "ada@example.com",
  subject: "From Resend's client",
  html: "<p>Hello {{ name }}</p>",
};
const send = (fields: object, options?: { idempotencyKey: string }) =>
  client.emails.send({ ...mail, ...fields }, options);
const soon = () => new Date(Date.now() + 3_600_000).toISOString();

async function countEmails(): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(
    sql`select count(*)::int as count from emails where project_id = ${project.projectId}`,
  );
  return row?.count ?? -1;
}

describe("emails.send", () => {
  test("reaches a mail server as it was written", async () => {
    await verifiedDomain(database.db, project.projectId, "shop.example");
    const { id } = await dataOf(
      send({
        from: "Shop <hello@shop.example>",
        to: ["Ada <ada@example.org>"],
        replyTo: "help@shop.example",
        headers: { "X-Order": "17" },
        tags: [{ name: "kind", value: "order" }],
        attachments: [
          { filename: "a.txt", content: Buffer.from("attached"), contentType: "text/plain" },
          { filename: "b.gif", content: "R0lGODlhAQABAAAAACw=", contentId: "logo" },
        ],
      }),
    );
    expect(id).toMatch(/^em_/);
    await dispatchDue({ db: database.db, transport: smtpTransport(mailServer.url) });
    const received = mailServer.mails.find(({ to }) => to.includes("ada@example.org"));
    const parsed = await PostalMime.parse(received?.raw ?? "");
    expect(parsed.subject).toBe(mail.subject);
    expect(parsed.from).toMatchObject({ name: "Shop", address: "hello@shop.example" });
    expect(parsed.replyTo).toMatchObject([{ address: "help@shop.example" }]);
    // What Resend does not take for a placeholder is none here.
    expect(parsed.html).toContain("Hello {{ name }}");
    expect(parsed.headers.find(({ key }) => key === "x-order")?.value).toBe("17");
    const attached = (name: string) => parsed.attachments.find(({ filename }) => filename === name);
    const text = attached("a.txt")?.content as ArrayBuffer;
    expect(Buffer.from(text).toString()).toBe("attached");
    expect(attached("b.gif")?.contentId).toBe("<logo>");
    expect(await dataOf(client.emails.get(id))).toMatchObject({
      object: "email",
      id,
      from: "Shop <hello@shop.example>",
      to: ["ada@example.org"],
      last_event: "sent",
      scheduled_at: null,
      tags: [{ name: "kind", value: "order" }],
    });
  });

  test("finds the server by RESEND_BASE_URL alone", async () => {
    process.env["RESEND_BASE_URL"] = `${origin}/resend`;
    try {
      const { id } = await dataOf(new Resend(project.apiKey).emails.send(mail));
      expect(id).toMatch(/^em_/);
    } finally {
      delete process.env["RESEND_BASE_URL"];
    }
  });

  test("fills in a template", async () => {
    const template = await createTemplate(project.ctx, {
      name: "Welcome",
      subject: "Hi {{ name }}",
      body: "<p>Hi {{ name }}</p>",
    });
    const { from, to } = mail;
    const { id } = await dataOf(
      client.emails.send({ from, to, template: { id: template.id, variables: { name: "Ada" } } }),
    );
    expect(await dataOf(client.emails.get(id))).toMatchObject({ subject: "Hi Ada" });
  });

  test("repeated with its idempotency key it answers the same and sends once", async () => {
    const options = { idempotencyKey: "order-17" };
    const first = await dataOf(send({}, options));
    const count = await countEmails();
    expect(await dataOf(send({}, options))).toEqual(first);
    expect(await countEmails()).toBe(count);
    expect(await errorOf(send({ subject: "Another" }, options))).toMatchObject({
      statusCode: 409,
      name: "invalid_idempotent_request",
    });
    expect(await errorOf(send({}, { idempotencyKey: "x".repeat(300) }))).toMatchObject({
      statusCode: 400,
      name: "invalid_idempotency_key",
    });
  });

  test.each<[field: string, name: string, fields: object]>([
    ["to", "validation_error", { to: "nobody" }],
    ["to", "missing_required_field", { to: undefined }],
    ["from", "invalid_from_address", { from: "nobody" }],
    ["subject", "missing_required_field", { subject: undefined }],
    ["html", "missing_required_field", { html: undefined }],
    ["cc", "validation_error", { cc: "bob@example.com" }],
    ["bcc", "validation_error", { bcc: ["bob@example.com"] }],
    ["reply_to", "validation_error", { replyTo: ["a@example.com", "b@example.com"] }],
    ["reply_to", "validation_error", { replyTo: "nobody" }],
    ["scheduled_at", "validation_error", { scheduledAt: "in 1 hour" }],
    ["scheduled_at", "validation_error", { scheduledAt: "2020-01-01T00:00:00Z" }],
    [
      "scheduled_at",
      "validation_error",
      { scheduledAt: soon(), to: ["a@b.example", "b@b.example"] },
    ],
    ["headers.DKIM-Signature", "validation_error", { headers: { "DKIM-Signature": "v=1" } }],
    [
      "attachments[0].path",
      "invalid_attachment",
      { attachments: [{ path: "https://a.example/a.pdf" }] },
    ],
    ["attachments[0].filename", "missing_required_field", { attachments: [{ content: "YQ==" }] }],
    [
      "attachments[0].content",
      "invalid_attachment",
      { attachments: [{ content: "!", filename: "a" }] },
    ],
    ["tags", "validation_error", { tags: ["1", "2"].map((value) => ({ name: "a", value })) }],
    ["topic_id", "validation_error", { topicId: "top_1" }],
    ["subject", "validation_error", { template: { id: "tpl_1" } }],
    [
      "template.id",
      "not_found",
      { template: { id: "tpl_1" }, subject: undefined, html: undefined },
    ],
  ])("refuses %s by name (%s): %j", async (field, name, fields) => {
    const count = await countEmails();
    const error = await errorOf(send(fields));
    expect(error).toMatchObject({ statusCode: name === "not_found" ? 404 : 422, name });
    expect(error?.message.split(": ")[0]).toBe(field);
    expect(await countEmails()).toBe(count);
  });

  test("refuses more than 1 MB of template variables by name", async () => {
    const template = { id: "tpl_1", variables: { x: "x".repeat(1024 * 1024) } };
    const { from, to } = mail;
    const error = await errorOf(client.emails.send({ from, to, template }));
    expect(error).toMatchObject({ statusCode: 422, name: "validation_error" });
    expect(error?.message).toContain("template.variables: is larger than 1 MB of JSON");
  });

  test("tells of a domain that is not verified", async () => {
    expect(await errorOf(send({ from: "a@elsewhere.example" }))).toMatchObject({
      statusCode: 403,
      name: "validation_error",
      message: expect.stringContaining("elsewhere.example is not verified") as string,
    });
  });
});

describe("emails", () => {
  test("are listed page by page, newest first, without other projects'", async () => {
    const other = await makeProject(database.db);
    const others = resendClient(origin, other.apiKey);
    const ids: string[] = [];
    for (const to of ["1@example.com", "2@example.com", "3@example.com"]) {
      ids.unshift((await dataOf(others.emails.send({ ...mail, to }))).id);
    }
    const first = await dataOf(others.emails.list({ limit: 2 }));
    expect(first).toMatchObject({ object: "list", has_more: true });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.data[0]).toMatchObject({ to: ["3@example.com"], last_event: "queued" });
    const after = first.data[1]?.id ?? "";
    const second = await dataOf(others.emails.list({ limit: 2, after }));
    expect(second).toMatchObject({ has_more: false });
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2));
    const refusal = { statusCode: 422, name: "validation_error" };
    expect(await errorOf(client.emails.list({ after }))).toMatchObject(refusal);
    expect(await errorOf(client.emails.list({ after: "nothing" }))).toMatchObject(refusal);
    expect(await errorOf(others.emails.list({ before: after }))).toMatchObject({
      ...refusal,
      message: expect.stringContaining("before") as string,
    });
    const missing = { statusCode: 404, name: "not_found" };
    expect(await errorOf(client.emails.get(after))).toMatchObject(missing);
    expect(await errorOf(client.emails.cancel(after))).toMatchObject(missing);
    const update = client.emails.update({ id: after, scheduledAt: soon() });
    expect(await errorOf(update)).toMatchObject(missing);
  });

  test("that are scheduled can be moved and cancelled", async () => {
    const { id } = await dataOf(send({ scheduledAt: soon() }));
    expect(await dataOf(client.emails.get(id))).toMatchObject({ last_event: "scheduled" });
    const scheduledAt = new Date(Date.now() + 7_200_000).toISOString();
    const touched = { object: "email", id };
    expect(await dataOf(client.emails.update({ id, scheduledAt }))).toEqual(touched);
    expect(await dataOf(client.emails.get(id))).toMatchObject({ scheduled_at: scheduledAt });
    expect(await errorOf(client.emails.update({ id, scheduledAt: "tomorrow" }))).toMatchObject({
      statusCode: 422,
      message: expect.stringMatching(/^scheduled_at: /) as string,
    });
    expect(await dataOf(client.emails.cancel(id))).toEqual(touched);
    expect(await dataOf(client.emails.get(id))).toMatchObject({ last_event: "canceled" });
    expect(await errorOf(client.emails.cancel(id))).toMatchObject({ statusCode: 409 });
  });
});

describe("batch.send", () => {
  const other = { ...mail, subject: "The other" };

  test("answers an id for each item", async () => {
    const to = ["b@example.com", "c@example.com"];
    const { data } = await dataOf(client.batch.send([{ ...mail, to }, other]));
    expect(data).toHaveLength(2);
    const subjects = await Promise.all(data.map(({ id }) => dataOf(client.emails.get(id))));
    expect(subjects.map(({ subject }) => subject)).toEqual([mail.subject, other.subject]);
  });

  test("repeated with its idempotency key it sends once", async () => {
    const options = { idempotencyKey: "batch-17" };
    const first = await dataOf(client.batch.send([mail, other], options));
    const count = await countEmails();
    expect(await dataOf(client.batch.send([mail, other], options))).toEqual(first);
    expect(await countEmails()).toBe(count);
  });

  test("is all or nothing, and names the item at fault", async () => {
    const count = await countEmails();
    expect(await errorOf(client.batch.send([mail, { ...mail, to: "nobody" }]))).toMatchObject({
      statusCode: 422,
      message: expect.stringMatching(/^\[1\]\.to: /) as string,
    });
    const options = { batchValidation: "permissive" } as const;
    expect(await errorOf(client.batch.send([mail], options))).toMatchObject({
      statusCode: 422,
      message: expect.stringContaining("x-batch-validation") as string,
    });
    expect(await errorOf(client.batch.send([]))).toMatchObject({ statusCode: 422 });
    const many = Array.from({ length: 101 }, () => mail);
    expect(await errorOf(client.batch.send(many))).toMatchObject({ statusCode: 422 });
    expect(await countEmails()).toBe(count);
  });
});

describe("keys", () => {
  test("that are missing, unknown or may only send are told apart", async () => {
    const response = await fetch(`${origin}/resend/emails`);
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { statusCode: 401, name: "missing_api_key" },
    ]);
    expect(response.headers.get("x-request-id")).toBeTruthy();
    const stranger = resendClient(origin, "re_nobody");
    expect(await errorOf(stranger.emails.send(mail))).toMatchObject({
      statusCode: 403,
      name: "invalid_api_key",
    });
    const { key } = await createApiKey(project.ctx, { name: "Shop", scope: "sending" });
    const sender = resendClient(origin, key);
    expect((await dataOf(sender.emails.send(mail))).id).toMatch(/^em_/);
    for (const refusal of [sender.emails.list(), sender.domains.list(), sender.contacts.list()]) {
      expect(await errorOf(refusal)).toMatchObject({ statusCode: 401, name: "restricted_api_key" });
    }
  });

  test("find nothing where there is no counterpart", async () => {
    expect(await errorOf(client.automations.list())).toMatchObject({
      statusCode: 404,
      name: "not_found",
    });
    expect(await errorOf(client.apiKeys.update("key_1", { name: "B" }))).toMatchObject({
      statusCode: 405,
      name: "method_not_allowed",
    });
    const response = await fetch(`${origin}/resend/emails`, {
      method: "POST",
      headers: { authorization: `Bearer ${project.apiKey}` },
      body: "{",
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { statusCode: 400, name: "validation_error" },
    ]);
  });
});
