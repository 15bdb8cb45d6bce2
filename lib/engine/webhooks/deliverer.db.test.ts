import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test } from "vitest";
import { webhooks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { reloadEnv } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { cleanUp } from "@/lib/engine/jobs/cleanup";
import {
  emitCampaigns,
  deliverDue,
  makeWebhook,
  startEndpoint,
  storedDeliveries,
  type TestEndpoint,
} from "@/lib/testing/webhooks";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { textsFor } from "@/lib/ground/texts/texts";
import { updateWebhook } from "@/lib/domain/webhooks/webhooks";
import { claimDeliveries, releaseDeliveries } from "./claim";
import { recordOutcomes } from "./record";
import { retrySeconds } from "./schedule";

const database = useTestDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  delete process.env["ALLOW_PRIVATE_ADDRESSES"];
  reloadEnv();
});

async function endpoint(...given: Parameters<typeof startEndpoint>): Promise<TestEndpoint> {
  const started = await startEndpoint(...given);
  stops.push(() => started.stop());
  return started;
}

/** A project with one endpoint and `events` deliveries that are due. */
async function stage(events = 1, ...given: Parameters<typeof startEndpoint>) {
  const { ctx, projectId } = await makeProject(database.db);
  const receiver = await endpoint(...given);
  const webhook = await makeWebhook(ctx, receiver.url);
  const emit = (count = 1) => emitCampaigns(database.db, projectId, count);
  await emit(events);
  const stored = async () => [...(await storedDeliveries(database.db, projectId))];
  const row = async () => {
    const [row] = await database.db
      .select()
      .from(webhooks)
      .where(sql`id = ${webhook.uuid}`);
    return row;
  };
  return { ctx, projectId, receiver, webhook, emit, stored, row };
}

describe("a delivery", () => {
  test("is signed as Standard Webhooks asks, and says what happened and when", async () => {
    const { receiver, webhook, stored } = await stage();
    await deliverDue(database.db);
    const [call] = receiver.calls;
    if (!call) throw new Error("There was no call.");
    expect(call.headers["content-type"]).toBe("application/json");
    expect(Object.keys(call.payload)).toEqual(["type", "timestamp", "data"]);
    expect(call.payload).toMatchObject({ type: "campaign.sent", data: { index: 0 } });
    expect(new Date(call.payload.timestamp).toISOString()).toBe(call.payload.timestamp);

    const id = String(call.headers["webhook-id"]);
    const at = String(call.headers["webhook-timestamp"]);
    expect(id).toMatch(/^evt_/);
    expect(Math.abs(Date.now() / 1000 - Number(at))).toBeLessThan(60);
    const verifier = new Webhook(webhook.secret);
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": at,
      "webhook-signature": String(call.headers["webhook-signature"]),
    };
    expect(verifier.verify(call.body, headers)).toEqual(call.payload);
    expect(() => verifier.verify(`${call.body} `, headers)).toThrow("No matching signature");

    expect(await stored()).toMatchObject([
      {
        status: "DELIVERED",
        attempts: 1,
        due_in: null,
        response_status: 200,
        response_body: "ok",
        error: null,
        earlier: [],
      },
    ]);
  });

  test("goes to each endpoint once, and never to another project's", async () => {
    const { ctx, projectId, receiver, emit } = await stage(0);
    const healthy = await stage(0);
    const second = await endpoint();
    await makeWebhook(ctx, second.url, ["campaign.sent"]);
    const third = await endpoint();
    await makeWebhook(ctx, third.url, ["campaign.failed"]);
    await emit(30);
    await deliverDue(database.db);
    const ids = (one: TestEndpoint) => one.calls.map((call) => call.headers["webhook-id"]).sort();
    expect(new Set(ids(receiver)).size).toBe(30);
    expect(ids(second)).toEqual(ids(receiver));
    expect(third.calls).toHaveLength(0);
    expect(healthy.receiver.calls).toHaveLength(0);
    const rows = await storedDeliveries(database.db, projectId);
    expect(rows.every((row) => row.status === "DELIVERED")).toBe(true);
  });

  test("of a contact holds the contact's resource as it was, without what is looked up when read", async () => {
    const { ctx, receiver } = await stage(0);
    const { contact } = await upsertContact(ctx, { email: "ada@example.com", tags: ["vip"] });
    await deliverDue(database.db);
    const created = receiver.calls.find((call) => call.payload.type === "contact.created");
    const { state, ...stored } = contact;
    expect(state).toBe("reachable");
    expect(created?.payload.data).toEqual(stored);
  });
});

describe("a delivery that fails", () => {
  test("is tried ten times by the schedule, then has failed", async () => {
    const { receiver, stored } = await stage(1, (_request, response) => {
      response.writeHead(500).end("no");
    });
    for (const [index, seconds] of retrySeconds.entries()) {
      await deliverDue(database.db);
      expect(receiver.calls).toHaveLength(index + 1);
      const [row] = await stored();
      expect(row).toMatchObject({ status: "PENDING", attempts: index + 1, response_status: 500 });
      expect(row?.due_in).toBeGreaterThan(seconds * 0.89 - 2);
      expect(row?.due_in).toBeLessThan(seconds * 1.11);
      await database.travel(`${seconds * 1.11} seconds`);
    }
    await deliverDue(database.db);
    const [row] = await stored();
    expect(row).toMatchObject({ status: "FAILED", attempts: 10, due_in: null });
    expect(row?.earlier).toHaveLength(9);
    expect(row?.earlier[0]).toMatchObject({ status: 500 });
    await database.travel("3 days");
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(10);
    expect(new Set(receiver.calls.map((call) => call.headers["webhook-id"])).size).toBe(1);
  });

  test.each([
    [301, 5],
    [302, 5],
    [307, 5],
    [404, 5],
    [503, 5],
  ])("status %i is a failure, and a redirect is not followed", async (status, seconds) => {
    const elsewhere = await endpoint();
    const { receiver, stored } = await stage(1, (_request, response) => {
      response.writeHead(status, { location: elsewhere.url }).end();
    });
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(1);
    expect(elsewhere.calls).toHaveLength(0);
    const [row] = await stored();
    expect(row).toMatchObject({ status: "PENDING", response_status: status });
    expect(row?.due_in).toBeLessThan(seconds * 1.11);
  });

  test("waits as long as Retry-After asks", async () => {
    const { receiver, stored } = await stage(1, (_request, response) => {
      response.writeHead(429, { "retry-after": "3600" }).end();
    });
    await deliverDue(database.db);
    const [row] = await stored();
    expect(row?.due_in).toBeGreaterThan(3_590);
    await database.travel("10 minutes");
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(1);
    await database.travel("51 minutes");
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(2);
  });

  test("says why when no answer came, without addresses", async () => {
    const { receiver, stored } = await stage();
    await receiver.stop();
    await deliverDue(database.db);
    expect((await stored())[0]).toMatchObject({
      status: "PENDING",
      response_status: null,
      error: "The server could not be reached.",
    });
  });

  test("keeps some kilobytes of the answer, as text that can be stored", async () => {
    const { stored } = await stage(1, (_request, response) => {
      response.writeHead(500).end(`\0${"ä".repeat(100_000)}`);
    });
    await deliverDue(database.db);
    const [row] = await stored();
    expect(row?.response_status).toBe(500);
    expect(row?.response_body).toMatch(/^ä{2000,}/);
    expect(row?.response_body?.length).toBeLessThan(4_097);
  });

  test("of an earlier endpoint is none of the one that is given its port", async () => {
    const earlier = await stage();
    const port = Number(new URL(earlier.receiver.url).port);
    await earlier.receiver.stop();
    const { receiver } = await stage(1, (_request, response) => response.end("ok"), port);
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(1);
    expect(await earlier.stored()).toMatchObject([{ status: "PENDING", response_status: 404 }]);
  });

  test("is tried again when the process died between the claim and the record", async () => {
    const { receiver, stored } = await stage();
    const rooms = { byWebhook: new Map(), others: 4, proven: [], unproven: 10, limit: 0 };
    expect(await claimDeliveries(database.db, rooms, 60)).toHaveLength(1);
    // Whoever claimed it is gone. While the lease lasts nobody else calls.
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(0);
    await database.travel("61 seconds");
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(1);
    expect((await stored())[0]).toMatchObject({ status: "DELIVERED", attempts: 1 });
  });
});

describe("an endpoint", () => {
  test("that answers 410 is switched off, what waits for it ends, and the owner is told", async () => {
    const { ctx, stored, row, emit, receiver } = await stage(1, (_request, response) => {
      response.writeHead(410).end();
    });
    await updateProjectSettings(ctx, { language: "fr" });
    await deliverDue(database.db);
    expect(await row()).toMatchObject({
      enabled: false,
      disabledReason: "The endpoint answered 410 Gone.",
    });
    expect(await stored()).toMatchObject([{ status: "FAILED", due_in: null }]);
    const calls = receiver.calls.length;
    await emit();
    expect(await stored()).toHaveLength(1);
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(calls);
    const mails = await database.db.execute<{ raw: Buffer }>(sql`
      select convert_from(raw, 'utf8') as raw from captured_emails
      where project_id = ${ctx.projectId}`);
    expect(mails).toHaveLength(1);
    const { subject, text } = await PostalMime.parse(String(mails[0]?.raw));
    expect(subject).toBe(textsFor("fr").text("mail.webhook.subject"));
    expect(text?.replaceAll("\n", " ")).toContain("L’adresse a répondu 410 Gone.");
    expect(text).not.toContain("endpoint answered");
  });

  test("is switched off after five days of failures only; one success starts them anew", async () => {
    let status = 500;
    const { row, emit, stored } = await stage(1, (_request, response) => {
      response.writeHead(status).end();
    });
    const after = async (interval: string) => {
      await database.travel(interval);
      await emit();
      await deliverDue(database.db);
    };
    await deliverDue(database.db);
    await after("4 days");
    status = 200;
    await after("23 hours");
    expect(await row()).toMatchObject({ enabled: true, failingSince: null });
    status = 500;
    await after("1 hour");
    await after("4 days 23 hours");
    expect(await row()).toMatchObject({ enabled: true });
    await after("2 hours");
    expect(await row()).toMatchObject({
      enabled: false,
      disabledReason: "Every delivery failed for five days.",
    });
    expect((await stored()).filter((one) => one.status === "PENDING")).toHaveLength(0);
  });

  test("that is switched off while a worker holds what it never called leaves nothing waiting", async () => {
    const { ctx, webhook, stored } = await stage(3);
    const held = await claimDeliveries(
      database.db,
      { byWebhook: new Map(), others: 3, proven: [], unproven: 3, limit: 0 },
      60,
    );
    expect(held).toHaveLength(3);
    await updateWebhook(ctx, webhook.id, { enabled: false });
    await releaseDeliveries(database.db, held);
    for (const delivery of await stored()) {
      expect(delivery).toMatchObject({ status: "FAILED", due_in: null });
    }
  });

  test("that a person switches off gets nothing more, and starts fresh when switched on", async () => {
    const { ctx, webhook, receiver, stored, emit, row } = await stage(3, (_request, response) => {
      response.writeHead(500).end();
    });
    await deliverDue(database.db);
    await updateWebhook(ctx, webhook.id, { enabled: false });
    const calls = receiver.calls.length;
    await database.travel("1 hour");
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(calls);
    expect((await stored()).map((one) => one.status)).toEqual(["FAILED", "FAILED", "FAILED"]);
    await updateWebhook(ctx, webhook.id, { enabled: true });
    expect(await row()).toMatchObject({ enabled: true, failingSince: null, disabledReason: null });
    await emit();
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(calls + 1);
  });

  test("that hangs does not hold the others up", async () => {
    for (let index = 0; index < 10; index++) {
      await stage(50, () => {
        // No answer, ever.
      });
    }
    const healthy = await stage(500);
    const running = new AbortController();
    const { WebhookDeliverer } = await import("./deliverer");
    const started = performance.now();
    const done = new WebhookDeliverer({ db: database.db }).run(running.signal);
    await expect
      .poll(() => healthy.receiver.calls.length, { timeout: 12_000, interval: 20 })
      .toBe(500);
    // Before the first of the hung calls has ended.
    expect(performance.now() - started).toBeLessThan(14_000);
    running.abort();
    for (const stop of stops.splice(0)) await stop();
    await done;
  });

  test("at a private address is not called where those are not permitted", async () => {
    const { receiver, stored } = await stage();
    process.env["ALLOW_PRIVATE_ADDRESSES"] = "0";
    reloadEnv();
    await deliverDue(database.db);
    expect(receiver.calls).toHaveLength(0);
    expect((await stored())[0]).toMatchObject({ status: "PENDING", response_status: null });
  });
});

test("deliveries are cleared away after 30 days", async () => {
  const { stored, emit } = await stage();
  await deliverDue(database.db);
  await database.travel("29 days");
  await emit();
  await cleanUp(database.db, AbortSignal.timeout(10_000));
  expect(await stored()).toHaveLength(2);
  await database.travel("2 days");
  await cleanUp(database.db, AbortSignal.timeout(10_000));
  expect(await stored()).toHaveLength(1);
});

test("deliveries are claimed and recorded by the statements that stand beside this test", async () => {
  await stage(1);
  const text = await recordStatements(database.url, async (db) => {
    const rooms = { byWebhook: new Map(), others: 1, proven: [], unproven: 1, limit: 1 };
    const deliveries = await claimDeliveries(db, rooms, 60);
    const failed = { ok: false, gone: false, retryAfterSeconds: 5, status: 500, body: "" };
    await recordOutcomes(
      db,
      deliveries.map((delivery) => ({ ...failed, delivery, error: null, milliseconds: 1 })),
    );
  });
  await expect(text).toMatchFileSnapshot("./deliverer.sql");
});
