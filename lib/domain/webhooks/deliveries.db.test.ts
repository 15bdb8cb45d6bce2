import { sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { makeProject } from "@/lib/testing";
import { getDelivery, listDeliveries, replayDeliveries, retryDelivery } from "./deliveries";
import { emitEvents } from "@/lib/ground/events/emit";
import { deliverDue, makeWebhook, startEndpoint, type TestEndpoint } from "@/lib/testing/webhooks";
import { updateWebhook } from "./webhooks";
import { testWebhook } from "@/lib/engine/webhooks/test-call";

const database = useTestDatabase();
let stop: () => Promise<void> = () => Promise.resolve();
afterEach(() => stop());

async function stage(...given: Parameters<typeof startEndpoint>) {
  const { ctx, projectId } = await makeProject(database.db);
  const receiver: TestEndpoint = await startEndpoint(...given);
  stop = () => receiver.stop();
  return { ctx, projectId, receiver, webhook: await makeWebhook(ctx, receiver.url) };
}
const page = { limit: 20 };

describe("a test event", () => {
  test("goes the way of real ones and answers with what came back", async () => {
    const { ctx, receiver, webhook } = await stage((_request, response) => {
      response.writeHead(202).end("thanks");
    });
    const answer = await testWebhook(ctx, webhook.id, { event: "email.bounced" });
    expect(answer).toMatchObject({
      event: "email.bounced",
      status: "DELIVERED",
      attempts: 1,
      responseStatus: 202,
      responseBody: "thanks",
      request: { url: receiver.url, body: { type: "email.bounced", data: { test: true } } },
    });
    expect(answer.tries).toHaveLength(1);
    expect(receiver.calls).toHaveLength(1);
    expect(receiver.calls[0]?.payload).toEqual(answer.request.body);
    expect(receiver.calls[0]?.headers["webhook-id"]).toBe(answer.eventId);
  });

  test("is not tried again, and reaches a webhook that is switched off", async () => {
    const { ctx, receiver, webhook } = await stage((_request, response) => {
      response.writeHead(500).end();
    });
    await updateWebhook(ctx, webhook.id, { enabled: false });
    expect(await testWebhook(ctx, webhook.id, {})).toMatchObject({
      status: "FAILED",
      responseStatus: 500,
      nextAttemptAt: null,
    });
    await database.travel("1 hour");
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(1);
  });
});

describe("the log", () => {
  test("lists newest first, by status, page by page, and only the project's own", async () => {
    const { ctx, projectId, webhook } = await stage((_request, response) => {
      response.writeHead(404).end();
    });
    await emitEvents(
      database.db,
      Array.from({ length: 5 }, () => ({ projectId, type: "campaign.sent" as const, data: {} })),
    );
    await testWebhook(ctx, webhook.id, {});
    const first = await listDeliveries(ctx, webhook.id, { limit: 4 });
    expect(first.data[0]?.status).toBe("FAILED");
    const cursor = first.nextCursor ?? "";
    const second = await listDeliveries(ctx, webhook.id, { limit: 4, cursor });
    expect(second.nextCursor).toBeUndefined();
    expect(new Set([...first.data, ...second.data].map((one) => one.id)).size).toBe(6);
    const waiting = await listDeliveries(ctx, webhook.id, { ...page, status: "PENDING" });
    expect(waiting.data).toHaveLength(5);

    const otherProject = await makeProject(database.db);
    await expect(listDeliveries(otherProject.ctx, webhook.id, page)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const id = first.data[0]?.id ?? "";
    await expect(getDelivery(otherProject.ctx, { id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(retryDelivery(otherProject.ctx, { id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("a retry calls again at once, with the same event", async () => {
    let status = 500;
    const { ctx, projectId, receiver, webhook } = await stage((_request, response) => {
      response.writeHead(status).end();
    });
    await emitEvents(database.db, [{ projectId, type: "campaign.sent", data: { a: 1 } }]);
    await deliverDue(database.db);
    const [waiting] = (await listDeliveries(ctx, webhook.id, page)).data;
    status = 200;
    await retryDelivery(ctx, { id: waiting?.id ?? "" });
    await deliverDue(database.db);
    const done = await getDelivery(ctx, { id: waiting?.id ?? "" });
    expect(done).toMatchObject({ status: "DELIVERED", attempts: 2 });
    expect(done.tries.map((one) => one.responseStatus)).toEqual([500, 200]);
    expect(receiver.calls[1]?.body).toBe(receiver.calls[0]?.body);
    expect(receiver.calls[1]?.headers["webhook-id"]).toBe(receiver.calls[0]?.headers["webhook-id"]);
    await updateWebhook(ctx, webhook.id, { enabled: false });
    await expect(retryDelivery(ctx, { id: done.id })).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("a contact that was deleted for good is in no delivery any more", async () => {
    const { ctx, webhook, receiver } = await stage();
    const { contact } = await upsertContact(ctx, { email: "ada@example.com", firstName: "Ada" });
    await deleteContact(ctx, contact.id);
    await deliverDue(database.db);
    expect(receiver.calls.map(({ payload }) => [payload.type, payload.data]).sort()).toEqual([
      ["contact.created", { id: contact.id }],
      ["contact.deleted", { id: contact.id }],
    ]);
    const { data } = await listDeliveries(ctx, webhook.id, page);
    for (const { id } of data) {
      expect(JSON.stringify(await getDelivery(ctx, { id }))).not.toMatch(/ada/i);
    }
  });

  test("a viewer reads it and changes nothing", async () => {
    const { ctx, webhook } = await stage();
    const delivery = await testWebhook(ctx, webhook.id, {});
    const viewer = { ...ctx, role: "viewer" as const };
    expect((await listDeliveries(viewer, webhook.id, page)).data).toHaveLength(1);
    expect((await getDelivery(viewer, { id: delivery.id })).id).toBe(delivery.id);
    for (const role of ["viewer", "editor"] as const) {
      const denied = { code: "NOT_ALLOWED" };
      await expect(retryDelivery({ ...ctx, role }, { id: delivery.id })).rejects.toMatchObject(
        denied,
      );
      await expect(testWebhook({ ...ctx, role }, webhook.id, {})).rejects.toMatchObject(denied);
    }
  });
});

describe("a replay", () => {
  test("delivers again what was told since a time, under the ids it had", async () => {
    let status = 200;
    const { ctx, projectId, receiver, webhook } = await stage((_request, response) => {
      response.writeHead(status).end();
    });
    const tell = (id: string) =>
      emitEvents(database.db, [{ projectId, type: "campaign.sent", data: { id } }]);
    await tell("long ago");
    await deliverDue(database.db);
    await database.travel("1 hour");
    const [row] = await database.db.execute<{ now: string }>(sql`select app_now() as now`);
    const since = new Date(row?.now ?? 0).toISOString();
    await tell("taken");
    await deliverDue(database.db);
    status = 410;
    await tell("refused");
    await deliverDue(database.db);
    const before = receiver.calls.map(({ headers }) => headers["webhook-id"]);
    expect(before).toHaveLength(3);

    await expect(replayDeliveries(ctx, webhook.id, { since })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await updateWebhook(ctx, webhook.id, { enabled: true });
    status = 200;
    expect(await replayDeliveries(ctx, webhook.id, { since, status: "FAILED" })).toEqual({
      replayed: 1,
    });
    await deliverDue(database.db);
    expect(await replayDeliveries(ctx, webhook.id, { since })).toEqual({ replayed: 2 });
    await deliverDue(database.db);
    const after = receiver.calls.slice(3).map(({ headers }) => headers["webhook-id"]);
    expect(after[0]).toBe(before[2]);
    expect(after.slice(1).sort()).toEqual([before[1], before[2]].sort());
  });

  test("is for those who may, and for webhooks of the project", async () => {
    const { ctx, webhook } = await stage();
    const since = new Date(0).toISOString();
    await expect(
      replayDeliveries({ ...ctx, role: "editor" }, webhook.id, { since }),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    const { ctx: other } = await makeProject(database.db);
    await expect(replayDeliveries(other, webhook.id, { since })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
