import { afterEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import {
  emitCampaigns,
  makeWebhook,
  startEndpoint,
  type TestEndpoint,
} from "@/lib/testing/webhooks";
import { WebhookDeliverer } from "./deliverer";

const database = useTestDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A project with endpoints that are told of campaigns. */
async function stage(endpoints: number, ...given: Parameters<typeof startEndpoint>) {
  const { ctx, projectId } = await makeProject(database.db);
  const receivers: TestEndpoint[] = [];
  for (let nth = 0; nth < endpoints; nth++) {
    const receiver = await startEndpoint(...given);
    stops.push(() => receiver.stop());
    await makeWebhook(ctx, receiver.url);
    receivers.push(receiver);
  }
  const emit = (count = 1) => emitCampaigns(database.db, projectId, count);
  return { emit, calls: () => receivers.reduce((sum, { calls }) => sum + calls.length, 0) };
}

test("endpoints that take their time and always have more to be told hold no other back", async () => {
  const others = await stage(1);
  const busy = await stage(20, (_request, response) => {
    setTimeout(() => response.end("ok"), 1_000);
  });
  await busy.emit(250);
  const running = new AbortController();
  const deliverer = new WebhookDeliverer({ db: database.db });
  const done = deliverer.run(running.signal);
  stops.unshift(async () => {
    running.abort();
    await done;
  });
  // All calls are taken.
  await until(() => busy.calls() >= 1_500, { seconds: 60 });
  const before = busy.calls();
  await others.emit();
  deliverer.notify();
  await until(() => others.calls() === 1, { seconds: 60 });
  // It is claimed while some of what is under way ends, and then it has its turn.
  expect(busy.calls() - before).toBeLessThan(1_500);
}, 90_000);
