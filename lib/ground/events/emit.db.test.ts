import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { executePrepared } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { decodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { emailEventDeliveries, emitContactEvents, emitEvents, wakeDeliveries } from "./emit";
import { createWebhook, updateWebhook } from "@/lib/domain/webhooks/webhooks";
import type { WebhookEvent } from "./names";
import { untilBlocked } from "@/lib/testing/until-blocked";

const database = useTestDatabase();
const url = "https://example.com/hooks";

interface Made extends Record<string, unknown> {
  webhook_id: string;
  event_id: string;
  event: string;
  subject_id: string | null;
  data: Record<string, unknown>;
}

const deliveriesOf = (projectId: string) =>
  database.db.execute<Made>(sql`
    select webhook_id, event_id, event, subject_id, data from webhook_deliveries
    where project_id = ${projectId} order by id`);

const webhook = async (
  ctx: Awaited<ReturnType<typeof makeProject>>["ctx"],
  events: (WebhookEvent | "*")[],
) => decodeId("webhook", (await createWebhook(ctx, { url, events })).id) ?? "";

describe("emitting events", () => {
  test("reaches each enabled webhook that subscribes to the event or to all, and no other", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const otherProject = await makeProject(database.db);
    await webhook(otherProject.ctx, ["*"]);
    const some = await webhook(ctx, ["campaign.sent", "domain.failed"]);
    const all = await webhook(ctx, ["*"]);
    await webhook(ctx, ["campaign.started"]);
    const off = await createWebhook(ctx, { url, events: ["*"] });
    await updateWebhook(ctx, off.id, { enabled: false });

    await emitEvents(database.db, [
      { projectId, type: "campaign.sent", data: { id: "cmp_1" } },
      { projectId, type: "domain.verified", data: { id: "dom_1" } },
    ]);
    const rows = await deliveriesOf(projectId);
    expect(rows.map((row) => [row.event, row.webhook_id]).sort()).toEqual(
      [
        ["campaign.sent", some],
        ["campaign.sent", all],
        ["domain.verified", all],
      ].sort(),
    );
    const sent = rows.filter((row) => row.event === "campaign.sent");
    expect(new Set(sent.map((row) => row.event_id)).size).toBe(1);
    expect(sent[0]?.data).toEqual({ id: "cmp_1" });
    expect(await deliveriesOf(otherProject.projectId)).toHaveLength(0);
  });

  test("belongs to the caller's transaction", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await webhook(ctx, ["*"]);
    await expect(
      database.db.transaction(async (tx) => {
        await emitEvents(tx, [{ projectId, type: "campaign.sent", data: {} }]);
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await deliveriesOf(projectId)).toHaveLength(0);
  });

  test("passes over a webhook that is deleted at the same moment", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const gone = await webhook(ctx, ["*"]);
    const other = await webhook(ctx, ["*"]);
    const { contact } = await upsertContact(ctx, { email: "ada@example.com" });
    await database.db.execute(sql`delete from webhook_deliveries where project_id = ${projectId}`);
    const written = await database.db.transaction(async (tx) => {
      await tx.execute(sql`delete from webhooks where id = ${gone}`);
      const writing = upsertContact(ctx, { email: contact.email, firstName: "Ada" }).then(
        () => "written",
        String,
      );
      await untilBlocked(database.db);
      return { writing };
    });
    expect(await written.writing).toBe("written");
    const rows = await deliveriesOf(projectId);
    expect(rows.map((row) => [row.event, row.webhook_id])).toEqual([["contact.updated", other]]);
  });

  test("wakes the workers when there is something to deliver, and only then", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    let woken = 0;
    const listening = await database.db.$client.listen("webhooks_due", () => {
      woken++;
    });
    let heard = 0;
    const mark = await database.db.$client.listen("mark", () => {
      heard++;
    });
    const settled = async () => {
      const before = heard;
      // Notifications come in the order of their commits: the mark is behind what was sent before it.
      await database.db.execute(sql`select pg_notify('mark', '')`);
      await expect.poll(() => heard).toBe(before + 1);
    };
    await emitEvents(database.db, [{ projectId, type: "campaign.sent", data: {} }]);
    await settled();
    expect(woken).toBe(0);
    await webhook(ctx, ["*"]);
    await emitEvents(database.db, [
      { projectId, type: "campaign.sent", data: {} },
      { projectId, type: "campaign.paused", data: {} },
    ]);
    await settled();
    expect(woken).toBe(1);
    await listening.unlisten();
    await mark.unlisten();
  });

  test("a contact's event holds the contact as it stands", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await webhook(ctx, ["contact.subscribed"]);
    const { contact } = await upsertContact(ctx, { email: "ada@example.com", tags: ["vip"] });
    const contactId = decodeId("contact", contact.id) ?? "";
    await emitContactEvents(database.db, projectId, [
      { type: "contact.subscribed", contactId },
      { type: "contact.updated", contactId },
      { type: "contact.subscribed", contactId: newUnownedId() },
    ]);
    const rows = await deliveriesOf(projectId);
    const ours = rows.filter((row) => row.event === "contact.subscribed");
    expect(ours).toHaveLength(1);
    expect(ours[0]).toMatchObject({
      subject_id: contactId,
      data: { id: contactId, email: "ada@example.com", tags: ["vip"], consent: "subscribed" },
    });
  });

  test("events of emails are taken from the statement that records them", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await webhook(ctx, ["email.bounced", "email.failed"]);
    const emailId = newUnownedId();
    await executePrepared(
      database.db,
      sql`
      with noted as (
        insert into email_events (project_id, email_id, name, data)
        select ${projectId}::uuid, ${emailId}::uuid, name, '{"code": 550}'::jsonb
        from unnest(array['queued', 'sent', 'bounced', 'suppressed', 'unsubscribed']) as given(name)
        returning id, project_id, email_id, name, data, created_at
      ), deliveries as (${emailEventDeliveries(sql`noted`)})
      select ${wakeDeliveries(sql`deliveries`)} from noted`,
    );
    const rows = await deliveriesOf(projectId);
    expect(rows.map((row) => row.event).sort()).toEqual(["email.bounced", "email.failed"]);
    expect(rows[0]).toMatchObject({ subject_id: emailId, data: { code: 550 } });
  });
});
