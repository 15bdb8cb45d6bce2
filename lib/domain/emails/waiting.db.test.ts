import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { auditLog, emailQueue, emails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { decodeId, encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { getEmail, listEmails } from "./read";
import { cancelEmail, rescheduleEmail } from "./reschedule";
import { emailQuery } from "./schema";
import type { SendInput } from "./send-schema";
import { sendEmail } from "./send";

const database = useTestDatabase();
let project: TestProject;

beforeEach(async () => {
  project = await makeProject(database.db);
});

const hours = (number: number) => new Date(Date.now() + number * 3_600_000).toISOString();

async function send(fields: Partial<SendInput> = {}, ctx = project.ctx): Promise<string> {
  const { result } = await sendEmail(ctx, {
    to: "ada@example.com",
    from: "hello@sandbox.test",
    subject: "Hello",
    body: "<p>Hello</p>",
    ...fields,
  });
  return result.data.emails[0]?.email ?? "";
}

const uuidOf = (id: string) => decodeId("email", id) ?? "";

const queued = (id: string) =>
  database.db
    .select()
    .from(emailQueue)
    .where(eq(emailQueue.emailId, uuidOf(id)));

const set = (id: string, values: Partial<typeof emails.$inferInsert>) =>
  database.db
    .update(emails)
    .set(values)
    .where(eq(emails.id, uuidOf(id)));

describe("cancelling", () => {
  test("takes mail that waits back: FAILED, an event, an entry in the audit log, never due again", async () => {
    const id = await send({ scheduledAt: hours(1) });
    await cancelEmail(project.ctx, id);
    const email = await getEmail(project.ctx, id);
    expect(email).toMatchObject({ status: "FAILED", scheduledAt: null, sentAt: null });
    expect(email.events.map(({ name, data }) => ({ name, data }))).toEqual([
      { name: "queued", data: {} },
      { name: "failed", data: { reasonCode: "cancelled", reason: "cancelled" } },
    ]);
    const [row] = await database.db
      .select()
      .from(emails)
      .where(eq(emails.id, uuidOf(id)));
    expect(row?.status).toBe("FAILED");
    expect(await queued(id)).toEqual([]);
    const audited = await database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.projectId, project.projectId));
    expect(audited.map(({ action }) => action)).toContain("cancel.email");
  });

  test("of ten at once one wins, the others are told that it is FAILED", async () => {
    const id = await send({ scheduledAt: hours(1) });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => cancelEmail(project.ctx, id)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const email = await getEmail(project.ctx, id);
    expect(email.events.filter(({ name }) => name === "failed")).toHaveLength(1);
  });

  test("mail that a worker holds, and mail that went, stay as they are: CONFLICT", async () => {
    const held = await send();
    await database.db
      .update(emailQueue)
      .set({ leaseId: uuidOf(held), leaseUntil: new Date(Date.now() + 60_000) })
      .where(eq(emailQueue.emailId, uuidOf(held)));
    const sent = await send();
    await set(sent, { status: "SENT", sentAt: new Date() });
    await database.db.delete(emailQueue).where(eq(emailQueue.emailId, uuidOf(sent)));
    for (const id of [held, sent]) {
      await expect(cancelEmail(project.ctx, id)).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(
        rescheduleEmail(project.ctx, id, { scheduledAt: hours(1) }),
      ).rejects.toMatchObject({ code: "CONFLICT" });
    }
    expect(await getEmail(project.ctx, sent)).toMatchObject({ status: "SENT" });
    expect(await getEmail(project.ctx, held)).toMatchObject({ status: "PENDING" });
  });

  test("needs an editor", async () => {
    const id = await send({ scheduledAt: hours(1) });
    const viewer = { ...project.ctx, role: "viewer" as const };
    await expect(cancelEmail(viewer, id)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(rescheduleEmail(viewer, id, { scheduledAt: hours(1) })).rejects.toMatchObject({
      code: "NOT_ALLOWED",
    });
  });
});

test("a test key cancels and moves what a test key has sent, and nothing that leaves", async () => {
  const tests = { ...project.ctx, testMode: true };
  const live = await send({ scheduledAt: hours(1) });
  const before = await queued(live);
  const refused = { code: "NOT_ALLOWED" };
  await expect(cancelEmail(tests, live)).rejects.toMatchObject(refused);
  await expect(rescheduleEmail(tests, live, { scheduledAt: hours(2) })).rejects.toMatchObject(
    refused,
  );
  expect(await queued(live)).toEqual(before);
  const later = hours(3);
  const own = await send({ scheduledAt: hours(1) }, tests);
  await rescheduleEmail(tests, own, { scheduledAt: later });
  expect(await getEmail(tests, own)).toMatchObject({ status: "PENDING", scheduledAt: later });
  await cancelEmail(tests, own);
  expect(await getEmail(tests, own)).toMatchObject({ status: "FAILED" });
});

describe("moving", () => {
  test("a campaign's mail goes when the campaign does: it cannot be moved alone", async () => {
    const id = await send({ scheduledAt: hours(1) });
    await set(id, { campaignId: newUnownedId(), source: "CAMPAIGN" });
    const moving = rescheduleEmail(project.ctx, id, { scheduledAt: hours(2) });
    await expect(moving).rejects.toMatchObject({
      code: "CONFLICT",
      message: "The email belongs to a campaign: pause or schedule the campaign.",
    });
  });

  test("gives another time, which the record shows", async () => {
    const id = await send({ scheduledAt: hours(1) });
    const later = hours(48);
    await rescheduleEmail(project.ctx, id, { scheduledAt: later });
    expect((await getEmail(project.ctx, id)).scheduledAt).toBe(later);
  });

  test.each([
    ["31 days ahead", hours(31 * 24)],
    ["past", hours(-1)],
  ])("a time that is %s is refused", async (_, scheduledAt) => {
    const id = await send({ scheduledAt: hours(1) });
    await expect(rescheduleEmail(project.ctx, id, { scheduledAt })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "scheduledAt" }],
    });
  });
});

describe("with a deadline", () => {
  test("mail is moved before it and not behind it, which leaves it as it was", async () => {
    const sendBefore = hours(2);
    const id = await send({ scheduledAt: hours(1), sendBefore });
    const sooner = hours(1.5);
    await rescheduleEmail(project.ctx, id, { scheduledAt: sooner });
    const before = await queued(id);
    for (const scheduledAt of [sendBefore, hours(3)]) {
      await expect(rescheduleEmail(project.ctx, id, { scheduledAt })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        details: [{ path: "sendBefore", message: "is not after scheduledAt" }],
      });
    }
    expect(await queued(id)).toEqual(before);
    expect((await getEmail(project.ctx, id)).scheduledAt).toBe(sooner);
    const entries = await database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.projectId, project.projectId));
    expect(entries.filter(({ action }) => action === "reschedule.email")).toHaveLength(1);
  });

  test("mail whose deadline is over is not moved any more", async () => {
    const id = await send({ scheduledAt: hours(1) });
    await database.db
      .update(emailQueue)
      .set({ sendBefore: new Date(hours(-1)) })
      .where(eq(emailQueue.emailId, uuidOf(id)));
    await expect(rescheduleEmail(project.ctx, id, { scheduledAt: hours(1) })).rejects.toMatchObject(
      { details: [{ path: "sendBefore", message: "is in the past" }] },
    );
  });
});

describe("the log", () => {
  const list = async (query: Record<string, unknown> = {}) => {
    const page = await listEmails(project.ctx, emailQuery.parse(query));
    return { ids: page.data.map(({ id }) => id), nextCursor: page.nextCursor };
  };

  test("is newest first, pages join without gap or repeat while mail comes in, and end without a cursor", async () => {
    const sent: string[] = [];
    for (let nth = 0; nth < 7; nth++) sent.unshift(await send());
    // All of one instant: the id has to tell them apart.
    await database.db.execute(sql`
      update emails set created_at = '2025-11-21T10:00:00.123456Z' where project_id = ${project.projectId}`);
    sent.sort().reverse();
    const first = await list({ limit: 3 });
    expect(first.ids).toEqual(sent.slice(0, 3));
    await send();
    const second = await list({ limit: 3, cursor: first.nextCursor });
    const third = await list({ limit: 3, cursor: second.nextCursor });
    expect([...second.ids, ...third.ids]).toEqual(sent.slice(3));
    expect(third).not.toHaveProperty("nextCursor", expect.anything());
  });

  test.each(["x", "e30", Buffer.from('["2026","em_x"]').toString("base64url")])(
    "the cursor %s is none of ours: VALIDATION_ERROR",
    async (cursor) => {
      await expect(list({ cursor })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    },
  );

  test("is filtered by status and by part of the address in any case", async () => {
    const bob = await send({ to: "Bob.Smith@example.com" });
    const ada = await send();
    await set(ada, { status: "SENT" });
    expect((await list({ status: "SENT" })).ids).toEqual([ada]);
    expect((await list({ search: "SMITH@ex" })).ids).toEqual([bob]);
    expect((await list({ search: "b_b" })).ids).toEqual([]);
    expect((await list({ search: "%" })).ids).toEqual([]);
    expect((await list({ source: "CAMPAIGN" })).ids).toEqual([]);
  });

  test("both dates are inclusive: a bare one is the whole UTC day, a time is what answers show", async () => {
    const at = async (time: string) => {
      const id = await send();
      await database.db.execute(sql`
        update emails set created_at = ${time}::timestamptz where id = ${uuidOf(id)}`);
      return id;
    };
    const late = await at("2026-11-20T23:59:59.999999Z");
    const noon = await at("2026-11-20T12:00:00.123456Z");
    const early = await at("2026-11-20T00:00:00Z");
    await at("2026-11-19T23:59:59.999Z");
    await at("2026-11-21T00:00:00Z");
    expect((await list({ startDate: "2026-11-20", endDate: "2026-11-20" })).ids).toEqual([
      late,
      noon,
      early,
    ]);
    const { createdAt } = await getEmail(project.ctx, noon);
    expect((await list({ startDate: createdAt, endDate: createdAt })).ids).toEqual([noon]);
    expect(
      (await list({ startDate: "2026-11-20T13:00:00+01:00", endDate: "2026-11-20T13:00:01+01:00" }))
        .ids,
    ).toEqual([noon]);
  });

  test("an email whose contact was deleted shows contact null", async () => {
    const id = await send();
    await set(id, { contactId: null, recipient: null });
    expect(await getEmail(project.ctx, id)).toMatchObject({ contact: null, subject: "Hello" });
  });
});

test("ids of other kinds and projects are NOT_FOUND everywhere", async () => {
  const id = await send({ scheduledAt: hours(1) });
  const otherProject = await makeProject(database.db);
  for (const wrong of [id, encodeId("contact", uuidOf(id)), "", "em_"]) {
    const ctx = wrong === id ? otherProject.ctx : project.ctx;
    for (const work of [
      () => getEmail(ctx, wrong),
      () => cancelEmail(ctx, wrong),
      () => rescheduleEmail(ctx, wrong, { scheduledAt: hours(1) }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  }
  expect((await getEmail(project.ctx, id)).status).toBe("PENDING");
});

// Last: the clock stays where it went.
test("the database's clock decides what is past", async () => {
  const id = await send({ scheduledAt: hours(20 * 24) });
  await database.travel("10 days");
  await expect(send({ scheduledAt: hours(24) })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  await expect(rescheduleEmail(project.ctx, id, { scheduledAt: hours(24) })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  await rescheduleEmail(project.ctx, id, { scheduledAt: hours(35 * 24) });
});
