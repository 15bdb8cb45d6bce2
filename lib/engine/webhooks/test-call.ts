import { sql } from "drizzle-orm";
import { webhookDeliveries } from "@/db/schema";
import { getDelivery, webhookRow } from "@/lib/domain/webhooks/deliveries";
import { sampleData } from "@/lib/domain/webhooks/samples";
import type { WebhookDeliveryDetail, WebhookTestInput } from "@/lib/domain/webhooks/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { webhookEvents, type WebhookEvent } from "@/lib/ground/events/names";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { attemptDelivery } from "./attempt";
import { claimDelivery } from "./claim";
import { recordOutcomes } from "./record";
import { tellTeam } from "./tell-team";

const leaseSeconds = 60;

/**
 * Calls the webhook with a made-up event, now, switched on or not, and answers with what came back. There
 * is no second try. Throws NOT_FOUND. Needs admin.
 */
export async function testWebhook(
  ctx: Context,
  id: string,
  input: WebhookTestInput,
): Promise<WebhookDeliveryDetail> {
  requireRole(ctx, "admin");
  const webhook = await webhookRow(ctx, id);
  const event = input.event ?? firstEvent(webhook.events);
  const deliveryId = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(webhookDeliveries)
      .values({
        id: newId(ctx.projectId),
        projectId: ctx.projectId,
        webhookId: webhook.id,
        eventId: newId(ctx.projectId),
        event,
        data: sampleData(event, new Date()),
        // If this process ends in the meantime, a worker makes the call instead.
        dueAt: sql`app_now() + make_interval(secs => ${leaseSeconds})`,
      })
      .returning({ id: webhookDeliveries.id });
    if (!row) throw new Error("An insert returned no row.");
    await audit(tx, ctx, "test.webhook", id, { url: webhook.url });
    return row.id;
  });
  const claimed = await claimDelivery(ctx.db, deliveryId, leaseSeconds);
  if (claimed) {
    const outcome = await attemptDelivery({ ...claimed, aboutErased: false }, null);
    const disabled = await recordOutcomes(ctx.db, [{ ...outcome, retryAfterSeconds: null }]);
    for (const disabledWebhook of disabled) await tellTeam(ctx.db, disabledWebhook);
  }
  return getDelivery(ctx, { id: encodeId("delivery", deliveryId) });
}

function firstEvent(events: readonly string[]): WebhookEvent {
  return webhookEvents.find((event) => events.includes(event)) ?? "email.delivered";
}
