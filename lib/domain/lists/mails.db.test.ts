import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { domains, lists, webhooks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getContact, updateContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { listEmails } from "@/lib/domain/emails/read";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { readConfirmToken, readContactToken } from "@/lib/mail/tracking/tokens";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { createList, getList, updateList } from "./lists";
import { listInput } from "./schema";
import { getSubscriber } from "./subscribers";
import { addSubscriber, subscribe, unsubscribe } from "./change-subscribers";

const database = useTestDatabase();

const makeList = (ctx: Context, more: Record<string, unknown> = {}) =>
  createList(ctx, listInput.parse({ name: "News", fromEmail: "news@sandbox.test", ...more }));
const person = (email: string) => ({ email, firstName: "Ada", source: "api" as const });

interface Mail extends Record<string, unknown> {
  recipient: string;
  source: string;
  status: string;
  from_email: string;
  from_name: string;
  reply_to: string | null;
  subject: string;
  html: string;
  text: string;
  liquid: boolean;
  headers: Record<string, string>;
  test: boolean;
  track_opens: boolean;
  track_clicks: boolean;
}

async function mails(ctx: Context): Promise<Mail[]> {
  return [
    ...(await database.db.execute<Mail>(sql`
      select e.recipient, e.source, e.status, m.from_email, m.from_name, m.reply_to, m.subject,
        m.html, m.text, m.liquid, m.headers, m.test, m.track_opens, m.track_clicks
      from emails e join messages m on m.id = e.message_id
      where e.project_id = ${ctx.projectId} order by e.created_at, e.id`)),
  ];
}

async function only(ctx: Context): Promise<Mail> {
  const all = await mails(ctx);
  expect(all).toHaveLength(1);
  const [mail] = all;
  if (!mail) throw new Error("There is no mail.");
  return mail;
}

describe("confirmation", () => {
  test("is asked for by mail in the list's name, with a link that is that member's", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx, {
      name: "Weekly {{ email }} & <Co>",
      fromName: "Acme",
      remindMessage: "You signed up at our fair.",
      subscribeConfirmation: true,
      contact: { company: "Acme Ltd", address_1: "1 Main Street", country_id: "276" },
    });
    const member = await addSubscriber(ctx, list.id, person("ada@example.com"));
    const mail = await only(ctx);
    expect(mail).toMatchObject({
      recipient: "ada@example.com",
      source: "LIST",
      status: "PENDING",
      from_email: "news@sandbox.test",
      from_name: "Acme",
      reply_to: null,
      liquid: false,
      test: false,
      track_opens: false,
      track_clicks: false,
    });
    expect(mail.subject).toBe("Please confirm your subscription to Weekly {{ email }} & <Co>");
    const log = await listEmails(ctx, { limit: 10, source: "WORKFLOW" });
    expect(log.data.map(({ source }) => source)).toEqual(["WORKFLOW"]);
    expect(mail.html).toContain("Weekly {{ email }} &amp; &lt;Co&gt;");
    for (const part of [mail.html, mail.text]) {
      const token = /\/confirm\/([\w-]+)/.exec(part)?.[1] ?? "";
      expect(readConfirmToken(token)).toBe(decodeId("subscriber", member.id));
      expect(part).toContain("1 Main Street");
      expect(part).toContain("Germany");
      expect(part).toContain("You signed up at our fair.");
    }
  });

  test("signing up again asks once more, but not before ten minutes have passed", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx, { subscribeConfirmation: true });
    const again = () =>
      expect(addSubscriber(ctx, list.id, person("ADA@example.com"))).rejects.toMatchObject({
        code: "CONFLICT",
      });
    const member = await addSubscriber(ctx, list.id, person("ada@example.com"));
    await Promise.all(Array.from({ length: 10 }, again));
    expect(await mails(ctx)).toHaveLength(1);
    await database.travel("11 minutes");
    await Promise.all(Array.from({ length: 10 }, again));
    expect(await mails(ctx)).toHaveLength(2);
    await subscribe(ctx, member.id);
    await database.travel("22 minutes");
    await again();
    expect(await mails(ctx)).toHaveLength(2);
    expect((await getContact(ctx, "ada@example.com")).firstName).toBe("Ada");
  });

  test("of a test key's subscriber ends in the captured mailbox", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx, { subscribeConfirmation: true });
    await addSubscriber({ ...ctx, testMode: true }, list.id, person("ada@example.com"));
    expect((await only(ctx)).test).toBe(true);
  });

  test("comes from the project's own domain when the list's is not verified, answers go to the list", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx, {
      fromEmail: "news@elsewhere.example",
      subscribeConfirmation: true,
    });
    await addSubscriber(ctx, list.id, person("ada@example.com"));
    expect(await only(ctx)).toMatchObject({
      from_email: "no-reply@sandbox.test",
      from_name: "News",
      reply_to: "news@elsewhere.example",
    });
  });

  test("comes from the list's address however it was written, now or before addresses were tidied", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await database.db
      .update(domains)
      .set({ name: "xn--mnchen-3ya.example" })
      .where(eq(domains.projectId, projectId));
    const written = [" news@M\u00dcNCHEN.example ", "news@m\u00fcnchen.example"];
    const asked = { subscribeConfirmation: true };
    const made = await makeList(ctx, { ...asked, fromEmail: written[0] });
    const changed = await makeList(ctx, { ...asked, fromEmail: "news@sandbox.test" });
    await updateList(ctx, changed.id, { fromEmail: written[1] });
    const kept = "news@xn--mnchen-3ya.example";
    for (const { id } of [made, changed]) expect((await getList(ctx, id)).fromEmail).toBe(kept);
    const before = await makeList(ctx, asked);
    for (const fromEmail of [...written, " news@xn--mnchen-3ya.example"]) {
      await database.db
        .update(lists)
        .set({ fromEmail })
        .where(eq(lists.id, decodeId("list", before.id) ?? ""));
      expect((await getList(ctx, before.id)).fromEmail).toBe(kept);
      await addSubscriber(ctx, before.id, person(`p${fromEmail.length}@example.com`));
    }
    for (const { id } of [made, changed]) await addSubscriber(ctx, id, person("ada@example.com"));
    const sent = await mails(ctx);
    expect(sent).toHaveLength(5);
    for (const mail of sent) expect(mail).toMatchObject({ from_email: kept, reply_to: null });
  });

  test("cannot be asked for without any verified domain: then nobody is added", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const asking = await makeList(ctx, { subscribeConfirmation: true, sendWelcomeEmail: true });
    const greeting = await makeList(ctx, { sendWelcomeEmail: true });
    await database.db.delete(domains).where(eq(domains.projectId, projectId));
    await expect(addSubscriber(ctx, asking.id, person("ada@example.com"))).rejects.toMatchObject({
      code: "DOMAIN_NOT_VERIFIED",
    });
    await expect(getContact(ctx, "ada@example.com")).rejects.toMatchObject({ code: "NOT_FOUND" });
    // A greeting is no reason to turn somebody away.
    const member = await addSubscriber(ctx, greeting.id, person("ada@example.com"));
    expect(member.status).toBe("subscribed");
    expect(await mails(ctx)).toHaveLength(0);
  });
});

describe("welcome", () => {
  test("greets who joined and who confirmed, once, with one-click unsubscribe", async () => {
    const { ctx } = await makeProject(database.db);
    const direct = await makeList(ctx, { sendWelcomeEmail: true });
    const member = await addSubscriber(ctx, direct.id, person("ada@example.com"));
    const mail = await only(ctx);
    expect(mail.subject).toBe("Welcome to News");
    const token = /\/t\/u\/([\w-]+)/.exec(mail.headers["List-Unsubscribe"] ?? "")?.[1] ?? "";
    expect(readContactToken(token)).toEqual({
      contactId: decodeId("contact", member.contactId),
      listId: decodeId("list", direct.id),
    });
    expect(mail.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect(mail.text).toContain(`/preferences/${token}`);
    await unsubscribe(ctx, member.id);
    await subscribe(ctx, member.id);
    expect(await mails(ctx)).toHaveLength(1);

    const asking = await makeList(ctx, { sendWelcomeEmail: true, subscribeConfirmation: true });
    const waiting = await addSubscriber(ctx, asking.id, person("bob@example.com"));
    expect((await mails(ctx)).map(({ subject }) => subject)).toEqual([
      "Welcome to News",
      "Please confirm your subscription to News",
    ]);
    await subscribe(ctx, waiting.id);
    await subscribe(ctx, waiting.id);
    expect((await mails(ctx)).map(({ subject }) => subject).slice(2)).toEqual(["Welcome to News"]);
  });

  test("a list without the switches writes to nobody", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx);
    const member = await addSubscriber(ctx, list.id, person("ada@example.com"));
    await unsubscribe(ctx, member.id);
    expect(await mails(ctx)).toHaveLength(0);
  });
});

describe("unsubscribe notification", () => {
  test("goes to the list's contact, else to its sender, once an hour however often one leaves", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await makeList(ctx, {
      unsubscribeNotification: true,
      contact: { email: "keeper@example.com" },
    });
    const member = await addSubscriber(ctx, list.id, person("ada@example.com"));
    for (let times = 0; times < 3; times++) {
      await unsubscribe(ctx, member.id);
      await unsubscribe(ctx, member.id);
      await subscribe(ctx, member.id);
    }
    const mail = await only(ctx);
    expect(mail).toMatchObject({
      recipient: "keeper@example.com",
      subject: "ada@example.com has unsubscribed from News",
    });
    const tellingList = await makeList(ctx, { unsubscribeNotification: true });
    await unsubscribe(
      ctx,
      (await addSubscriber(ctx, tellingList.id, person("ada@example.com"))).id,
    );
    expect((await mails(ctx)).map(({ recipient }) => recipient)).toContain("news@sandbox.test");
    // The list's keeper is no subscriber for having been written to.
    expect((await getContact(ctx, "keeper@example.com")).subscribed).toBe(false);
  });
});

describe("events", () => {
  test("a joining and a leaving are told with the list's id, an unconfirmed one is not", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await createWebhook(ctx, { url: "https://example.com/hooks", events: ["*"] });
    const list = await makeList(ctx, { subscribeConfirmation: true });
    const told = async () =>
      (
        await database.db.execute<{ event: string; data: Record<string, unknown> }>(sql`
          select event, data from webhook_deliveries
          where project_id = ${projectId} and event like 'contact.%subscribed' order by id`)
      ).map(({ event, data }) => [event, data["email"], JSON.stringify(data).includes(list.id)]);
    const member = await addSubscriber(ctx, list.id, person("ada@example.com"));
    expect(await told()).toEqual([]);
    await subscribe(ctx, member.id);
    await unsubscribe(ctx, member.id);
    await unsubscribe(ctx, member.id);
    expect(await told()).toEqual([
      ["contact.subscribed", "ada@example.com", true],
      ["contact.unsubscribed", "ada@example.com", true],
    ]);
    await database.db.delete(webhooks).where(eq(webhooks.projectId, projectId));
  });

  test("mail of a list never lifts what somebody left for good", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContact(ctx, { email: "gone@example.com", unsubscribed: true });
    const list = await makeList(ctx, { subscribeConfirmation: true, sendWelcomeEmail: true });
    const member = await addSubscriber(ctx, list.id, person("gone@example.com"));
    await subscribe(ctx, member.id);
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect((await getContact(ctx, "gone@example.com")).subscribed).toBe(false);
    expect((await only(ctx)).subject).toBe("Please confirm your subscription to News");
    await updateContact(ctx, "gone@example.com", { subscribed: true });
    expect((await getContact(ctx, "gone@example.com")).subscribed).toBe(true);
  });
});
