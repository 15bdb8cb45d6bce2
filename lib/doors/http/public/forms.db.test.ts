import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import {
  consentChanges,
  consentTexts,
  contacts,
  emails,
  formSignUps,
  suppressions,
  topicDepartures,
} from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { listSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { getContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { updateForm } from "@/lib/domain/forms/forms";
import { getFormMarkup } from "@/lib/domain/forms/preview";
import { findSubscribers } from "@/lib/domain/lists/subscribers";
import { createTopic } from "@/lib/domain/topics/topics";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { signUpToken } from "@/lib/mail/tracking/tokens";
import { formVisitors, linkIn } from "@/lib/testing/forms";

import { htmlFaults } from "@/lib/testing/valid-html";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();
const { ask, post, confirm, setUp, travel } = formVisitors(app, database);
let addresses = 0;
/** Of this test alone: what one address gets is counted over all projects. */
let email = "";
beforeEach(() => {
  email = `ada.${++addresses}@example.com`;
});

describe("the page", () => {
  test.each(["en", "de", "fr", "es", "pl"])(
    "in %s is valid HTML that runs nothing",
    async (lang) => {
      const { path } = await setUp({
        questions: [
          { key: "firstName", label: "", required: false },
          { key: "data.city", label: "City", required: true },
        ],
        texts: { consent: "You can leave at any time.\nAs we say <here>." },
      });
      const answer = await ask(path, { headers: { "accept-language": lang } });
      const html = await answer.text();
      expect(answer.status).toBe(200);
      expect(await htmlFaults(html)).toEqual([]);
      expect(html).toContain(`<html lang="${lang}"`);
      expect(html).not.toContain("<script");
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("script-src");
      expect(answer.headers.get("set-cookie")).toBeNull();
    },
  );

  test("of a form with a language of its own is in that one, whatever the visitor asks for", async () => {
    const { path, fill, mails } = await setUp({ language: "pl", look: { theme: "dark" } });
    const answer = await ask(`${path}?lang=fr`, { headers: { "accept-language": "de" } });
    const html = await answer.text();
    expect(html).toContain('<html lang="pl"');
    expect(html).toContain('name="color-scheme" content="dark"');
    expect(html).not.toContain("prefers-color-scheme");
    expect(html).not.toContain("hreflang");
    expect(await htmlFaults(html)).toEqual([]);
    // A program's post is answered like a person's.
    for (const homepage of ["", "https://spam.example"]) {
      const sent = await fill({ email, homepage, lang: "fr" });
      expect(sent.headers.get("location")).toBe(`${path}/sent`);
    }
    expect(await (await ask(`${path}/sent`)).text()).toContain('<html lang="pl"');
    const [mail] = await mails();
    expect(mail?.subject).toContain("Potwierdź");
  });

  test("is counted when it is seen, and not by HEAD or by fetching ahead", async () => {
    const { path, figures } = await setUp();
    await ask(path);
    await ask(`${path}/seen.gif`);
    await ask(path, { headers: { "sec-purpose": "prefetch" } });
    for (const at of [path, `${path}/seen.gif`]) {
      await app.fetch(new Request(`http://localhost${at}`, { method: "HEAD" }));
    }
    expect((await figures()).seen).toBe(2);
  });

  test("of no form is 404, of a closed one 410, and neither takes anybody", async () => {
    const { ctx, form, path, fill, mails } = await setUp();
    expect((await ask("/f/frm_00000000000000000000000000")).status).toBe(404);
    expect((await ask("/f/nonsense")).status).toBe(404);
    await updateForm(ctx, form.id, { open: false });
    expect((await ask(path)).status).toBe(410);
    expect((await fill({ email })).status).toBe(410);
    expect(await mails()).toEqual([]);
  });
});

describe("signing up", () => {
  test("asks by mail in the person's language, and is done by the button alone", async () => {
    const { ctx, form, list, path, fill, mails, figures } = await setUp({
      list: true,
      questions: [{ key: "firstName", label: "", required: true }],
    });
    const answer = await fill({ email, firstName: "Ada", lang: "de" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${path}/sent?lang=de`);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.to).toBe(email);
    expect(mail?.subject).toContain("Weekly");
    expect(mail?.subject).not.toContain("Please confirm");
    expect(mail?.text).not.toMatch(/\bAda\b/);
    const link = linkIn(mail?.text ?? "");
    const { pathname } = new URL(link);
    for (let times = 0; times < 3; times++) {
      const page = await ask(pathname);
      expect(page.headers.get("referrer-policy")).toBe("no-referrer");
      expect(await htmlFaults(await page.text())).toEqual([]);
    }
    expect(await findSubscribers(ctx, email)).toEqual([]);
    expect((await confirm(link)).status).toBe(303);
    await confirm(link);
    expect(await findSubscribers(ctx, email)).toMatchObject([
      { listId: list?.id, status: "subscribed", source: "form", firstName: "Ada" },
    ]);
    const contact = await getContact(ctx, email);
    expect(contact).toMatchObject({ subscribed: true, data: { language: "de" } });
    expect(await figures()).toMatchObject({ sent: 1, confirmed: 1 });
    const { data: history } = await listSubscriptionChanges(ctx, contact.id, { limit: 10 });
    const own = { ipAddress: expect.stringContaining("2001:db8") as string };
    expect(history.filter((change) => change.list !== null).reverse()).toMatchObject([
      {
        ...{ before: null, after: "unconfirmed", userAgent: "Browser/1", ...own },
        ...{ by: { type: "link" }, form: { id: form.id, name: "Footer" } },
        text: expect.stringContaining("Weekly abonnieren") as string,
      },
      {
        ...{ before: "unconfirmed", after: "subscribed", ...own },
        ...{ by: { type: "confirmation" }, form: { id: form.id } },
      },
    ]);
  });

  test("50 times at once confirms once, and greets once", async () => {
    const { ctx, fill, mails, figures } = await setUp({ list: true });
    await Promise.all(Array.from({ length: 10 }, () => fill({ email })));
    const sent = await mails();
    expect(sent).toHaveLength(1);
    const link = linkIn(sent[0]?.text ?? "");
    await Promise.all(Array.from({ length: 50 }, () => confirm(link)));
    expect(await figures()).toMatchObject({ sent: 1, confirmed: 1 });
    const contact = await getContact(ctx, email);
    const { data } = await listSubscriptionChanges(ctx, contact.id, { limit: 50 });
    expect(data.filter(({ list }) => list !== null)).toHaveLength(2);
  });

  test("lifts the person's own unsubscription, in writing, and overwrites nothing that is known", async () => {
    const { ctx, fill, mails } = await setUp({
      questions: [{ key: "firstName", label: "", required: false }],
    });
    await upsertContact(ctx, { email, firstName: "Ada", unsubscribed: true });
    await fill({ email: email.toUpperCase(), firstName: "Mallory" });
    expect(await getContact(ctx, email)).toMatchObject({ subscribed: false, firstName: "Ada" });
    const [mail] = await mails();
    await confirm(linkIn(mail?.text ?? ""));
    const contact = await getContact(ctx, email);
    expect(contact).toMatchObject({ subscribed: true, firstName: "Ada" });
    const { data } = await listSubscriptionChanges(ctx, contact.id, { limit: 2 });
    expect(data.map(({ before, after }) => [before, after])).toEqual([
      ["unconfirmed", "subscribed"],
      ["unsubscribed", "unconfirmed"],
    ]);
  });

  test.each(["complaint", "hard_bounce", "manual"] as const)(
    "does not lift a suppression (%s): no mail leaves, and the answer is the same",
    async (reason) => {
      const { ctx, projectId, path, fill, uuid } = await setUp();
      await database.db
        .insert(suppressions)
        .values({ id: newId(projectId), projectId, email, reason });
      const answer = await fill({ email });
      expect(answer.headers.get("location")).toBe(`${path}/sent`);
      const [row] = await database.db
        .select({ id: formSignUps.id })
        .from(formSignUps)
        .where(eq(formSignUps.formId, uuid));
      // Even somebody who holds the link cannot lift it.
      const page = await post(`/f/confirm/${signUpToken(row?.id ?? "")}`, {});
      expect(page.status).toBe(200);
      expect((await getContact(ctx, email)).subscribed).toBe(false);
    },
  );

  test("without double opt-in subscribes at once, but nobody who has left or was deleted", async () => {
    const { ctx, fill, mails, figures } = await setUp({ list: true, doubleOptIn: false });
    await upsertContact(ctx, { email: "left@example.com", unsubscribed: true });
    await upsertContact(ctx, { email: "gone@example.com" });
    await deleteContact(ctx, "gone@example.com");
    for (const address of [email, "left@example.com", "gone@example.com"]) {
      expect((await fill({ email: address })).status).toBe(303);
    }
    expect((await getContact(ctx, email)).subscribed).toBe(true);
    expect((await getContact(ctx, "left@example.com")).subscribed).toBe(false);
    expect((await mails()).map(({ to }) => to).sort()).toEqual([
      "gone@example.com",
      "left@example.com",
    ]);
    expect(await figures()).toMatchObject({ sent: 3, confirmed: 1 });
  });

  test("without double opt-in brings nobody back to a topic they have left, until they confirm", async () => {
    const { ctx, form, fill, mails, projectId } = await setUp({ doubleOptIn: false });
    const { id: topic } = await createTopic(ctx, { name: "News" });
    await updateForm(ctx, form.id, { topicIds: [topic] });
    const { contact } = await upsertContact(ctx, { email });
    const [topicId = "", contactId = ""] = [
      decodeId("topic", topic) ?? "",
      decodeId("contact", contact.id) ?? "",
    ];
    await database.db.insert(topicDepartures).values({ topicId, contactId, projectId });
    const left = () => database.db.$count(topicDepartures, eq(topicDepartures.topicId, topicId));
    await fill({ email });
    expect(await left()).toBe(1);
    await confirm(linkIn((await mails())[0]?.text ?? ""));
    expect(await left()).toBe(0);
  });

  test("takes the form's topics: somebody new gets these alone", async () => {
    const { ctx, form, fill, mails, projectId } = await setUp();
    const news = await createTopic(ctx, { name: "News" });
    await createTopic(ctx, { name: "Offers" });
    await updateForm(ctx, form.id, { topicIds: [news.id] });
    await fill({ email });
    await confirm(linkIn((await mails())[0]?.text ?? ""));
    const left = await database.db.execute<{ name: string }>(sql`
      select t.name from topic_departures d join topics t on t.id = d.topic_id
      where d.project_id = ${projectId}`);
    expect(left.map(({ name }) => name)).toEqual(["Offers"]);
  });

  test("leads to the form's own address, and to no other", async () => {
    const { ctx, form, fill, path } = await setUp({ thanksUrl: "https://shop.example/thanks" });
    const answer = await fill({ email, thanksUrl: "https://evil.example", next: "//evil.example" });
    expect(answer.headers.get("location")).toBe("https://shop.example/thanks");
    const page = await ask(path);
    expect(page.headers.get("content-security-policy")).toContain(
      "form-action 'self' https://shop.example",
    );
    await updateForm(ctx, form.id, { thanksUrl: null });
    const own = await fill({ email: "b@example.com", thanksUrl: "https://evil.example" });
    expect(own.headers.get("location")).toBe(`${path}/sent`);
  });

  test("leaves no trace of a person who is erased", async () => {
    const { ctx, fill, mails, uuid } = await setUp();
    await fill({ email });
    const link = linkIn((await mails())[0]?.text ?? "");
    await confirm(link);
    await deleteContact(ctx, email);
    expect(await database.db.$count(formSignUps, eq(formSignUps.formId, uuid))).toBe(0);
    const gone = await confirm(link);
    expect(gone.status).toBe(404);
    // It came from us, and no part of it is missing.
    expect(await gone.text()).toContain("Confirmation links work for 30 days");
  });

  test("an edited link, and one after 30 days, subscribes nobody", async () => {
    const { ctx, fill, mails } = await setUp();
    await fill({ email });
    const link = linkIn((await mails())[0]?.text ?? "");
    const edited = link.slice(0, -1) + (link.endsWith("A") ? "B" : "A");
    expect((await confirm(edited)).status).toBe(404);
    await travel(31 * 86_400);
    const { pathname } = new URL(link);
    await confirm(link);
    expect(await (await ask(pathname)).text()).toContain("This link has expired");
    expect((await getContact(ctx, email)).subscribed).toBe(false);
  });
});

describe("what is wrong is shown with what was written", () => {
  const questions = [
    { key: "firstName", label: "", required: true },
    { key: "data.city", label: "City", required: false },
  ];
  test.each([
    [{ email: "", firstName: "Ada" }, "Please fill this in."],
    [{ email: "ada", firstName: "Ada" }, "This is not an email address."],
    [{ email: "a@b.example,c@d.example", firstName: "Ada" }, "This is not an email address."],
    [{ email: "ada@example.com", firstName: " " }, "Please fill this in."],
    [{ email: "ada@example.com", firstName: "A".repeat(201) }, "This is too long."],
    [
      { email: "ada@example.com", firstName: "Ada", "data.city": "x".repeat(501) },
      "This is too long.",
    ],
  ])("%j", async (fields, words) => {
    const { fill, mails } = await setUp({ questions });
    const answer = await fill(fields);
    const html = await answer.text();
    expect(answer.status).toBe(422);
    expect(html).toContain(words);
    expect(html).toContain('aria-invalid="true"');
    expect(await htmlFaults(html)).toEqual([]);
    expect(await mails()).toEqual([]);
  });

  test("line breaks, NUL and Liquid in what is posted stay text", async () => {
    const { ctx, fill, mails } = await setUp({ questions });
    const firstName = "Ada\r\nBcc: all@example.com\0 {{ email }}";
    expect((await fill({ email, firstName, "data.city": "{% raw %}<b>" })).status).toBe(303);
    const [mail] = await mails();
    expect(mail?.raw).not.toMatch(/^bcc:/im);
    await confirm(linkIn(mail?.text ?? ""));
    expect(await getContact(ctx, email)).toMatchObject({
      firstName: "Ada Bcc: all@example.com {{ email }}",
      data: { city: "{% raw %}<b>" },
    });
  });
});

test("a snippet's post needs one more press on our page, then it is taken", async () => {
  const { ctx, form, path, mails, stampOf } = await setUp();
  const { html } = await getFormMarkup(ctx, form.id, { language: "pl" });
  expect(html).not.toContain("stamp");
  const first = await post(path, { email, lang: "pl" });
  expect(await first.text()).toContain('<html lang="pl"');
  expect((await post(path, { email, lang: "pl", stamp: stampOf(5) })).status).toBe(303);
  expect(await mails()).toHaveLength(1);
});

test("nothing but GET, HEAD and POST", async () => {
  const { path } = await setUp();
  for (const method of ["PUT", "DELETE", "PATCH"]) {
    const answer = await app.fetch(new Request(`http://localhost${path}`, { method }));
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  }
});

test("what a person read is kept word for word", async () => {
  const { fill, mails, projectId } = await setUp({
    texts: { title: "Our letter", consent: "You can leave at any time.", button: "Yes, please" },
  });
  await fill({ email });
  await confirm(linkIn((await mails())[0]?.text ?? ""));
  const [row] = await database.db
    .select({ text: consentTexts.text })
    .from(consentChanges)
    .innerJoin(consentTexts, eq(consentTexts.hash, consentChanges.textHash))
    .where(and(eq(consentChanges.projectId, projectId), eq(consentChanges.origin, "link")));
  expect(row?.text).toBe("Our letter\nAcme\nYou can leave at any time.\nYes, please");
  expect(await database.db.$count(contacts, eq(contacts.projectId, projectId))).toBe(1);
  expect(await database.db.$count(emails, eq(emails.projectId, projectId))).toBe(1);
});
