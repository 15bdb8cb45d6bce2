import { desc, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { messages, templates } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createTemplate } from "@/lib/domain/templates/templates";
import { makeProject } from "@/lib/testing";
import { useSendingProject, mail } from "@/lib/testing/bearer";

const database = useTestDatabase();
const sending = useSendingProject(database);
const { ask, send, count, expectRefused } = sending;

async function newest() {
  const [row] = await database.db
    .select()
    .from(messages)
    .where(eq(messages.projectId, sending.project.projectId))
    .orderBy(desc(messages.id))
    .limit(1);
  if (!row) throw new Error("Nothing was sent.");
  return row;
}

describe("recipients", () => {
  test.each([
    ["an address", "bob@example.com", ["bob@example.com"]],
    ["a name and an address", "Bob <bob@example.com>", ["bob@example.com"]],
    ["an object", { email: "bob@example.com", name: "Bob" }, ["bob@example.com"]],
    [
      "all of these in an array",
      ["a@example.com", "B <b@example.com>", { email: "c@example.com" }],
      ["a@example.com", "b@example.com", "c@example.com"],
    ],
    ["the same one in another case, once", ["d@example.com", "D@example.com"], ["d@example.com"]],
    ["a domain beyond ASCII, as its A-label", "x@bücher.example", ["x@xn--bcher-kva.example"]],
  ])("to takes %s", async (_, to, expected) => {
    const { status, body } = await send({ to });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, data: { timestamp: expect.any(String) } });
    const answered = body.data.emails as {
      contact: { id: string; email: string };
      email: string;
    }[];
    expect(answered.map(({ contact }) => contact.email)).toEqual(expected);
    for (const answer of answered) {
      expect(answer.contact.id).toMatch(/^con_[0-9a-z]{26}$/);
      const { body: record } = await ask("GET", `/v1/emails/${answer.email}`);
      expect(record.email).toMatchObject({ id: answer.email, contact: answer.contact });
    }
  });

  test("100 different recipients are taken, however often they are named; 101 are not", async () => {
    const to = Array.from({ length: 100 }, (_, nth) => `p${nth}@example.com`);
    expect((await send({ to: [...to, "P0@example.com"] })).body.data.emails).toHaveLength(100);
    await expectRefused({ to: [...to, "p100@example.com"] }, "to");
  });

  test.each([
    ["none", []],
    ["no address", "nobody"],
    ["an address list in one string", "a@example.com, b@example.com"],
    ["a group", "Team: a@example.com;"],
    ["an address literal", "a@[127.0.0.1]"],
    ["a number", 7],
  ])("to refuses %s", (_, to) => expectRefused({ to }, "to"));

  test("a wrong one among many is named by its place", () =>
    expectRefused({ to: ["a@example.com", { email: "b" }] }, "to[1].email"));

  test.each(["cc", "bcc"])("%s is refused by name: nothing is dropped silently", (field) =>
    expectRefused({ [field]: "x@example.com" }, field),
  );
});

describe("sender", () => {
  test.each([
    ["an address", { from: "s@sandbox.test" }, "s@sandbox.test", ""],
    ["a name and an address", { from: "Shop <s@sandbox.test>" }, "s@sandbox.test", "Shop"],
    ["an object", { from: { email: "s@sandbox.test", name: "Shop" } }, "s@sandbox.test", "Shop"],
    ["fromName", { from: "s@sandbox.test", fromName: "Shop" }, "s@sandbox.test", "Shop"],
  ])("from takes %s", async (_, fields, email, name) => {
    const { body } = await send(fields);
    const { body: record } = await ask("GET", `/v1/emails/${body.data.emails[0].email}`);
    expect(record.email).toMatchObject({ from: email, fromName: name });
  });

  test("fromName and another name in from contradict each other", () =>
    expectRefused({ from: "A <s@sandbox.test>", fromName: "B" }, "fromName"));

  test.each(["shop@sub.sandbox.test", "shop@elsewhere.example"])(
    "%s is of a domain that is not verified: 403, and nothing is written",
    async (from) => {
      const before = await count();
      const { status, body } = await send({ from });
      expect({ status, code: body.error.code }).toEqual({
        status: 403,
        code: "DOMAIN_NOT_VERIFIED",
      });
      expect(await count()).toBe(before);
    },
  );
});

describe("aliases", () => {
  test.each(["body", "html", "htmlBody"])("%s is the HTML", async (field) => {
    expect((await send({ body: undefined, [field]: `<b>${field}</b>` })).status).toBe(200);
    expect((await newest()).html).toBe(`<b>${field}</b>`);
  });

  test.each(["reply", "replyTo"])("%s is Reply-To", async (field) => {
    expect((await send({ [field]: "help@example.com" })).status).toBe(200);
    expect((await newest()).replyTo).toBe("help@example.com");
  });

  test.each(["data", "templateData"])(
    "%s are the variables, kept off the contact",
    async (field) => {
      const { status, body } = await send({ subject: "Hi {{ who }}", [field]: { who: "Ada" } });
      expect(status).toBe(200);
      const { body: record } = await ask("GET", `/v1/emails/${body.data.emails[0].email}`);
      expect(record.email.subject).toBe("Hi Ada");
      const { body: contact } = await ask("GET", `/v1/contacts/${body.data.emails[0].contact.id}`);
      expect(contact.data).toEqual({});
    },
  );

  test.each(["template", "templateId"])(
    "%s goes out instead of subject and body",
    async (field) => {
      const template = await createTemplate(sending.project.ctx, {
        name: "T",
        subject: "From T",
        body: "<i>T</i>",
      });
      const { status, body } = await send({ [field]: template.id });
      expect(status).toBe(200);
      expect(await newest()).toMatchObject({ subject: "From T", html: "<i>T</i>", text: null });
      const { body: record } = await ask("GET", `/v1/emails/${body.data.emails[0].email}`);
      expect(record.email.template).toEqual({ id: template.id, subject: "From T" });
      const bare = { to: "a@example.com", from: "s@sandbox.test", [field]: template.id };
      expect((await ask("POST", "/v1/send", bare)).status).toBe(200);
      const old = template.id.replace("tpl_", "tmpl_");
      expect((await ask("POST", "/v1/send", { ...bare, [field]: old })).status).toBe(200);
    },
  );

  test.each([
    ["html", { body: "<p>a</p>", html: "<p>b</p>" }],
    ["htmlBody", { body: "<p>a</p>", htmlBody: "<p>b</p>" }],
    ["templateId", { template: "tpl_a", templateId: "tpl_b" }],
    ["templateData", { data: { a: 1 }, templateData: { a: 2 } }],
    ["replyTo", { reply: "a@example.com", replyTo: "b@example.com" }],
  ])("two values under two names of one field are refused (%s)", (path, fields) =>
    expectRefused(fields, path),
  );

  test("the same value under two names is taken", async () => {
    expect((await send({ html: mail["body"] })).status).toBe(200);
  });
});

describe("content", () => {
  test("subject and body are required unless a template is given; text alone is a body", async () => {
    await expectRefused({ subject: undefined }, "subject");
    await expectRefused({ subject: "  " }, "subject");
    await expectRefused({ body: undefined }, "body");
    expect((await send({ body: undefined, text: "Plain" })).status).toBe(200);
    expect(await newest()).toMatchObject({ html: null, text: "Plain" });
  });

  test("an unknown template and another project's are the same 404, byte for byte", async () => {
    const otherProject = await makeProject(database.db);
    const theirs = await createTemplate(otherProject.ctx, { name: "T", subject: "T", body: "T" });
    const texts = [];
    for (const template of [theirs.id, "tpl_01kat4rz8sfq3v6d1mpx3k6w9j", "tpl_x", "con_x", "7"]) {
      const answer = await send({ template });
      expect(answer.status).toBe(404);
      texts.push(answer.text.replace(/"req_[0-9a-f]+"/, ""));
    }
    expect(new Set(texts).size).toBe(1);
    expect(await database.db.$count(templates)).toBeGreaterThan(0);
  });

  test.each([
    ["subject", { subject: "Hi {{ name" }],
    ["body", { body: "<p>{% if x %}</p>" }],
    ["text", { text: "{% for %}" }],
  ])("Liquid that does not parse is refused with its place (%s)", async (path, fields) => {
    const { status, body } = await send(fields);
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe(path);
    expect(body.error.message).toMatch(/line \d+.*column \d+/);
  });
});
