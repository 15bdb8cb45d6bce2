import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { teamLetters, templates } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createForm, getForm, updateForm } from "@/lib/domain/forms/forms";
import { describeDraft } from "@/lib/domain/forms/preview";
import { previewMail } from "@/lib/domain/forms/mail";
import { findPublicForm } from "@/lib/domain/forms/public-form";
import { takeSignUp } from "@/lib/domain/forms/sign-up";
import { subscribe } from "@/lib/domain/lists/change-subscribers";
import { updateList } from "@/lib/domain/lists/lists";
import { getMailingList } from "@/lib/domain/lists/overview";
import { deleteTemplate } from "@/lib/domain/templates/delete";
import { createTemplate, updateTemplate } from "@/lib/domain/templates/templates";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { join, makeList } from "@/lib/testing/opt-outs";
import { renderDesign } from "@/lib/mail/design/render";
import { startersIn } from "@/components/mail-editor/starters";

const database = useTestDatabase();

const link = '<a href="{{ confirmUrl }}">Yes, {{ email }}</a>';
const makeTemplate = (ctx: Context, body = `<p>{{ listName }}</p>${link}`) =>
  createTemplate(ctx, { name: "Ours", subject: "Join {{ listName }}?", body });

interface Mail extends Record<string, unknown> {
  id: string;
  from_email: string;
  reply_to: string | null;
  subject: string;
  html: string;
  text: string;
  liquid: boolean;
  headers: Record<string, string>;
  template_id: string | null;
}
const mails = async ({ projectId }: Context) =>
  database.db.execute<Mail>(sql`
    select e.id, m.from_email, m.reply_to, m.subject, m.html, m.text, m.liquid, m.headers, m.template_id
    from emails e join messages m on m.id = e.message_id
    where e.project_id = ${projectId} order by e.created_at, e.id`);
async function last(ctx: Context): Promise<Mail> {
  const mail = (await mails(ctx)).at(-1);
  if (!mail) throw new Error("There is no mail.");
  return mail;
}
const letters = ({ projectId }: Context) =>
  database.db.select().from(teamLetters).where(eq(teamLetters.projectId, projectId));
const pathOf = (path: string) => ({ details: [{ path }] });

async function signUp(ctx: Context, formId: string, email: string): Promise<void> {
  const form = await findPublicForm(database.db, formId);
  if (!form) throw new Error("There is no form.");
  await takeSignUp(database.db, form, {
    entry: { email, firstName: "Buy now", lastName: "", data: {}, fields: {} },
    ...{ language: "de", mustConfirm: false },
    evidence: { text: "Yes", ipAddress: "192.0.2.1", userAgent: "Test" },
  });
}

describe("a list's own mails", () => {
  test("go out with the list's sender, headers and links, filled in for each person", async () => {
    const { ctx } = await makeProject(database.db);
    const confirmation = await makeTemplate(ctx);
    const welcome = await createTemplate(ctx, {
      name: "Hello",
      subject: "Hello",
      body: '<p>{{ listName }} of {{ projectName }}: {{ mailReason }}</p><a href="{{ unsubscribeUrl }}">u</a><a href="{{ viewUrl }}">v</a>',
    });
    const list = await makeList(ctx, {
      ...{ name: "<{{ email }}>", fromEmail: "ada@elsewhere.example", sendWelcomeEmail: true },
      ...{ subscribeConfirmation: true, remindMessage: "You asked." },
    });
    const plain = await join(ctx, list.id, "first@example.com");
    const builtIn = await last(ctx);
    await updateList(ctx, list.id, {
      ...{ confirmationTemplateId: confirmation.id, welcomeTemplateId: welcome.id },
    });
    expect(await getMailingList(ctx, list.id)).toMatchObject({
      ...{ confirmationTemplateId: confirmation.id, welcomeTemplateId: welcome.id },
    });
    const member = await join(ctx, list.id, "ada@example.com");
    const own = await last(ctx);
    const { from_email, reply_to, headers } = builtIn;
    expect(own).toMatchObject({ from_email, reply_to, headers, liquid: false });
    expect(own.template_id).toBe(decodeId("template", confirmation.id));
    expect(own.subject).toBe("Join <{{ email }}>?");
    expect(own.html).toContain("&lt;{{ email }}&gt;");
    expect(own.html).toMatch(/<a href="http[^"]+\/confirm\/[\w-]+">Yes, ada@example.com<\/a>/);
    expect(own.text).toMatch(/\/confirm\/[\w-]+/);

    await subscribe(ctx, member.id);
    const hello = await last(ctx);
    expect(hello.html).toContain("You asked.");
    expect(hello.html).toMatch(/href="http[^"]+\/preferences\/[\w-]+\?unsubscribe"/);
    expect(hello.html).toMatch(/href="http[^"]+\/view\/[\w-]+"/);
    expect(hello.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect(await letters(ctx)).toEqual([]);
    await updateList(ctx, list.id, { welcomeTemplateId: null });
    await subscribe(ctx, plain.id);
    expect((await last(ctx)).template_id).toBeNull();
  });

  test.each([
    ["has no link", "<p>Welcome</p>"],
    ["only says its address", "<p>{{ confirmUrl }}</p>"],
    ["hides it in a comment", `<p>Hello</p><!-- ${link} -->`],
    ["links for people with a name only", `<p>Hi</p>{% if firstName != '' %}${link}{% endif %}`],
    ["is endless", "{% for a in (1..90000) %}{% for b in (1..90000) %}x{% endfor %}{% endfor %}"],
  ])("a template that %s is refused, there and when it is saved later", async (_, body) => {
    const { ctx } = await makeProject(database.db);
    const bad = await makeTemplate(ctx, body);
    const list = await makeList(ctx);
    const field = pathOf("confirmationTemplateId");
    await expect(
      updateList(ctx, list.id, { confirmationTemplateId: bad.id }),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR", ...field });
    await expect(
      createForm(ctx, { name: "Form", confirmationTemplateId: bad.id }),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR", ...field });
    // A welcome needs no link.
    if (body.startsWith("<p>Welcome"))
      await updateList(ctx, list.id, { welcomeTemplateId: bad.id });
    const good = await makeTemplate(ctx);
    await updateList(ctx, list.id, { confirmationTemplateId: good.id });
    await expect(updateTemplate(ctx, good.id, { body })).rejects.toMatchObject({
      ...{ code: "VALIDATION_ERROR", ...pathOf("body") },
      message: expect.stringContaining('the list "News" asks people to confirm') as string,
    });
    await updateTemplate(ctx, good.id, { body: `<h1>Hi</h1>${link}`, name: "Better" });
  });

  test("other projects' templates, unknown ones and viewers are refused, and nothing changes", async () => {
    const { ctx } = await makeProject(database.db);
    const other = await makeProject(database.db);
    const foreign = await makeTemplate(other.ctx);
    const list = await makeList(ctx);
    for (const field of ["confirmationTemplateId", "welcomeTemplateId"] as const) {
      for (const id of [foreign.id, list.id, "nonsense"]) {
        await expect(updateList(ctx, list.id, { [field]: id })).rejects.toMatchObject({
          ...{ code: "NOT_FOUND", ...pathOf(field) },
        });
      }
    }
    await expect(
      createForm(ctx, { name: "Form", confirmationTemplateId: foreign.id }),
    ).rejects.toMatchObject({ code: "NOT_FOUND", ...pathOf("confirmationTemplateId") });
    await expect(makeList(ctx, { welcomeTemplateId: foreign.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const draft = { name: "Form", confirmationTemplateId: foreign.id };
    const shown = await previewMail(database.db, await describeDraft(ctx, draft), null);
    expect(shown).not.toContain("Yes, ada@example.com");
    const own = await makeTemplate(ctx);
    const viewer = { ...ctx, role: "viewer" as const };
    await expect(
      updateList(viewer, list.id, { confirmationTemplateId: own.id }),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect((await getMailingList(ctx, list.id)).updatedAt).toBe(list.updatedAt);
  });

  test("of two who choose from the same version, one is told", async () => {
    const { ctx } = await makeProject(database.db);
    const [one, two] = [await makeTemplate(ctx), await makeTemplate(ctx)];
    const list = await makeList(ctx);
    const results = await Promise.allSettled(
      [one, two].map(({ id }) =>
        updateList(ctx, list.id, { basedOn: list.updatedAt, confirmationTemplateId: id }),
      ),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "CONFLICT" },
    });
  });

  test("a template in use is not deleted, and whoever is first of deleting and choosing wins", async () => {
    const { ctx } = await makeProject(database.db);
    const used = await makeTemplate(ctx);
    const list = await makeList(ctx, { welcomeTemplateId: used.id });
    await expect(deleteTemplate(ctx, used.id)).rejects.toMatchObject({
      ...{ code: "CONFLICT", message: expect.stringContaining('list "News"') as string },
    });
    await updateList(ctx, list.id, { welcomeTemplateId: null });
    const form = await createForm(ctx, { name: "Footer", confirmationTemplateId: used.id });
    await expect(deleteTemplate(ctx, used.id)).rejects.toMatchObject({
      ...{ code: "CONFLICT", message: expect.stringContaining('form "Footer"') as string },
    });
    await updateForm(ctx, form.id, { confirmationTemplateId: null });
    const [deleted, chosen] = await Promise.allSettled([
      deleteTemplate(ctx, used.id),
      updateList(ctx, list.id, { confirmationTemplateId: used.id }),
    ]);
    expect([deleted.status, chosen.status].toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  test("what can no longer be used is replaced by ours, and the team told once", async () => {
    const { ctx } = await makeProject(database.db);
    const template = await makeTemplate(ctx);
    const list = await makeList(ctx, {
      ...{ subscribeConfirmation: true, confirmationTemplateId: template.id },
    });
    const spoil = (body: string) =>
      database.db
        .update(templates)
        .set({ body, version: sql`${templates.version} + 1` })
        .where(eq(templates.id, decodeId("template", template.id) ?? ""));
    await spoil("<p>No link</p>");
    await join(ctx, list.id, "a@example.com");
    expect(await last(ctx)).toMatchObject({
      ...{ template_id: null, subject: "Please confirm your subscription to News" },
      html: expect.stringContaining("/confirm/") as string,
    });
    await Promise.all(["b", "c", "d"].map((name) => join(ctx, list.id, `${name}@example.com`)));
    expect(await letters(ctx)).toMatchObject([
      {
        kind: "mailReplaced",
        data: {
          ...{ subject: "list", subjectId: decodeId("list", list.id), mail: "confirmation" },
          ...{ name: "News", reason: "The template “Ours” has no link to {{ confirmUrl }}." },
        },
      },
    ]);
    await spoil("{% nonsense %}");
    await join(ctx, list.id, "e@example.com");
    expect((await last(ctx)).html).toContain("/confirm/");
    await database.db.delete(templates);
    await Promise.all(["f", "g"].map((name) => join(ctx, list.id, `${name}@example.com`)));
    expect((await last(ctx)).html).toContain("/confirm/");
    expect(await mails(ctx)).toHaveLength(7);
    expect((await letters(ctx)).map(({ data }) => data.reason)).toEqual([
      "The template “Ours” has no link to {{ confirmUrl }}.",
      expect.stringContaining("nonsense"),
      "The template no longer exists.",
    ]);
    await updateList(ctx, list.id, { name: "Still changed" });
    expect((await getMailingList(ctx, list.id)).name).toBe("Still changed");
  });
});

describe("a form's own mail", () => {
  test("is the form's, else what the form says itself, else the list's, and shows only the address", async () => {
    const { ctx } = await makeProject(database.db);
    const ofList = await makeTemplate(ctx, `<p>Of the list {{ firstName }}</p>${link}`);
    const ofForm = await makeTemplate(ctx, `<p>Of the form {{ firstName }}</p>${link}`);
    const list = await makeList(ctx, { confirmationTemplateId: ofList.id });
    const form = await createForm(ctx, { name: "Footer", listId: list.id });
    await signUp(ctx, form.id, "a@example.com");
    const first = await last(ctx);
    expect(first.html).toContain("Of the list");
    expect(first.html).not.toContain("Buy now");
    expect(first.html).toMatch(/href="http[^"]+\/f\/confirm\/[\w-]+"/);
    await updateForm(ctx, form.id, { texts: { mailText: "In our words" } });
    await signUp(ctx, form.id, "b@example.com");
    expect((await last(ctx)).html).toContain("In our words");
    const changed = await updateForm(ctx, form.id, { confirmationTemplateId: ofForm.id });
    expect(changed.confirmationTemplateId).toBe(ofForm.id);
    expect(await getForm(ctx, form.id)).toEqual(changed);
    await signUp(ctx, form.id, "c@example.com");
    expect((await last(ctx)).html).toContain("Of the form");
    const shown = await findPublicForm(database.db, form.id);
    expect(shown && (await previewMail(database.db, shown, "de"))).toContain("Of the form");
    await database.db.delete(templates);
    await signUp(ctx, form.id, "d@example.com");
    const replaced = await last(ctx);
    expect(replaced.html).toContain("In our words");
    expect(replaced.html).toContain('lang="de"');
    expect(replaced.html).toContain("/f/confirm/");
    expect(await letters(ctx)).toMatchObject([{ data: { subject: "form", name: "Footer" } }]);
  });

  test("can begin with the gallery's design", async () => {
    const { ctx } = await makeProject(database.db);
    const starter = startersIn("en").find(({ id }) => id === "confirm-subscription");
    if (!starter) throw new Error("There is no such design.");
    const template = await createTemplate(ctx, {
      ...{ name: starter.name, subject: starter.subject, body: renderDesign(starter.design) },
    });
    const form = await createForm(ctx, { name: "Footer", confirmationTemplateId: template.id });
    await signUp(ctx, form.id, "a@example.com");
    const own = await last(ctx);
    expect(own.template_id).toBe(decodeId("template", template.id));
    expect(own.html).not.toContain("{{");
  });
});
