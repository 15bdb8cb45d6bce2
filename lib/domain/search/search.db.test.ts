import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { listEmails } from "@/lib/domain/emails/read";
import { acceptRelayed } from "@/lib/domain/emails/relay";
import { emailQuery } from "@/lib/domain/emails/schema";
import { sendEmail } from "@/lib/domain/emails/send";
import { createSegment } from "@/lib/domain/segments/segments";
import { createTemplate } from "@/lib/domain/templates/templates";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { search } from "./search";
import { searchAnswer } from "./schema";

const database = useTestDatabase();

async function filled() {
  const { ctx } = await makeProject(database.db);
  const { contact } = await upsertContact(ctx, { email: "pro@example.com", firstName: "Ada" });
  const template = await createTemplate(ctx, { name: "Pro news", subject: "Hi", body: "<p>x</p>" });
  const segment = await createSegment(ctx, { name: "All pros", filter: { and: [] } });
  const { result } = await sendEmail(ctx, {
    from: "hello@sandbox.test",
    to: "pro@example.com",
    subject: "Your order",
    body: "<p>x</p>",
  });
  return { ctx, contact, template, segment, emailId: result.data.emails[0]?.email ?? "" };
}

test("finds things of every kind by a part of the name or the address", async () => {
  const { ctx, contact, template, segment, emailId } = await filled();
  const { data } = searchAnswer.parse(await search(ctx, { text: "PRO" }));
  expect(data).toEqual([
    { kind: "contact", id: contact.id, title: "pro@example.com", hint: "Ada" },
    { kind: "template", id: template.id, title: "Pro news", hint: "" },
    { kind: "segment", id: segment.id, title: "All pros", hint: "" },
    { kind: "email", id: emailId, title: "Your order", hint: "pro@example.com" },
  ]);
  const { data: domains } = await search(ctx, { text: "sandbox" });
  expect(domains.map(({ kind, title }) => [kind, title])).toEqual([["domain", "sandbox.test"]]);
  expect((await search(ctx, { text: "100%" })).data).toEqual([]);
});

test("finds the one thing with an id, and nothing of another project", async () => {
  const { ctx, contact, template, segment, emailId } = await filled();
  const otherProject = await makeProject(database.db);
  for (const id of [contact.id, template.id, segment.id, emailId]) {
    expect((await search(ctx, { text: id })).data.map((one) => one.id)).toEqual([id]);
    expect((await search(otherProject.ctx, { text: id })).data).toEqual([]);
  }
  expect((await search(otherProject.ctx, { text: "pro" })).data).toEqual([]);
});

test("finds mail by its Message-ID, a relay's client's or a provider's, and nothing of another project", async () => {
  const { ctx, emailId } = await filled();
  const { ctx: stranger } = await makeProject(database.db);
  const raw = Buffer.from("Subject: Hi\r\n\r\nHello");
  const { result: relayed } = await acceptRelayed(
    ctx,
    {
      from: { email: "a@sandbox.test" },
      subject: "Hi",
      headerId: "2026.order.7@client.example",
      raw,
      fingerprint: raw,
    },
    {
      recipients: ["b@example.com", "c@example.com"].map((email) => ({ email, name: "" })),
      idempotencyKey: null,
      client: "shop ([192.0.2.1])",
    },
  );
  await database.db.execute(sql`
    update emails set provider_id = '0107-abc-000000' where id = ${decodeId("email", emailId)}`);
  for (const [text, ids] of [
    [`<${emailId}@sandbox.test>`, [emailId]],
    ["<0107-abc-000000@eu-central-1.amazonses.com>", [emailId]],
    ["0107-abc-000000", [emailId]],
    ["2026.order.7@client.example", relayed],
  ] as const) {
    const { data } = await search(ctx, { text });
    expect(data.map(({ kind }) => kind)).toEqual(ids.map(() => "email"));
    expect(data.map(({ id }) => id).toSorted()).toEqual([...ids].toSorted());
    expect((await search(stranger, { text })).data).toEqual([]);
    const listed = await listEmails(ctx, emailQuery.parse({ messageId: text }));
    expect(listed.data.map(({ id }) => id).toSorted()).toEqual([...ids].toSorted());
    expect((await listEmails(stranger, emailQuery.parse({ messageId: text }))).data).toEqual([]);
  }
  // Together with other filters, as any other.
  const delivered = { messageId: "0107-abc-000000", status: "DELIVERED" };
  expect((await listEmails(ctx, emailQuery.parse(delivered))).data).toEqual([]);
});
