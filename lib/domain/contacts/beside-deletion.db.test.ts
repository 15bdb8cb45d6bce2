import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { sendEmail } from "@/lib/domain/emails/send";
import { addSuppression, getSuppression } from "@/lib/domain/suppressions/suppressions";
import { claimEmails } from "@/lib/engine/sending/claim";
import { allMail } from "@/lib/engine/sending/part";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { send, storedEmail } from "@/lib/testing/delivery";
import { untilBlocked } from "@/lib/testing/until-blocked";
import { findContactRow, getContact, updateContact } from "./contacts";
import { deleteContact, eraseContact } from "./delete";
import { eraseLateMail } from "./erase-late-mail";
import { upsertContact, upsertRows } from "./upsert";

/* What comes while a person is being deleted sees what remains of them, as what comes after it does. */

const database = useTestDatabase();
const email = "ada@example.com";
const mail = { to: email, from: "hello@sandbox.test", subject: "Welcome", body: "<p>Hi</p>" };

/** Somebody who has objected, twice over. */
async function objector() {
  const { ctx } = await makeProject(database.db);
  await upsertContact(ctx, { email, unsubscribed: true });
  await addSuppression(ctx, { email });
  return ctx;
}

/** Begins `work` while the person is being deleted; resolves to its result. */
async function whileDeleted<Result>(ctx: Context, work: () => Promise<Result>): Promise<Result> {
  const { done } = await database.db.transaction(async (tx) => {
    await eraseContact(tx, ctx, await findContactRow(tx, ctx, email, sql`for update`));
    const begun = work();
    await untilBlocked(database.db);
    return { done: begun };
  });
  return done;
}

test("who is added again stays unsubscribed and suppressed", async () => {
  const ctx = await objector();
  const { contact } = await whileDeleted(ctx, () => upsertContact(ctx, { email }));
  expect(contact).toMatchObject({ subscribed: false });
  expect(await getContact(ctx, email)).toMatchObject({ subscribed: false });
  expect(await getSuppression(ctx, email)).toMatchObject({ reason: "manual" });
});

test("whoever is given the address stays unsubscribed and suppressed", async () => {
  const ctx = await objector();
  await upsertContact(ctx, { email: "lovelace@example.com" });
  await whileDeleted(ctx, () => updateContact(ctx, "lovelace@example.com", { email }));
  expect(await getContact(ctx, email)).toMatchObject({ subscribed: false });
  expect(await getSuppression(ctx, email)).toMatchObject({ reason: "manual" });
});

test("mail that says nothing of it leaves a subscription that is made meanwhile", async () => {
  const { ctx } = await makeProject(database.db);
  await upsertContact(ctx, { email });
  await deleteContact(ctx, email);
  const { sent } = await database.db.transaction(async (tx) => {
    await upsertRows(tx, ctx, [{ email, subscribed: true }]);
    const begun = sendEmail(ctx, mail);
    await untilBlocked(database.db);
    return { sent: begun };
  });
  await sent;
  expect(await getContact(ctx, email)).toMatchObject({ subscribed: true });
});

describe("mail that is accepted while its contact is being deleted", () => {
  async function accepted() {
    const { ctx } = await makeProject(database.db);
    await upsertContact(ctx, { email });
    const id = await database.db.transaction(async (tx) => {
      await eraseContact(tx, ctx, await findContactRow(tx, ctx, email, sql`for update`));
      const [uuid = ""] = await send(ctx, { from: mail.from, to: email });
      return uuid;
    });
    return { ctx, id };
  }

  test("is not sent", async () => {
    const { ctx, id } = await accepted();
    await send(ctx, { from: mail.from, to: "grace@example.com" });
    const { emails } = await claimEmails(database.db, {
      limit: 10,
      leaseSeconds: 60,
      part: { ...allMail, projects: [ctx.projectId] },
    });
    expect(emails.map(({ recipient }) => recipient)).toEqual(["grace@example.com"]);
    expect(await storedEmail(database.db, id)).toMatchObject({
      status: "FAILED",
      waits: false,
      events: [{ name: "suppressed", data: { reason: "deleted" } }],
    });
  });

  /** Whom the record names. */
  async function named(id: string) {
    const [row] = await database.db.execute(sql`
      select contact_id, recipient, recipient_name, subject from emails where id = ${id}`);
    return row;
  }
  const nobody = { contact_id: null, recipient: null, recipient_name: null, subject: null };
  const look = () => eraseLateMail(database.db, new AbortController().signal);

  test("says nothing of them in the end", async () => {
    const { id } = await accepted();
    expect(await named(id)).toMatchObject({ recipient: email });
    await look();
    expect(await named(id)).toEqual(nobody);
    expect(await storedEmail(database.db, id)).toMatchObject({
      status: "FAILED",
      waits: false,
      events: [{ name: "failed", data: { reasonCode: "contact_deleted" } }],
    });
  });

  test("is looked for again after ten minutes, and then no more", async () => {
    const { ctx, id } = await accepted();
    const left = () =>
      database.db.execute<{ contact_id: string }>(sql`
      select contact_id from erased_contacts where project_id = ${ctx.projectId}`);
    await look();
    expect(await look()).toBe(0);
    const [contact] = await left();
    // As if it had been committed only now.
    await database.db.execute(sql`
      update emails set recipient = ${email}, contact_id = ${contact?.contact_id} where id = ${id}`);
    await database.travel("11 minutes");
    await look();
    expect(await named(id)).toEqual(nobody);
    expect(await left()).toEqual([]);
  });
});
