import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { WebhookDeliverer } from "@/lib/engine/webhooks/deliverer";
import type { WebhookPayload } from "@/lib/domain/webhooks/payload";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { emitEvents } from "@/lib/ground/events/emit";
import type { WebhookEvent } from "@/lib/ground/events/names";
import { toItsEnd } from "./to-its-end";

/** One call as an endpoint got it. */
export interface ReceivedCall {
  headers: IncomingHttpHeaders;
  body: string;
  payload: WebhookPayload;
}

export interface TestEndpoint {
  url: string;
  calls: ReceivedCall[];
  stop(): Promise<void>;
}

/**
 * A real HTTP server on loopback that keeps its calls; answers 200 unless told otherwise. What an earlier test left
 * undelivered finds nothing here, should this server have been given the port of that test's.
 */
export async function startEndpoint(
  answer: RequestListener = (_request, response) => response.end("ok"),
  port = 0,
): Promise<TestEndpoint> {
  const calls: ReceivedCall[] = [];
  const path = `/${randomUUID()}`;
  const server = createServer((request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    void text(request).then((body) => {
      calls.push({
        headers: request.headers,
        body,
        payload: JSON.parse(body) as WebhookPayload,
      });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    calls,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Tells a project's endpoints of `count` campaigns, numbered from 0 in `data.index`. */
export const emitCampaigns = (db: Database, projectId: string, count = 1) =>
  emitEvents(
    db,
    Array.from({ length: count }, (_, index) => ({
      projectId,
      type: "campaign.sent" as const,
      data: { index },
    })),
  );

/** Delivers what is due, then returns. */
export async function deliverDue(db: Database, leaseSeconds?: number) {
  const deliverer = new WebhookDeliverer({ db, ...(leaseSeconds ? { leaseSeconds } : {}) });
  return toItsEnd((signal) => deliverer.run(signal, { untilEmpty: true }));
}

/** A webhook with what tests need from it. */
export async function makeWebhook(
  ctx: Context,
  url: string,
  events: (WebhookEvent | "*")[] = ["*"],
): Promise<{ id: string; uuid: string; secret: string }> {
  const { id, secret } = await createWebhook(ctx, { url, events });
  return { id, uuid: decodeId("webhook", id) ?? "", secret };
}

export interface StoredDelivery extends Record<string, unknown> {
  id: string;
  event: string;
  status: string;
  attempts: number;
  due_in: number | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  earlier: { status: number | null }[];
}

/** Deliveries of a project in the order in which they were made. */
export function storedDeliveries(db: Database, projectId: string) {
  return db.execute<StoredDelivery>(sql`
    select id, event, status, attempts, extract(epoch from due_at - app_now())::float8 as due_in,
      response_status, response_body, error, earlier
    from webhook_deliveries where project_id = ${projectId} order by id`);
}
