import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Consent } from "@/db/enums";
import {
  contacts,
  emailEvents,
  emailQueue,
  emails,
  messages,
  monthlyUsage,
  projects,
  suppressions,
} from "@/db/schema";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { requireSend } from "@/lib/ground/context";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import type { SendInput } from "./send-schema";
import { sendBatch, sendEmail } from "./send";

const database = useTestDatabase();
let project: TestProject;

beforeEach(async () => {
  project = await makeProject(database.db);
});

const mail: SendInput = {
  to: "ada@example.com",
  from: "hello@sandbox.test",
  subject: "Hello",
  body: "<p>Hello</p>",
};
const send = (fields: Partial<SendInput> = {}) => sendEmail(project.ctx, { ...mail, ...fields });

async function consentOf(email: string): Promise<Consent | undefined> {
  const [row] = await database.db
    .select({ consent: contacts.consent })
    .from(contacts)
    .where(
      and(eq(contacts.projectId, project.projectId), sql`lower(email) = ${email.toLowerCase()}`),
    );
  return row?.consent;
}

/** How many rows of each kind the project has. */
async function rows() {
  const { db } = database;
  const { projectId } = project;
  return {
    contacts: await db.$count(contacts, eq(contacts.projectId, projectId)),
    messages: await db.$count(messages, eq(messages.projectId, projectId)),
    emails: await db.$count(emails, eq(emails.projectId, projectId)),
  };
}

async function usage(): Promise<number> {
  const [row] = await database.db
    .select({ emails: sql<number>`coalesce(sum(emails), 0)::int` })
    .from(monthlyUsage)
    .where(eq(monthlyUsage.projectId, project.projectId));
  return row?.emails ?? 0;
}

const setMonthlyLimit = (monthlyEmailLimit: number | null) =>
  database.db.update(projects).set({ monthlyEmailLimit }).where(eq(projects.id, project.projectId));

describe("consent", () => {
  test.each<[Consent | "nobody", boolean | undefined, Consent]>([
    ["nobody", undefined, "never"],
    ["nobody", true, "subscribed"],
    ["nobody", false, "unsubscribed"],
    ["never", undefined, "never"],
    ["never", true, "subscribed"],
    ["never", false, "unsubscribed"],
    ["subscribed", undefined, "subscribed"],
    ["subscribed", true, "subscribed"],
    ["subscribed", false, "unsubscribed"],
    ["unsubscribed", undefined, "unsubscribed"],
    ["unsubscribed", true, "subscribed"],
    ["unsubscribed", false, "unsubscribed"],
  ])(
    "a contact who is %s becomes, with subscribed %s, %s, and gets the mail",
    async (was, subscribed, is) => {
      if (was !== "nobody") {
        await database.db.insert(contacts).values({
          id: newId(project.projectId),
          projectId: project.projectId,
          email: "Ada@Example.com",
          consent: was,
        });
      }
      const { result } = await send(subscribed === undefined ? {} : { subscribed });
      expect(await consentOf("ada@example.com")).toBe(is);
      const [answered] = result.data.emails;
      expect(answered?.contact.email).toBe(
        was === "nobody" ? "ada@example.com" : "Ada@Example.com",
      );
      expect((await rows()).contacts).toBe(1);
      const [email] = await database.db
        .select()
        .from(emails)
        .where(eq(emails.id, decodeId("email", answered?.email ?? "") ?? ""));
      expect(email).toMatchObject({ status: "PENDING", recipient: "ada@example.com" });
    },
  );

  test("within one batch the last word on a contact wins", async () => {
    await sendBatch(project.ctx, [
      { ...mail, subscribed: true },
      { ...mail, to: "ADA@example.com", subscribed: false },
      mail,
    ]);
    expect(await consentOf("ada@example.com")).toBe("unsubscribed");
    expect(await rows()).toEqual({ contacts: 1, messages: 3, emails: 3 });
  });

  test("100 concurrent sends to new people in different orders make each person once", async () => {
    const people = Array.from({ length: 20 }, (_, nth) => `p${nth}@example.com`);
    await Promise.all(
      Array.from({ length: 100 }, (_, nth) =>
        send({ to: nth % 2 ? people : people.toReversed(), subscribed: nth % 3 === 0 }),
      ),
    );
    expect(await rows()).toEqual({ contacts: 20, messages: 100, emails: 2000 });
  });
});

describe("suppression", () => {
  test.each(["hard_bounce", "complaint", "manual"] as const)(
    "a recipient suppressed for %s gets a FAILED record with an event, the others their mail",
    async (reason) => {
      await database.db.insert(suppressions).values({
        id: newId(project.projectId),
        projectId: project.projectId,
        email: "Gone@example.com",
        reason,
      });
      const { result } = await send({ to: ["gone@EXAMPLE.com", "here@example.com"] });
      const [gone, here] = await Promise.all(
        result.data.emails.map(async ({ email }) => {
          const id = decodeId("email", email) ?? "";
          const [row] = await database.db.select().from(emails).where(eq(emails.id, id));
          const events = await database.db
            .select({ name: emailEvents.name, data: emailEvents.data })
            .from(emailEvents)
            .where(eq(emailEvents.emailId, id));
          const queued = await database.db
            .select()
            .from(emailQueue)
            .where(eq(emailQueue.emailId, id));
          return { status: row?.status, waits: queued.length > 0, events };
        }),
      );
      expect(gone).toEqual({
        status: "FAILED",
        waits: false,
        events: [{ name: "suppressed", data: { reason } }],
      });
      expect(here).toEqual({ status: "PENDING", waits: true, events: [] });
    },
  );

  test("another project's suppression is its own", async () => {
    const otherProject = await makeProject(database.db);
    await database.db.insert(suppressions).values({
      id: newId(otherProject.projectId),
      projectId: otherProject.projectId,
      email: "ada@example.com",
      reason: "manual",
    });
    await send();
    expect(
      await database.db.$count(
        emails,
        sql`project_id = ${project.projectId} and status = 'PENDING'`,
      ),
    ).toBe(1);
  });
});

describe("the monthly limit", () => {
  test("is exact under concurrency, over two pools, and refusals write nothing", async () => {
    await setMonthlyLimit(100);
    const elsewhere = connect(database.url, { max: 5 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, nth) =>
        sendEmail(nth % 2 ? project.ctx : { ...project.ctx, db: elsewhere }, {
          ...mail,
          to: `p${nth}@example.com`,
        }),
      ),
    );
    await elsewhere.$client.end();
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(200);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "PAYMENT_REQUIRED" });
    expect(await rows()).toEqual({ contacts: 100, messages: 100, emails: 100 });
    expect(await usage()).toBe(100);
  });

  test("counts recipients, and a request that does not fit is refused whole", async () => {
    await setMonthlyLimit(3);
    await send({ to: ["a@example.com", "b@example.com"] });
    await expect(send({ to: ["c@example.com", "d@example.com"] })).rejects.toMatchObject({
      code: "PAYMENT_REQUIRED",
    });
    expect(await rows()).toEqual({ contacts: 2, messages: 1, emails: 2 });
    await send();
    await expect(send()).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
  });

  test("counts what was sent before there was a limit, and starts anew with the month", async () => {
    await Promise.all([send(), send(), send()]);
    await setMonthlyLimit(3);
    await expect(send()).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
    await database.travel("32 days");
    await send();
    expect(await usage()).toBe(4);
  });

  test("of other projects' mail takes nothing away", async () => {
    await setMonthlyLimit(1);
    const otherProject = await makeProject(database.db);
    await Promise.all([
      send(),
      sendEmail(otherProject.ctx, mail),
      sendEmail(otherProject.ctx, mail),
    ]);
    expect((await rows()).emails).toBe(1);
  });
});

test("an unverified sender writes nothing, and takes nobody down who is accepted beside it", async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, nth) =>
      send(nth % 2 ? {} : { from: "a@elsewhere.example", to: `p${nth}@example.com` }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  expect(await rows()).toEqual({ contacts: 1, messages: 20, emails: 20 });
  expect(await usage()).toBe(20);
});

test("a domain that is verified in another project alone is not verified here", async () => {
  const otherProject = await makeProject(database.db);
  await database.db.execute(sql`
    update domains set name = 'theirs.example' where project_id = ${otherProject.projectId}`);
  await expect(send({ from: "a@theirs.example" })).rejects.toMatchObject({
    code: "DOMAIN_NOT_VERIFIED",
  });
  await sendEmail(otherProject.ctx, { ...mail, from: "A@THEIRS.example" });
});

test.each(["PENDING", "FAILED"])("a domain that is %s does not send", async (status) => {
  await database.db.execute(sql`
    update domains set status = ${status} where project_id = ${project.projectId}`);
  await expect(send()).rejects.toMatchObject({ code: "DOMAIN_NOT_VERIFIED" });
});

test("content is stored once per message, an attachment once per project", async () => {
  const attachments = [{ filename: "a.txt", content: Buffer.from("same").toString("base64") }];
  await send({ to: ["a@example.com", "b@example.com"], attachments });
  await send({ attachments });
  expect(await rows()).toEqual({ contacts: 3, messages: 2, emails: 3 });
  const [{ blobs, hung } = { blobs: 0, hung: 0 }] = await database.db.execute<{
    blobs: number;
    hung: number;
  }>(sql`
    select (select count(*)::int from attachment_blobs where project_id = ${project.projectId}) as blobs,
      (select count(*)::int from message_attachments where project_id = ${project.projectId}) as hung`);
  expect({ blobs, hung }).toEqual({ blobs: 1, hung: 2 });
});

test("accepting wakes the workers with its commit", async () => {
  const listener = connect(database.url, { max: 1 });
  const woken = new Promise<void>((resolve) => {
    void listener.$client.listen("emails_due", () => resolve()).then(() => send());
  });
  await woken;
  await listener.$client.end();
});

test("viewers may not send, editors and sending keys may", () => {
  const may =
    (role: TestProject["ctx"]["role"], sendingOnly = false) =>
    () =>
      requireSend({ role, sendingOnly });
  expect(may("viewer")).toThrow(/editor/);
  expect(may("editor")).not.toThrow();
  expect(may("admin", true)).not.toThrow();
});

test("what is accepted is written by the statements that stand beside this test", async () => {
  const text = await recordStatements(database.url, (db) =>
    sendEmail({ ...project.ctx, db }, { ...mail, to: ["ada@example.com", "bob@example.com"] }),
  );
  await expect(text).toMatchFileSnapshot("./accept.sql");
});
