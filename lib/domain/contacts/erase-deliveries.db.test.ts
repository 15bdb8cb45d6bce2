import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { deleteInbound } from "@/lib/domain/inbound/read";
import { claimDeliveries } from "@/lib/engine/webhooks/claim";
import { attemptDelivery } from "@/lib/engine/webhooks/attempt";
import { recordOutcomes } from "@/lib/engine/webhooks/record";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { makeWebhook, storedDeliveries } from "@/lib/testing/webhooks";
import { deleteContact } from "./delete";
import { eraseLateMail } from "./erase-late-mail";
import { upsertContact } from "./upsert";

/* What endpoints answered about a person goes with them, and what they answer afterwards is not kept. */

const database = useTestDatabase();
const email = "ada@example.com";
const rooms = { byWebhook: new Map(), others: 100, proven: [], unproven: 100, limit: 100 };

/** The project's deliveries, each answered with the address. `meanwhile`: while the endpoint is answering. */
async function answered({ db }: Context, meanwhile = async () => {}): Promise<void> {
  const claimed = await claimDeliveries(db, rooms, 60);
  await meanwhile();
  for (const delivery of claimed) {
    // Nobody listens there: what came back is put in below.
    const outcome = await attemptDelivery({ ...delivery, url: "http://localhost:1" }, null);
    const body = delivery.aboutErased ? outcome.body : `Stored ${email}.`;
    await recordOutcomes(db, [{ ...outcome, ok: true, status: 200, body, error: null }]);
  }
}

const bodiesOf = async (projectId: string) =>
  (await storedDeliveries(database.db, projectId)).map((one) => [one.event, one.response_body]);

async function stage() {
  const { ctx, projectId } = await makeProject(database.db);
  await makeWebhook(ctx, "https://example.com/hooks");
  return { ctx, projectId };
}

test("an answer that comes after the deletion is not kept, others' are", async () => {
  const { ctx, projectId } = await stage();
  await upsertContact(ctx, { email });
  await upsertContact(ctx, { email: "grace@example.com" });
  await answered(ctx, () => deleteContact(ctx, email));
  expect(await bodiesOf(projectId)).toEqual([
    ["contact.created", null],
    ["contact.created", `Stored ${email}.`],
    ["contact.deleted", null],
  ]);
});

test("so it is for answers about their mail", async () => {
  const { ctx, projectId } = await stage();
  await send(ctx, { from: "hello@sandbox.test", to: email });
  await dispatchDue({ db: database.db, transport: null });
  await answered(ctx, () => deleteContact(ctx, email));
  const bodies = await bodiesOf(projectId);
  expect(bodies.map(([event]) => event)).toContain("email.delivered");
  expect(bodies.filter(([, body]) => body !== null)).toEqual([]);
});

test("what is told of a person's mail after the deletion keeps no answer", async () => {
  const { ctx, projectId } = await stage();
  await send(ctx, { from: "hello@sandbox.test", to: email });
  await answered(ctx);
  await deleteContact(ctx, email);
  const [told] = await claimDeliveries(database.db, rooms, 60).then((all) =>
    all.filter(({ payload }) => payload.type === "email.failed"),
  );
  expect(told).toMatchObject({ aboutErased: true, payload: { data: { contact: null } } });
  expect((await bodiesOf(projectId)).filter(([, body]) => body !== null)).toEqual([]);
});

describe("about mail that came in", () => {
  /** A mail of the person's that an endpoint was told of, and answered; its uuid. */
  async function received(ctx: Context, contactId: string | null): Promise<string> {
    const { projectId } = ctx;
    const id = newId(projectId);
    await database.db.execute(sql`
      with mail as (
        insert into inbound_emails (id, project_id, fingerprint, envelope_from, recipients, from_email, from_name,
          subject, reference_ids, contact_id, automatic, checks, text, attachments, route_patterns, unrouted, size, raw)
        values (${id}, ${projectId}, ${id}::bytea, '', '{}', ${contactId ? "alias@example.com" : email}, 'Ada', 'Hi',
          '{}', ${contactId}, false, '{}', 'Hi', '[]', '{}', true, 1, 'x'::bytea)
      ) insert into webhook_deliveries (id, project_id, webhook_id, event_id, event, subject_id, data)
      select new_id(${projectId}), ${projectId}, id, new_id(${projectId}), 'email.received', ${id}, '{}'
      from webhooks where project_id = ${projectId}`);
    return id;
  }

  test("is cleared with the person, however the mail is known to be theirs", async () => {
    const { ctx, projectId } = await stage();
    const { contact } = await upsertContact(ctx, { email });
    await received(ctx, decodeId("contact", contact.id));
    await received(ctx, null);
    await answered(ctx);
    await deleteContact(ctx, email);
    await received(ctx, null);
    await answered(ctx);
    expect(await bodiesOf(projectId)).toEqual([
      ["contact.created", null],
      ["email.received", null],
      ["email.received", null],
      ["contact.deleted", null],
      ["email.received", `Stored ${email}.`],
    ]);
  });

  test("is cleared with what came in while the person was being deleted", async () => {
    const { ctx, projectId } = await stage();
    const { contact } = await upsertContact(ctx, { email });
    await deleteContact(ctx, email);
    await received(ctx, decodeId("contact", contact.id));
    await answered(ctx, async () => {
      await eraseLateMail(database.db, new AbortController().signal);
    });
    expect((await bodiesOf(projectId)).filter(([, body]) => body !== null)).toEqual([]);
  });

  test("is cleared with the mail that a member deletes", async () => {
    const { ctx, projectId } = await stage();
    const id = await received(ctx, null);
    await answered(ctx);
    await deleteInbound(ctx, encodeId("inbound", id));
    expect(await bodiesOf(projectId)).toEqual([["email.received", null]]);
  });
});
