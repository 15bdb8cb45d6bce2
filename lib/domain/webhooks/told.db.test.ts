import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { startImport } from "@/lib/domain/imports/imports";
import { takeOverImports } from "@/lib/engine/imports/apply-rows";
import { makeProject } from "@/lib/testing";
import type { WebhookEvent } from "@/lib/ground/events/names";
import { eventSchemas } from "./event-schemas";
import { payloadsOf } from "./payload";
import { makeWebhook } from "@/lib/testing/webhooks";

const database = useTestDatabase();
const from = "shop@sandbox.test";

/** A project that is told of everything; `told` gives the payloads since it was last asked. */
async function stage() {
  const { ctx, projectId } = await makeProject(database.db);
  await makeWebhook(ctx, "https://example.com/hook");
  const seen = new Set<string>();
  const told = async () => {
    const rows = await database.db.query.webhookDeliveries.findMany({
      where: (table, { eq }) => eq(table.projectId, projectId),
      orderBy: (table, { asc }) => [asc(table.createdAt), asc(table.id)],
    });
    const fresh = rows.filter((row) => !seen.has(row.id));
    for (const { id } of fresh) seen.add(id);
    const payloads = (await payloadsOf(database.db, fresh)).map(({ payload }) => payload);
    for (const { type, data } of payloads) {
      const schema = eventSchemas[type as WebhookEvent];
      expect(schema.strict().safeParse(data)).toMatchObject({ success: true });
    }
    return payloads;
  };
  const types = async () => (await told()).map(({ type }) => type).sort();
  return { ctx, projectId, told, types };
}

describe("contacts", () => {
  test("made, changed and asked are told, one event for each", async () => {
    const { ctx, types } = await stage();
    const { contact } = await upsertContact(ctx, { email: "ada@example.com" });
    expect(await types()).toEqual(["contact.created"]);
    await upsertContact(ctx, { email: "ada@example.com", unsubscribed: true });
    expect(await types()).toEqual(["contact.unsubscribed", "contact.updated"]);
    await updateContact(ctx, contact.id, { subscribed: true });
    expect(await types()).toEqual(["contact.subscribed", "contact.updated"]);
    await updateContact(ctx, contact.id, { firstName: "Ada" });
    expect(await types()).toEqual(["contact.updated"]);
    await upsertContacts(ctx, [{ email: "ada@example.com" }, { email: "bob@example.com" }]);
    expect(await types()).toEqual(["contact.created", "contact.updated"]);
  });

  test("that a send makes, subscribes or unsubscribes are told", async () => {
    const { ctx, types } = await stage();
    const to = "delivered@sandbox.test";
    await send(ctx, { from, to });
    expect(await types()).toEqual(["contact.created"]);
    await send(ctx, { from, to });
    expect(await types()).toEqual([]);
    await send(ctx, { from, to, subscribed: true });
    expect(await types()).toEqual(["contact.subscribed"]);
    await send(ctx, { from, to, subscribed: false });
    expect(await types()).toEqual(["contact.unsubscribed"]);
  });

  test("of an import are told as one event", async () => {
    const { ctx, told } = await stage();
    const csv = "email\na@example.com\nb@example.com\nno address\n";
    const file = Readable.from([Buffer.from(csv)]);
    const { id } = await startImport(ctx, { file, filename: "people.csv" });
    await takeOverImports(database.db, { signal: AbortSignal.timeout(20_000) });
    expect(await told()).toMatchObject([
      {
        type: "import.completed",
        data: { id, status: "COMPLETED", total: 3, created: 2, refused: 1 },
      },
    ]);
  });
});

describe("emails", () => {
  test("are told with their ids, contact and metadata, and the words of the answer", async () => {
    const { ctx, told } = await stage();
    const to = ["delivered", "bounced", "complained"].map((part) => `${part}@sandbox.test`);
    const ids = await send(ctx, { from, to, metadata: { order: "1815" } });
    await told();
    await dispatchDue({ db: database.db, transport: null });
    const payloads = await told();
    const of = (index: number) =>
      payloads.filter(({ data }) => data["emailId"] === encodeId("email", ids[index] ?? ""));
    expect(of(0).map(({ type }) => type)).toEqual(["email.sent", "email.delivered"]);
    expect(of(1).map(({ type }) => type)).toEqual(["email.bounced"]);
    expect(of(2).map(({ type }) => type)).toEqual([
      "email.sent",
      "email.delivered",
      "email.complained",
    ]);
    expect(of(1)[0]?.data).toMatchObject({
      messageId: `${encodeId("email", ids[1] ?? "")}@sandbox.test`,
      contact: { email: "bounced@sandbox.test" },
      campaignId: null,
      metadata: { order: "1815" },
      type: "hard",
      code: 550,
    });
    expect(payloads.map(({ type }) => type)).toContain("contact.unsubscribed");
  });

  test("to a suppressed recipient are told as failed, when accepted and at the hand-over", async () => {
    const { ctx, projectId, told } = await stage();
    const to = "delivered@sandbox.test";
    await send(ctx, { from, to });
    await told();
    await database.db
      .insert(suppressions)
      .values({ id: newId(projectId), projectId, email: to, reason: "manual" });
    await send(ctx, { from, to });
    const failed = { type: "email.failed", data: { reason: "manual" } };
    expect(await told()).toMatchObject([failed]);
    await dispatchDue({ db: database.db, transport: null });
    expect(await told()).toMatchObject([failed]);
  });
});
