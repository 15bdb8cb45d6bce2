import { listEvents } from "@/lib/domain/events/read";
import { eventPage, eventQuery } from "@/lib/domain/events/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { deliveryExample } from "./webhook-deliveries";

export const eventOperation = operation({
  method: "get",
  path: "/v1/events",
  name: "listEvents",
  summary: "Read events as they come",
  description:
    "What webhooks are told of, for those who ask: oldest first, none missing and none twice. Start without `after` for all that is kept (30 days), or with `after=now`; then pass `nextCursor` as `after` each time: at once while `hasMore` is true, else after a pause of your choice. An event appears when all changes that began before it have ended, mostly within a second. 410 CURSOR_EXPIRED says that events after the cursor are gone, and names the oldest cursor.",
  tag: "Events",
  access: "viewer",
  rate: "api",
  query: eventQuery,
  answer: eventPage,
  answerExample: {
    data: [{ id: deliveryExample.eventId, ...deliveryExample.request.body }],
    nextCursor: "WyI4MTUiLCIwMTkzNmQ3ZS04ZjJhLTdjZGUtOWE0Yi0zZjVlNmQ3YzhiOWEiXQ",
    hasMore: false,
  },
  successStatuses: [200],
  // Their order is that of the primary's transactions.
  reads: "primary",
  errors: ["CURSOR_EXPIRED"],
  run: async (ctx, { query }) => ({ status: 200, body: await listEvents(ctx, query) }),
});
