import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { contacts, emails, messages, projects, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { getEmailContent } from "@/lib/domain/emails/content";
import { newId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { makeProject, type TestProject } from "@/lib/testing";
import { testTemplate } from "./test-mail";
import { templateTest } from "./test-schema";

const database = useTestDatabase();
let project: TestProject;

beforeEach(async () => {
  project = await makeProject(database.db);
});

const written = {
  to: "grace@example.com",
  from: "Acme <news@sandbox.test>",
  subject: "Hi {{ firstName }}",
  body: "<p>{{ firstName }} likes {{ data.plan }}{{ vip }}</p>",
};
const tryOut = (input: object = {}, by = project.ctx) =>
  Promise.resolve().then(() => testTemplate(by, validate(templateTest, { ...written, ...input })));
const shown = async (id = "") => (await getEmailContent(project.ctx, id)).message;

test("goes to anybody as the chosen contact would get it, and makes nobody a contact", async () => {
  const { ctx } = project;
  const ada = await upsertContact(ctx, {
    email: "ada@example.com",
    firstName: "Ada <3",
    data: { plan: "pro" },
  });
  // Their own data is not what the test shows.
  await upsertContact(ctx, { email: "bob@example.com", firstName: "Bob", data: { vip: "!" } });
  const to = ["grace@example.com", "BOB@example.com", "bob@example.com"];
  const sent = await tryOut({ to, contactId: ada.contact.id });
  expect(sent.emails.map((email) => email.to)).toEqual([to[0], to[2]]);
  for (const { id } of sent.emails) {
    expect(await shown(id)).toMatchObject({
      subject: "[Test] Hi Ada <3",
      html: expect.stringContaining("<p>Ada &lt;3 likes pro</p>") as string,
    });
  }
  const rows = await database.db
    .select({ recipient: emails.recipient, contactId: emails.contactId, status: emails.status })
    .from(emails)
    .where(eq(emails.projectId, ctx.projectId))
    .orderBy(emails.recipient);
  expect(rows).toEqual([
    { recipient: "bob@example.com", contactId: expect.any(String) as string, status: "PENDING" },
    { recipient: "grace@example.com", contactId: null, status: "PENDING" },
  ]);
  expect(await database.db.$count(contacts, eq(contacts.projectId, ctx.projectId))).toBe(2);
});

test("is filled in with sample data where no contact is chosen, from a design, too", async () => {
  const design = {
    type: "doc",
    attrs: { theme: {} },
    content: [{ type: "paragraph", content: [{ type: "text", text: "Dear {{ firstName }}" }] }],
  };
  const { emails: sent } = await tryOut({ body: undefined, design, data: { firstName: "Ada" } });
  expect((await shown(sent[0]?.id))?.html).toContain("Dear Ada");
  const { emails: bare } = await tryOut();
  expect((await shown(bare[0]?.id))?.html).toContain("<p> likes </p>");
});

test("whoever is suppressed gets no test either", async () => {
  await database.db.insert(suppressions).values({
    id: newId(project.projectId),
    projectId: project.projectId,
    email: "Grace@Example.com",
    reason: "complaint",
  });
  await tryOut();
  const [row] = await database.db
    .select({ status: emails.status })
    .from(emails)
    .where(eq(emails.projectId, project.projectId));
  expect(row?.status).toBe("FAILED");
});

test("says at which field what is wrong, and sends nothing", async () => {
  const other = await makeProject(database.db);
  const stranger = await upsertContact(other.ctx, { email: "eve@example.com" });
  const refusal = (input: object) =>
    tryOut(input).catch(({ code, details }: { code: string; details: { path: string }[] }) => ({
      code,
      path: details[0]?.path,
    }));
  const six = Array.from({ length: 6 }, (_, at) => `p${at}@example.com`);
  for (const [input, code, path] of [
    [{ to: "nobody" }, "VALIDATION_ERROR", "to"],
    [{ to: six }, "VALIDATION_ERROR", "to"],
    [{ from: "me" }, "VALIDATION_ERROR", "from"],
    [{ from: "a@unknown.example" }, "DOMAIN_NOT_VERIFIED", "from"],
    [{ contactId: stranger.contact.id }, "NOT_FOUND", "contactId"],
    [{ subject: " " }, "VALIDATION_ERROR", "subject"],
    [{ body: undefined }, "VALIDATION_ERROR", "body"],
    [{ body: "{{ a | nosuch }}" }, "VALIDATION_ERROR", "body"],
  ] as const) {
    expect(await refusal(input)).toEqual({ code, path });
  }
  expect(await database.db.$count(messages, eq(messages.projectId, project.projectId))).toBe(0);
});

test("needs an editor, and mail left of the month", async () => {
  for (const by of [
    { ...project.ctx, role: "viewer" as const },
    { ...project.ctx, sendingOnly: true },
  ]) {
    await expect(tryOut({}, by)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  }
  await database.db
    .update(projects)
    .set({ monthlyEmailLimit: 0 })
    .where(eq(projects.id, project.projectId));
  await expect(tryOut()).rejects.toMatchObject({ code: "PAYMENT_REQUIRED" });
});
