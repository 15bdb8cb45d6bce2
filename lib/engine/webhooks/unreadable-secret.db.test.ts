import { eq } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { webhooks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { rotateWebhookSecret } from "@/lib/domain/webhooks/webhooks";
import { emitEvents } from "@/lib/ground/events/emit";
import { makeProject } from "@/lib/testing";
import { deliverDue, makeWebhook, startEndpoint, storedDeliveries } from "@/lib/testing/webhooks";

const database = useTestDatabase();
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function stage() {
  const { ctx, projectId } = await makeProject(database.db);
  const receiver = await startEndpoint();
  stops.push(() => receiver.stop());
  const webhook = await makeWebhook(ctx, receiver.url);
  await emitEvents(database.db, [{ projectId, type: "campaign.sent", data: {} }]);
  return { ctx, projectId, receiver, webhook };
}

test("a secret that cannot be read stops its own webhook, says so, and nobody else's", async () => {
  const broken = await stage();
  const other = await stage();
  await database.db
    .update(webhooks)
    .set({ secretSealed: "AAAA" })
    .where(eq(webhooks.id, broken.webhook.uuid));
  await deliverDue(database.db);
  expect([broken.receiver.calls.length, other.receiver.calls.length]).toEqual([0, 1]);
  expect(await storedDeliveries(database.db, broken.projectId)).toMatchObject([
    { status: "PENDING", attempts: 1, error: expect.stringContaining("secret") as string },
  ]);
  await rotateWebhookSecret(broken.ctx, broken.webhook.id);
  await database.db.execute(
    "update webhook_deliveries set due_at = app_now() where due_at is not null",
  );
  await deliverDue(database.db);
  expect(broken.receiver.calls).toHaveLength(1);
});
