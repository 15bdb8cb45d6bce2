import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { findContactRow, getContact, updateContact } from "@/lib/domain/contacts/contacts";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { deleteContact, eraseContact } from "@/lib/domain/contacts/delete";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { sendEmail } from "@/lib/domain/emails/send";
import { startImport } from "@/lib/domain/imports/imports";
import { subscribe } from "@/lib/domain/lists/change-subscribers";
import { changePreferences, unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { confirmSubscription } from "@/lib/domain/opt-outs/double-opt-in";
import { addSuppression, getSuppression } from "@/lib/domain/suppressions/suppressions";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { confirmToken } from "@/lib/mail/tracking/tokens";
import { makeProject } from "@/lib/testing";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { untilBlocked } from "@/lib/testing/until-blocked";
import { takeOverImports } from "./apply-rows";

const database = useTestDatabase();
const email = "ada@example.com";

async function importCsv(ctx: Context, csv: string): Promise<string> {
  const file = Readable.from([Buffer.from(csv)]);
  const { id } = await startImport(ctx, { file, filename: "people.csv" });
  await takeOverImports(database.db, { signal: AbortSignal.timeout(10_000) });
  return id;
}

const historyOf = async (ctx: Context, address = email) =>
  (await listSubscriptionChanges(ctx, address, { limit: 100 })).data.map(
    ({ createdAt, ...change }) => {
      expect(Date.parse(createdAt)).toBeGreaterThan(0);
      return change;
    },
  );

/** A change of the whole subscription that nobody read a page for. */
const everything = {
  ...{
    kind: "subscription",
    list: null,
    topic: null,
    until: null,
    emailId: null,
    importId: null,
    form: null,
  },
  ...{ text: null, reason: null, comment: null, ipAddress: null, userAgent: null },
};

test("a file that is taken over while a person is being deleted brings nobody back who objected", async () => {
  const { ctx } = await makeProject(database.db);
  await upsertContact(ctx, { email, unsubscribed: true });
  await addSuppression(ctx, { email });
  const { done } = await database.db.transaction(async (tx) => {
    await eraseContact(tx, ctx, await findContactRow(tx, ctx, email, sql`for update`));
    const begun = importCsv(ctx, `email\n${email}\nbob@example.com`);
    await untilBlocked(database.db);
    return { done: begun };
  });
  await done;
  expect(await getContact(ctx, email)).toMatchObject({ subscribed: false });
  expect(await getContact(ctx, "bob@example.com")).toMatchObject({ subscribed: true });
  expect(await getSuppression(ctx, email)).toMatchObject({ reason: "manual" });
});

test("a contact's history has every change of the subscription, and through whom", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const key = await database.db.execute<{ id: string }>(
    sql`select id from api_keys where project_id = ${projectId}`,
  );
  const byKey = { ...ctx, actor: { type: "apiKey", id: key[0]?.id ?? "" } } as const;
  const message = { from: "hello@sandbox.test", to: email, subject: "Hi", body: "<p>Hi</p>" };
  // Made by a send, never asked: nothing to tell yet.
  await sendEmail(byKey, message);
  expect(await historyOf(ctx)).toEqual([]);
  await sendEmail(byKey, { ...message, subscribed: true });
  await updateContact(ctx, email, { subscribed: false });
  await upsertContacts({ ...ctx, platformTokenId: newUnownedId() }, [{ email, subscribed: true }]);
  const importId = await importCsv(ctx, `email,subscribed\n${email},false`);
  // Says nothing new: no entry.
  await upsertContact(byKey, { email, unsubscribed: true, firstName: "Ada" });
  await upsertContact(byKey, { email, subscribed: true });

  const contactId = (await upsertContact(byKey, { email })).contact.id;
  const mail = await campaignMail(database.db, ctx, { contactId, email });
  const emailId = encodeId("email", mail.emailId);
  await unsubscribeByToken(database.db, mail.token);
  await changePreferences(database.db, mail.token, { action: "return" });
  await recordReport(ctx, emailId, { kind: "complained", type: "abuse" });

  const user = {
    type: "user",
    id: encodeId("user", ctx.actor.id ?? ""),
    name: expect.stringMatching(/@example\.com$/) as string,
  };
  const apiKey = { type: "apiKey", id: encodeId("apiKey", byKey.actor.id), name: "Test" };
  const nobody = { id: null, name: null };
  const on = { before: "unsubscribed", after: "subscribed", ...everything };
  const off = { before: "subscribed", after: "unsubscribed", ...everything };
  expect(await historyOf(ctx)).toEqual([
    { ...off, by: { type: "complaint", ...nobody }, emailId },
    { ...on, by: { type: "link", ...nobody }, emailId },
    { ...off, by: { type: "oneClick", ...nobody }, emailId },
    { ...on, by: apiKey },
    { ...off, by: { type: "import", id: null, name: "people.csv" }, importId },
    { ...on, by: { ...user, type: "platformToken" } },
    { ...off, by: user },
    { ...on, before: "never", by: apiKey },
  ]);

  await deleteContact(ctx, email);
  const [left] = await database.db.execute<{ count: number }>(
    sql`select count(*)::int as count from consent_changes where project_id = ${projectId}`,
  );
  expect(left?.count).toBe(0);
});

test("it begins with how the contact came to be subscribed, and knows lists", async () => {
  const { ctx } = await makeProject(database.db);
  const importId = await importCsv(ctx, "email\nnew@example.com");
  const start = { before: null, after: "subscribed", ...everything };
  expect(await historyOf(ctx, "new@example.com")).toEqual([
    { ...start, by: { type: "import", id: null, name: "people.csv" }, importId },
  ]);

  const { id: listId } = await makeList(ctx, { subscribeConfirmation: true });
  const member = await join(ctx, listId, email);
  await confirmSubscription(database.db, confirmToken(decodeId("subscriber", member.id) ?? ""));
  const mail = await campaignMail(database.db, ctx, { contactId: member.contactId, email, listId });
  await unsubscribeByToken(database.db, mail.token);
  await subscribe(ctx, member.id);
  const ofList = { ...everything, list: { id: listId, name: "News" } };
  const own = { id: null, name: null };
  const history = await historyOf(ctx);
  // Two changes of one transaction may stand in either order.
  const [returned, left, ...confirmed] = history;
  expect([
    returned,
    left,
    ...confirmed.sort((a, b) => `${a.before}`.localeCompare(`${b.before}`)),
  ]).toMatchObject([
    { ...ofList, before: "unsubscribed", after: "subscribed", by: { type: "user" } },
    {
      ...ofList,
      before: "subscribed",
      after: "unsubscribed",
      by: { type: "oneClick", ...own },
      emailId: encodeId("email", mail.emailId),
    },
    { ...everything, before: "never", after: "subscribed", by: { type: "confirmation", ...own } },
    { ...ofList, before: null, after: "unconfirmed", by: { type: "user" } },
    { ...ofList, before: "unconfirmed", after: "subscribed", by: { type: "confirmation", ...own } },
  ]);
  // In pages, none twice.
  const first = await listSubscriptionChanges(ctx, email, { limit: 3 });
  const second = await listSubscriptionChanges(ctx, email, { limit: 3, cursor: first.nextCursor });
  expect([...first.data, ...second.data].map(({ before, after }) => [before, after])).toEqual(
    history.map(({ before, after }) => [before, after]),
  );
  expect(second.nextCursor).toBeUndefined();
});
