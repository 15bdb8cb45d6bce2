import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { campaigns, emails, hourlyFigures, messages, projects } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import type { Context } from "@/lib/ground/context";
import { getEmailContent } from "@/lib/domain/emails/content";
import { decodeId } from "@/lib/ground/ids/ids";
import { createTemplate } from "@/lib/domain/templates/templates";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import { join, makeList } from "@/lib/testing/opt-outs";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { validate } from "@/lib/ground/validate";
import { createCampaign } from "./campaigns";
import { getCampaign } from "./read";
import { campaignTest } from "./action-schema";
import { type CampaignInput } from "./schema";
import { testCampaign } from "./test-mail";

const database = useTestDatabase();
let ctx: Context;

beforeAll(async () => {
  ({ ctx } = await makeProject(database.db));
});

const make = async (fields: CampaignInput = {}) =>
  (
    await createCampaign(ctx, {
      name: "News",
      subject: "Hello {{ firstName }}",
      from: "news@sandbox.test",
      fromName: "Example",
      body: '<p>Hi {{ firstName }} <a href="https://example.com/new">new</a></p>',
      previewText: "What is new",
      ...fields,
    })
  ).id;
const tryOut = (id: string, to: unknown, by = ctx) =>
  Promise.resolve().then(() => testCampaign(by, id, validate(campaignTest, { to })));

test("workers are told of it once it is there", async () => {
  let told = 0;
  const listening = await database.db.$client.listen("emails_due", () => told++);
  try {
    await tryOut(await make(), "ada@sandbox.test");
    await until(() => told > 0);
  } finally {
    await listening.unlisten();
  }
});

test("is the campaign's mail to a person, with their own data, and counts for nothing", async () => {
  await upsertContact(ctx, { email: "ada@sandbox.test", firstName: "Ada", unsubscribed: true });
  const id = await make({ tracking: { opens: true, clicks: true } });
  const { data } = await tryOut(id, ["ada@sandbox.test", "ADA@sandbox.test", "grace@sandbox.test"]);
  expect(data.emails.map(({ contact }) => contact.email)).toEqual([
    "ada@sandbox.test",
    "grace@sandbox.test",
  ]);
  const emailId = data.emails[0]?.email ?? "";
  const { message } = await getEmailContent(ctx, emailId);
  expect(message).toMatchObject({ subject: "[Test] Hello Ada" });
  const html = message?.html ?? "";
  expect(html).toContain("Hi Ada");
  expect(html).toContain('href="https://example.com/new"');
  expect(html).toContain("Unsubscribe");
  const [row] = await database.db
    .select({ campaignId: emails.campaignId, source: emails.source, sent: messages.campaignId })
    .from(emails)
    .innerJoin(messages, eq(messages.id, emails.messageId))
    .where(eq(emails.id, decodeId("email", emailId) ?? ""));
  expect(row).toEqual({
    campaignId: null,
    source: "TRANSACTIONAL",
    sent: decodeId("campaign", id),
  });
  expect(await getCampaign(ctx, id)).toMatchObject({
    status: "DRAFT",
    stats: { recipients: 0, sent: 0, links: [] },
  });
  const figures = await database.db
    .select()
    .from(hourlyFigures)
    .where(eq(hourlyFigures.campaignId, decodeId("campaign", id) ?? ""));
  expect(figures).toEqual([]);
});

test("works in any state, and shows a template's content", async () => {
  const template = await createTemplate(ctx, { name: "T", subject: "S", body: "<p>From T</p>" });
  const id = await make({ body: null, templateId: template.id });
  await database.db
    .update(campaigns)
    .set({ status: "SENT" })
    .where(eq(campaigns.id, decodeId("campaign", id) ?? ""));
  const { data } = await tryOut(id, "ada@sandbox.test");
  const { message } = await getEmailContent(ctx, data.emails[0]?.email ?? "");
  expect(message?.html).toContain("From T");
});

test("takes one to five recipients", async () => {
  const id = await make();
  const people = Array.from({ length: 6 }, (_, index) => `p${index}@sandbox.test`);
  expect((await tryOut(id, people.slice(1))).data.emails).toHaveLength(5);
  for (const to of [people, [], "nobody", undefined]) {
    await expect(tryOut(id, to)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  }
});

test("needs content and a verified sender, an editor, and mail left of the month", async () => {
  const to = "ada@sandbox.test";
  await expect(tryOut(await make({ subject: "", incomplete: true }), to)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  await expect(tryOut(await make({ from: "a@unknown.example" }), to)).rejects.toMatchObject({
    code: "DOMAIN_NOT_VERIFIED",
  });
  const id = await make();
  const { ctx: stranger } = await makeProject(database.db);
  await expect(tryOut(id, to, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  for (const by of [
    { ...ctx, role: "viewer" as const },
    { ...ctx, sendingOnly: true },
  ]) {
    await expect(tryOut(id, to, by)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
  await database.db
    .update(projects)
    .set({ monthlyEmailLimit: 0 })
    .where(eq(projects.id, ctx.projectId));
  const before = await database.db.$count(messages);
  await expect(tryOut(id, to)).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
  expect(await database.db.$count(messages)).toBe(before);
  await database.db.execute(sql`
    update projects set monthly_email_limit = null where id = ${ctx.projectId}`);
});

test("with a test key ends in the captured mailbox", async () => {
  const id = await make();
  const { data } = await tryOut(id, "ada@example.com", { ...ctx, testMode: true });
  const [row] = await database.db
    .select({ test: messages.test })
    .from(emails)
    .innerJoin(messages, eq(messages.id, emails.messageId))
    .where(eq(emails.id, decodeId("email", data.emails[0]?.email ?? "") ?? ""));
  expect(row?.test).toBe(true);
});

test("of a campaign with an A/B test is each of its variants", async () => {
  const id = await make({
    abTest: {
      variants: [
        { subject: "One" },
        { subject: "Two", fromName: "Ada", previewText: "Look", body: "<p>Other</p>" },
      ],
    },
  });
  const { data } = await tryOut(id, ["grace@sandbox.test", "alan@sandbox.test"]);
  expect(data.emails.map(({ contact }) => contact.email).toSorted()).toEqual(
    ["grace@sandbox.test", "alan@sandbox.test"].flatMap((email) => [email, email]).toSorted(),
  );
  const mails = await Promise.all(data.emails.map(({ email }) => getEmailContent(ctx, email)));
  const contents = mails.map(({ message }) => `${message?.subject} ${message?.html ?? ""}`);
  const [first, second] = [/^\[Test A\] One/, /^\[Test B\] Two/].map((subject) =>
    contents.filter((content) => subject.test(content)),
  );
  expect([first?.length, second?.length]).toEqual([2, 2]);
  for (const content of first ?? []) expect(content).toMatch(/What is new[\s\S]*Hi /);
  for (const content of second ?? []) expect(content).toMatch(/Look[\s\S]*Other/);
});

test("leaves the campaign's list alone with its button, as the campaign itself does", async () => {
  const list = await makeList(ctx);
  const member = await join(ctx, list.id, "reader@sandbox.test");
  const { data } = await tryOut(await make({ listId: list.id }), "reader@sandbox.test");
  const emailId = decodeId("email", data.emails[0]?.email ?? "") ?? "";
  expect(await unsubscribeByToken(database.db, recipientToken(emailId))).toBe("changed");
  expect(await getSubscriber(ctx, member.id)).toMatchObject({
    ...{ status: "unsubscribed", leftEverything: false },
  });
});
