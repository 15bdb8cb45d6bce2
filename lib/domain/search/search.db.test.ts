import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createApiKey, deleteApiKey } from "@/lib/domain/api-keys/api-keys";
import { createConnection } from "@/lib/domain/connections/connections";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { listEmails } from "@/lib/domain/emails/read";
import { acceptRelayed } from "@/lib/domain/emails/relay";
import { emailQuery } from "@/lib/domain/emails/schema";
import { sendEmail } from "@/lib/domain/emails/send";
import { createForm } from "@/lib/domain/forms/forms";
import { createInboundRoute } from "@/lib/domain/inbound/routes";
import { createList } from "@/lib/domain/lists/lists";
import { createSegment } from "@/lib/domain/segments/segments";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { createTemplate } from "@/lib/domain/templates/templates";
import { createTopic } from "@/lib/domain/topics/topics";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
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

test("finds whatever has a name, by a part of it and by its id, and nothing of another project", async () => {
  const { ctx } = await makeProject(database.db);
  const { ctx: stranger } = await makeProject(database.db);
  const { id: list } = await createList(ctx, { name: "Quokka news", fromEmail: "a@sandbox.test" });
  const { id: form } = await createForm(ctx, { name: "Quokka form" });
  const { id: topic } = await createTopic(ctx, { name: "Quokkas" });
  const { id: domain } = await createDomain(ctx, { name: "quokka.example" });
  const { id: connection } = await createConnection(ctx, {
    name: "Quokka server",
    kind: "smtp",
    host: "smtp.quokka.example",
  });
  const { id: webhook } = await createWebhook(ctx, {
    url: "https://quokka.example/hook",
    events: ["*"],
  });
  const { id: route } = await createInboundRoute(ctx, {
    pattern: "quokka@quokka.example",
    webhookId: webhook,
  });
  const { id: key } = await createApiKey(ctx, { name: "Quokka key" });
  const { id: revoked } = await createApiKey(ctx, { name: "Old quokka key" });
  await deleteApiKey(ctx, revoked);
  const file = encodeId("file", newId(ctx.projectId));
  await database.db.execute(sql`
    insert into files (id, project_id, path, content_type, size, sha256)
    values (${decodeId("file", file)}, ${ctx.projectId}, 'pictures/quokka.png', 'image/png', 1, '\\x00')`);

  const { data } = searchAnswer.parse(await search(ctx, { text: "QUOKKA" }));
  expect(data.map(({ kind, id, title }) => [kind, id, title])).toEqual([
    ["list", list, "Quokka news"],
    ["form", form, "Quokka form"],
    ["topic", topic, "Quokkas"],
    ["file", file, "pictures/quokka.png"],
    ["domain", domain, "quokka.example"],
    ["connection", connection, "Quokka server"],
    ["webhook", webhook, "https://quokka.example/hook"],
    ["inboundRoute", route, "quokka@quokka.example"],
    ["apiKey", key, "Quokka key"],
  ]);
  expect((await search(stranger, { text: "quokka" })).data).toEqual([]);
  expect((await search(ctx, { text: revoked })).data).toEqual([]);
  for (const { kind, id } of data) {
    const found = await search(ctx, { text: id });
    expect(found.data.map((one) => [one.kind, one.id])).toEqual([[kind, id]]);
    expect((await search(stranger, { text: id })).data).toEqual([]);
  }
});

test("of a kind that has many, the newest few come", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await database.db.execute(sql`
    insert into templates (id, project_id, name, subject, body)
    select new_id(${projectId}::uuid), ${projectId}::uuid, 'Wombat ' || n, 'Hi', 'Hi'
    from generate_series(1, 40) n`);
  const { data } = await search(ctx, { text: "wombat" });
  expect(data.map(({ title }) => title)).toHaveLength(5);
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
