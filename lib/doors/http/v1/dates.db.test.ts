import { beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { sendEmail } from "@/lib/domain/emails/send";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { doors, type Sent } from "@/lib/doors/http/contract/doors";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";

/* Dates that callers name, up to the last that both JavaScript and Postgres write alike, and beyond. */
const database = useTestDatabase();
let project: TestProject;
let cookie: string;
const to = "ada@example.com";
const mail = { to, from: "hello@sandbox.test", subject: "Hello", body: "<p>Hello</p>" };

beforeAll(async () => {
  project = await makeProject(database.db);
  cookie = await sessionCookie(database.db, project.userId);
  await upsertContact(project.ctx, { email: to });
  await sendEmail(project.ctx, mail);
});

const ask = (sent: Pick<Sent, "method" | "path" | "body">) =>
  doors.hono({
    ...sent,
    path: `/api/dashboard/${encodeId("project", project.projectId)}${sent.path}`,
    headers: { cookie, origin: env().APP_URL },
  });
const list = (path: string, query: Record<string, string>) =>
  ask({ method: "GET", path: `${path}${new URLSearchParams(query).toString()}` });

const lists = [
  ...["", "status=PENDING&", "source=TRANSACTIONAL&", "search=ada&", "subject=Hello&"].map(
    (filter) => `/v1/emails?${filter}`,
  ),
  ...["", "sort=email&", "state=reachable&", "search=ada&"].map(
    (filter) => `/v1/contacts?${filter}`,
  ),
  ...["/v1/audit?", "/v1/audit/export?", "/v1/contacts/export?", "/v1/inbound?"],
];

test.each(lists)("%s takes the first and the last of all dates", async (path) => {
  const all = await list(path, {});
  expect(all).toMatchObject({ status: 200 });
  for (const query of [
    { startDate: "0001-01-01", endDate: "9999-12-31" },
    { startDate: "0001-01-01T00:00:00Z", endDate: "9999-12-31T23:59:59.999999Z" },
    { startDate: "2020-01-01T00:00:00+15:59", endDate: "2120-01-01T00:00:00-15:59" },
  ]) {
    expect(await list(path, query)).toMatchObject({ status: 200, body: all.body });
  }
  expect(await list(path, { startDate: "9999-12-31" })).toMatchObject({ status: 200 });
  expect(await list(path, { endDate: "0001-01-01" })).toMatchObject({ status: 200 });
});

const impossible = [
  "0000-01-01T00:00:00Z",
  "0000-12-31T22:00:00-01:00",
  "0001-01-01T00:00:00+01:00",
  "9999-12-31T23:59:59-00:01",
  "2026-11-21T00:00:00+16:00",
  "2026-11-21T00:00:00.5-23:59",
];
const refusedAt = (path: string, message: unknown = expect.any(String)) => ({
  status: 400,
  body: { error: { code: "VALIDATION_ERROR", details: [{ path, message }] } },
});

test.each(lists)("%s says which of its dates no database has", async (path) => {
  const message = "is not a time of the years 1 to 9999 in UTC, with a zone of at most 15:59 hours";
  for (const name of ["startDate", "endDate"]) {
    for (const value of [...impossible, "0000-01-01"]) {
      expect(await list(path, { [name]: value }), value).toMatchObject(refusedAt(name, message));
    }
  }
});

test("a body says so, too, and changes nothing", async () => {
  const webhook = await createWebhook(project.ctx, {
    url: "https://example.com/hook",
    events: ["email.sent"],
  });
  const draft = { name: "News", incomplete: true };
  const made = await ask({ method: "POST", path: "/v1/campaigns", body: draft });
  const { id } = made.body as { id: string };
  for (const value of impossible) {
    for (const [method, path, body, name] of [
      ["POST", "/v1/send", { ...mail, sendBefore: value }, "sendBefore"],
      ["POST", "/v1/send", { ...mail, scheduledAt: value }, "scheduledAt"],
      ["POST", "/v1/campaigns", { ...draft, sendBefore: value }, "sendBefore"],
      ["PATCH", `/v1/campaigns/${id}`, { sendBefore: value }, "sendBefore"],
      ["POST", `/v1/campaigns/${id}/schedule`, { scheduledAt: value }, "scheduledAt"],
      ["POST", `/v1/webhooks/${webhook.id}/replay`, { since: value }, "since"],
    ] as const) {
      expect(await ask({ method, path, body }), `${path} ${value}`).toMatchObject(refusedAt(name));
    }
  }
});

test("a cursor with a date that does not exist is none", async () => {
  const { body } = await list("/v1/emails?", {});
  const [email] = (body as { data: { id: string }[] }).data;
  for (const at of [...impossible, "2026-02-30T00:00:00.000Z", "Jan 1 2026"]) {
    const cursor = Buffer.from(JSON.stringify([at, email?.id])).toString("base64url");
    expect(await list("/v1/emails?", { cursor }), at).toMatchObject(
      refusedAt("cursor", "is not a cursor of this list"),
    );
  }
});
