import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { sendEmail } from "@/lib/domain/emails/send";
import { addSuppression, getSuppression } from "@/lib/domain/suppressions/suppressions";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { untilBlocked } from "@/lib/testing/until-blocked";
import { findContactRow, getContact, updateContact } from "./contacts";
import { deleteContact, eraseContact } from "./delete";
import { upsertContact, upsertRows } from "./upsert";

/* What comes while a person is being deleted sees what remains of them, as what comes after it does. */

const database = useTestDatabase();
const email = "ada@example.com";

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
  const mail = { to: email, from: "hello@sandbox.test", subject: "Welcome", body: "<p>Hi</p>" };
  const { sent } = await database.db.transaction(async (tx) => {
    await upsertRows(tx, ctx, [{ email, subscribed: true }]);
    const begun = sendEmail(ctx, mail);
    await untilBlocked(database.db);
    return { sent: begun };
  });
  await sent;
  expect(await getContact(ctx, email)).toMatchObject({ subscribed: true });
});
