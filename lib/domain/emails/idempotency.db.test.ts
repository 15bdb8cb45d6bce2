import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { connect } from "@/db/client";
import { apiKeys, emails, idempotencyKeys, projects, templates } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { createTemplate } from "@/lib/domain/templates/templates";
import { makeProject, type TestProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";

const database = useTestDatabase();
let project: TestProject;
let ask: ReturnType<typeof bearerClient>;

beforeEach(async () => {
  project = await makeProject(database.db);
  await database.db.update(apiKeys).set({ sendsPerMinute: 1_000_000 });
  ask = bearerClient(project.apiKey);
});

const mail = {
  to: "ada@example.com",
  from: "hello@sandbox.test",
  subject: "Hello",
  body: "<p>Hello</p>",
};
const once = (body: unknown, key = "order-1", path = "/v1/send") =>
  ask("POST", path, body, { "idempotency-key": key });
const count = () => database.db.$count(emails, eq(emails.projectId, project.projectId));

test("200 concurrent sends with one key are one email, and every answer is that one's or a conflict", async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => once(mail)));
  expect(await count()).toBe(1);
  const accepted = answers.filter(({ status }) => status === 200);
  expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
  expect(accepted.filter(({ headers }) => !headers.get("idempotent-replayed"))).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: "CONFLICT" });
    expect(body.error.message).toContain("still running");
  }
});

test("the same key and body get the same answer again, marked as such, by either path", async () => {
  const first = await once(mail);
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  const second = await once(mail, "order-1", "/send/");
  expect(second).toMatchObject({ status: 200, text: first.text });
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(await count()).toBe(1);
});

test("another body is a conflict with a message of its own", async () => {
  await once(mail);
  const { status, body } = await once({ ...mail, subject: "Another" });
  expect(status).toBe(409);
  expect(body.error.message).toContain("another request body");
  expect(await count()).toBe(1);
});

test("keys are a project's and a route's own", async () => {
  await once(mail);
  const otherProject = await makeProject(database.db);
  const answer = await bearerClient(otherProject.apiKey)("POST", "/v1/send", mail, {
    "idempotency-key": "order-1",
  });
  expect(answer.headers.get("idempotent-replayed")).toBeNull();
  const batch = await once([mail], "order-1", "/v1/emails/batch");
  expect(batch.headers.get("idempotent-replayed")).toBeNull();
  expect((await once([mail], "order-1", "/v1/batch")).headers.get("idempotent-replayed")).toBe(
    "true",
  );
  expect(await count()).toBe(2);
});

test("what was refused is not kept: the corrected request goes through", async () => {
  expect((await once({ ...mail, subject: 7 })).status).toBe(400);
  expect((await once({ ...mail, from: "a@elsewhere.example" })).status).toBe(403);
  await database.db
    .update(projects)
    .set({ monthlyEmailLimit: 0 })
    .where(eq(projects.id, project.projectId));
  expect((await once(mail)).status).toBe(402);
  await database.db
    .update(projects)
    .set({ monthlyEmailLimit: null })
    .where(eq(projects.id, project.projectId));
  expect((await once(mail)).status).toBe(200);
  expect(await count()).toBe(1);
  const kept = await database.db
    .select()
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.projectId, project.projectId));
  expect(kept).toHaveLength(1);
});

test("an answer is repeated also when the request would be refused by now", async () => {
  const template = await createTemplate(project.ctx, { name: "T", subject: "T", body: "T" });
  const request = { ...mail, template: template.id };
  const first = await once(request);
  await database.db.delete(templates).where(eq(templates.projectId, project.projectId));
  expect(await once(request)).toMatchObject({ status: 200, text: first.text });

  const scheduled = { ...mail, scheduledAt: new Date(Date.now() + 60_000).toISOString() };
  const accepted = await once(scheduled, "order-2");
  await database.travel("1 hour");
  expect(await once(scheduled, "order-2")).toMatchObject({ status: 200, text: accepted.text });
});

test("after 24 hours a key is new again", async () => {
  const first = await once(mail);
  await database.travel("23 hours 59 minutes");
  expect((await once(mail)).text).toBe(first.text);
  await database.travel("2 minutes");
  const later = await once(mail);
  expect(later.status).toBe(200);
  expect(later.text).not.toBe(first.text);
  expect(await count()).toBe(2);
});

test.each(["", "x".repeat(257), "ä"])(
  "a key that is not 1 to 256 printable characters is refused",
  async (key) => {
    const { status, body } = await once(mail, key);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: "VALIDATION_ERROR" });
    expect(await count()).toBe(0);
  },
);

test("256 characters are a key", async () => {
  expect((await once(mail, "x".repeat(256))).status).toBe(200);
});

test("a deleted person's address leaves the answers that name it, without a look at all others", async () => {
  const { projectId, ctx } = project;
  await database.db.execute(sql`
    insert into idempotency_keys (project_id, route, key, body_hash, response, created_at)
    select ${projectId}, 'send', 'other-' || n, '\\x00', '{}', app_now() - n * interval '1 second'
    from generate_series(1, 5000) n`);
  await database.db.execute(sql`analyze idempotency_keys`);
  const named = JSON.stringify(mail.to);
  expect((await once(mail)).text).toContain(named);
  const db = connect(database.url, { max: 1 });
  try {
    const work = () => deleteContact({ ...ctx, db }, mail.to);
    expect(await rowsRead(db, ["idempotency_keys"], work)).toBeLessThan(50);
  } finally {
    await db.$client.end({ timeout: 5 });
  }
  const kept = await once(mail);
  expect(kept.headers.get("idempotent-replayed")).toBe("true");
  expect(kept.text).not.toContain(named);
});
