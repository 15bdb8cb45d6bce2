import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { emitCampaigns, makeWebhook, startEndpoint } from "@/lib/testing/webhooks";
import { WebhookDeliverer } from "./deliverer";

const database = useTestDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A project with one endpoint, which it tells of campaigns. */
async function stage(...given: Parameters<typeof startEndpoint>) {
  const { ctx, projectId } = await makeProject(database.db);
  const receiver = await startEndpoint(...given);
  stops.push(() => receiver.stop());
  await makeWebhook(ctx, receiver.url);
  const emit = (count = 1) => emitCampaigns(database.db, projectId, count);
  return { projectId, receiver, emit };
}

const hangs = () => {
  // No answer, ever.
};

/** Works until the test ends. Calls that hang then break off, so that it need not wait for them. */
function startDeliverer(): WebhookDeliverer {
  const running = new AbortController();
  const deliverer = new WebhookDeliverer({ db: database.db });
  const done = deliverer.run(running.signal);
  stops.unshift(() => Promise.resolve(running.abort()));
  stops.push(async () => void (await done));
  return deliverer;
}

test("however many hang, those that answer have room", async () => {
  const healthy = await stage();
  await healthy.emit();
  const hanging = await stage(hangs);
  await database.db.execute(sql`
    insert into webhooks (id, project_id, url, events, secret_sealed)
    select gen_random_uuid(), project_id, url, events, secret_sealed
    from webhooks, generate_series(1, 699) where project_id = ${hanging.projectId}`);
  const deliverer = startDeliverer();
  await until(() => healthy.receiver.calls.length === 1, { seconds: 20 });
  await hanging.emit();
  deliverer.notify();
  await until(() => hanging.receiver.calls.length >= 256, { seconds: 20 });
  for (let round = 2; round <= 4; round++) {
    const emitted = performance.now();
    await healthy.emit();
    deliverer.notify();
    await until(() => healthy.receiver.calls.length === round, { seconds: 30 });
    expect(performance.now() - emitted).toBeLessThan(6_000);
  }
}, 60_000);
