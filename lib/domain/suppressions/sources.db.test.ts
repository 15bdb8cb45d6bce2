import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys, suppressions, users } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import type { Context } from "@/lib/ground/context";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { exportSuppressions } from "./export";
import { importSuppressions } from "./import";
import { addSuppression, getSuppression, listSuppressions } from "./suppressions";

const database = useTestDatabase();
const project = async () => (await makeProject(database.db)).ctx;
const take = (ctx: Context, text: string) =>
  importSuppressions(ctx, Readable.from([Buffer.from(text)]), { reason: "manual" });
const exported = async (ctx: Context) => new Response(await exportSuppressions(ctx, {})).text();

async function asUser(ctx: Context, email: string): Promise<Context> {
  const id = newId(ctx.projectId);
  await database.db.insert(users).values({ id, email });
  return { ...ctx, actor: { type: "user", id } };
}

async function asKey(ctx: Context, name: string): Promise<Context> {
  const id = newId(ctx.projectId);
  await database.db.insert(apiKeys).values({
    id,
    projectId: ctx.projectId,
    name,
    scope: "full",
    mode: "live",
    hash: Buffer.from(id),
    last4: "abcd",
  });
  return { ...ctx, actor: { type: "apiKey", id } };
}

test("it is told who added an address: a person, a key, or whoever brought a file", async () => {
  const ctx = await project();
  const ada = await asUser(ctx, `ada-${ctx.projectId}@example.com`);
  const shop = await asKey(ctx, "Shop");
  const byAda = { type: "user", name: `ada-${ctx.projectId}@example.com` };
  await addSuppression(ada, { email: "a@example.com" });
  await addSuppression(shop, { email: "@b.example" });
  await take(ada, "email\nc@example.com\n");
  const sourceOf = async (email: string) => (await getSuppression(ctx, email)).source;
  expect(await sourceOf("a@example.com")).toMatchObject({ type: "added", by: byAda });
  expect(await sourceOf("@b.example")).toMatchObject({
    type: "added",
    by: { type: "apiKey", name: "Shop" },
  });
  expect(await sourceOf("c@example.com")).toMatchObject({ type: "import", by: byAda });
});

test.each([
  [{ kind: "bounced", hard: true }, "hard_bounce", "bounce"],
  [{ kind: "complained", type: "abuse" }, "complaint", "complaint"],
] as const)(
  "the words of a report (%j) outlive the email and its events",
  async (report, reason, type) => {
    const ctx = await project();
    const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to: "ada@sandbox.test" });
    await database.db.execute(sql`update emails set status = 'SENT' where id = ${id}`);
    await recordReport(ctx, encodeId("email", id), report, "550 5.1.1 User unknown");
    await database.db.execute(sql`delete from email_events where email_id = ${id}`);
    expect(await getSuppression(ctx, "ada@sandbox.test")).toMatchObject({
      ...{ reason, response: "550 5.1.1 User unknown" },
      source: { type, by: null },
    });
  },
);

test("the words of a server that refuses the address at once are kept as well", async () => {
  const ctx = await project();
  const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to: "bounced@sandbox.test" });
  await dispatchDue({ db: database.db, transport: null });
  await database.db.execute(sql`delete from email_events where email_id = ${id}`);
  expect(await getSuppression(ctx, "bounced@sandbox.test")).toMatchObject({
    reason: "hard_bounce",
    response: "This address simulates an unknown user.",
    source: { type: "bounce", by: null },
  });
});

test("what was suppressed before words were kept is explained by its email as long as that is kept", async () => {
  const ctx = await project();
  await send(ctx, { from: "hello@sandbox.test", to: "bounced@sandbox.test" });
  await dispatchDue({ db: database.db, transport: null });
  await addSuppression(ctx, { email: "m@example.com" });
  await database.db
    .update(suppressions)
    .set({ response: null, source: null, origin: null, actorId: null })
    .where(eq(suppressions.projectId, ctx.projectId));
  expect(await getSuppression(ctx, "bounced@sandbox.test")).toMatchObject({
    response: "This address simulates an unknown user.",
    source: { type: "bounce", by: null },
  });
  expect((await getSuppression(ctx, "m@example.com")).source).toBeNull();
});

test("an address that comes back after it was deleted says where its suppression is from", async () => {
  const ctx = await project();
  await upsertContact(ctx, { email: "back@example.com" });
  await addSuppression(ctx, { email: "back@example.com" });
  await deleteContact(ctx, "back@example.com");
  await upsertContact(ctx, { email: "back@example.com" });
  expect((await getSuppression(ctx, "back@example.com")).source).toEqual({
    type: "restored",
    by: null,
  });
});

test("a file brings words and dates along, and what is exported says the same when it is imported", async () => {
  const [from, to] = [await project(), await project()];
  const words = "550 5.1.1 <a@example.com>: User unknown";
  await take(
    from,
    `email,reason,response,createdAt\na@example.com,hard_bounce,${words},2025-03-04T05:06:07.000Z\n@b.example,,,2024-01-02\n`,
  );
  await take(to, await exported(from));
  for (const ctx of [from, to]) {
    expect(await getSuppression(ctx, "a@example.com")).toMatchObject({
      ...{ reason: "hard_bounce", response: words, createdAt: "2025-03-04T05:06:07.000Z" },
    });
    expect(await getSuppression(ctx, "@b.example")).toMatchObject({
      ...{ reason: "domain", response: null, createdAt: "2024-01-02T00:00:00.000Z" },
    });
  }
  const [header = "", first = ""] = (await exported(from)).split("\r\n").toSorted().toReversed();
  expect([header, first]).toContain("email,reason,source,by,emailId,response,createdAt");
});

test.each([
  // SendGrid, Mailgun, Postmark.
  ["email,created,reason,status\nx@example.com,1763719200,550 5.1.1 no such user,5.1.1\n"],
  [
    "address,code,error,created_at\nx@example.com,550,550 5.1.1 no such user,2025-11-21 10:00:00 UTC\n",
  ],
  ["Recipient,Details,Date\nx@example.com,550 5.1.1 no such user,2025-11-21T11:00:00+01:00\n"],
])("words and dates of another provider's export are understood (%j)", async (text) => {
  const ctx = await project();
  await take(ctx, text);
  expect(await getSuppression(ctx, "x@example.com")).toMatchObject({
    response: "550 5.1.1 no such user",
    createdAt: "2025-11-21T10:00:00.000Z",
  });
});

const noDates = ["2999-01-01", "yesterday", "0", "99999999999999999999", "2025-02-31", ""];
/** What other programs write for none, in the year that Postgres does not have, and in one without mail. */
const emptyDates = ["0000-01-01", "0001-01-01T00:00:00+02:00", "0001-01-01"];

test.each([...noDates, ...emptyDates])(
  "a date that cannot be (%j) refuses nobody: the row is of today",
  async (date) => {
    const ctx = await project();
    const before = Date.now();
    expect(await take(ctx, `email,createdAt\nx@example.com,${date}\n`)).toMatchObject({ added: 1 });
    const { createdAt } = await getSuppression(ctx, "x@example.com");
    expect(Math.abs(Date.parse(createdAt) - before)).toBeLessThan(60_000);
  },
);

test("words are cut, not refused, and the list is of what was added last", async () => {
  const ctx = await project();
  await take(ctx, "email,createdAt\nnew@example.com,2025-06-01\nold@example.com,2020-06-01\n");
  await take(ctx, `email,response\nlong@example.com,${"w".repeat(5_000)}\n`);
  const { data } = await listSuppressions(ctx, { limit: 10 });
  expect(data[0]).toMatchObject({ email: "long@example.com", response: "w".repeat(2_000) });
});
