import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createTemplate } from "@/lib/domain/templates/templates";
import { mail, useSendingProject } from "@/lib/testing/bearer";

const database = useTestDatabase();
const sending = useSendingProject(database);
const { ask, count } = sending;

const batch = (items: unknown, path = "/v1/emails/batch") => ask("POST", path, items);

test.each(["/v1/emails/batch", "/v1/batch", "/emails/batch", "/batch/"])(
  "%s takes {emails} and a bare array; results carry the item's index",
  async (path) => {
    const items = [
      { ...mail, subject: "One" },
      { ...mail, to: ["b@example.com", "c@example.com"], subject: "Two" },
    ];
    for (const body of [{ emails: items }, items]) {
      const answer = await batch(body, path);
      expect(answer.status).toBe(200);
      const results = answer.body.data.results as { index: number; contact: { email: string } }[];
      expect(results.map((one) => [one.index, one.contact.email])).toEqual([
        [0, "ada@example.com"],
        [1, "b@example.com"],
        [1, "c@example.com"],
      ]);
    }
  },
);

test("100 items are taken, 101 are TOO_MANY_EMAILS, none is VALIDATION_ERROR", async () => {
  const items = (length: number) => Array.from({ length }, () => mail);
  expect((await batch(items(100))).body.data.results).toHaveLength(100);
  const over = await batch({ emails: items(101) });
  expect({ status: over.status, code: over.body.error.code }).toEqual({
    status: 400,
    code: "TOO_MANY_EMAILS",
  });
  for (const none of [[], { emails: [] }]) {
    expect((await batch(none)).body.error.code).toBe("VALIDATION_ERROR");
  }
});

test.each([
  ["a wrong field", { subject: "a\nb" }, 400, "emails[1].subject"],
  ["an unverified sender", { from: "a@elsewhere.example" }, 403, null],
  ["an unknown template", { template: "tpl_x" }, 404, null],
  ["contradicting aliases", { html: "<b>x</b>" }, 400, "emails[1].html"],
  ["a past time", { scheduledAt: "2020-01-01T00:00:00Z" }, 400, "emails[1].scheduledAt"],
])("one item with %s fails all, and nothing is written", async (_, fault, status, path) => {
  const before = await count();
  const answer = await batch([mail, { ...mail, ...fault }, mail]);
  expect(answer.status).toBe(status);
  if (path) {
    expect(answer.body.error.details[0].path).toBe(path);
    expect(answer.body.error.message).toContain("emails[1]");
  }
  expect(await count()).toBe(before);
});

test("each item keeps its own template and content", async () => {
  const [a, b] = await Promise.all(
    ["A", "B"].map((name) =>
      createTemplate(sending.project.ctx, { name, subject: `Subject ${name}`, body: name }),
    ),
  );
  const answer = await batch([
    { ...mail, template: a?.id },
    { ...mail, template: b?.id },
    { ...mail, subject: "Own" },
  ]);
  const subjects = [];
  for (const { email } of answer.body.data.results as { email: string }[]) {
    subjects.push((await ask("GET", `/v1/emails/${email}`)).body.email.subject);
  }
  expect(subjects).toEqual(["Subject A", "Subject B", "Own"]);
});
