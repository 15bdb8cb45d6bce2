import { afterEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { updateWebhook } from "@/lib/domain/webhooks/webhooks";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import {
  emitCampaigns,
  makeWebhook,
  startEndpoint,
  storedDeliveries,
} from "@/lib/testing/webhooks";
import { WebhookDeliverer } from "./deliverer";

const database = useTestDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const answerMilliseconds = 600;

/** 500 deliveries for an endpoint that takes its time, and a worker that has got into its stride. */
async function stage() {
  const { ctx, projectId } = await makeProject(database.db);
  const receiver = await startEndpoint((_request, response) => {
    setTimeout(() => response.end("ok"), answerMilliseconds);
  });
  const webhook = await makeWebhook(ctx, receiver.url);
  await emitCampaigns(database.db, projectId, 500);
  const running = new AbortController();
  const done = new WebhookDeliverer({ db: database.db }).run(running.signal);
  stops.push(
    async () => {
      running.abort();
      await done;
    },
    () => receiver.stop(),
  );
  await until(() => receiver.calls.length >= 120, { seconds: 30 });
  return { ctx, projectId, receiver, webhook };
}

test("a webhook that is switched off is soon called no more, however much a worker held for it", async () => {
  const { ctx, projectId, receiver, webhook } = await stage();
  await updateWebhook(ctx, webhook.id, { enabled: false });
  await until(
    async () => {
      const stored = await storedDeliveries(database.db, projectId);
      return stored.every(({ status }) => status !== "PENDING");
    },
    { seconds: 30 },
  );
  expect(receiver.calls.length).toBeLessThan(350);
}, 60_000);

test("what waits for a webhook that is given another address goes there", async () => {
  const { ctx, receiver, webhook } = await stage();
  const next = await startEndpoint();
  stops.push(() => next.stop());
  await updateWebhook(ctx, webhook.id, { url: next.url });
  await until(() => receiver.calls.length + next.calls.length >= 500, { seconds: 30 });
  expect(receiver.calls.length).toBeLessThan(350);
  const ids = [...receiver.calls, ...next.calls].map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(500);
}, 60_000);
