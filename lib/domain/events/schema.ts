import { z } from "zod";
import { webhookEvents } from "@/lib/ground/events/names";

const eventNames: ReadonlySet<string> = new Set(webhookEvents);

export const eventQuery = z.strictObject({
  after: z.string().min(1).max(200).optional().meta({
    description:
      "`nextCursor` from the previous answer; `now`: only what happens from now on. Without it: from the oldest event that is kept.",
    example: "WyI4MTUiLCIwMTkzNmQ3ZS04ZjJhLTdjZGUtOWE0Yi0zZjVlNmQ3YzhiOWEiXQ",
  }),
  types: z
    .string()
    .max(1_000)
    .refine((text) => text.split(",").every((type) => eventNames.has(type)), {
      error: ({ input }) =>
        `has no event called ${JSON.stringify(
          String(input)
            .split(",")
            .find((type) => !eventNames.has(type)),
        )}`,
    })
    .optional()
    .meta({
      description: "Names of events, separated by commas; if absent, all events.",
      example: "email.bounced,email.complained",
    }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: "The most events in one answer, 1 to 500.", example: 100 }),
});
export type EventQuery = z.infer<typeof eventQuery>;

export const event = z
  .object({
    id: z.string().meta({
      description: "The same as a webhook's `webhook-id`.",
      example: "evt_01kat4rz8wc3t5y2m8n0k4j7dz",
    }),
    type: z.enum(webhookEvents),
    timestamp: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()).meta({
      description: "The event as webhooks get it; each type is under `webhooks` in this document.",
    }),
  })
  .meta({ id: "Event" });

export const eventPage = z
  .object({
    data: z.array(event),
    nextCursor: z.string().meta({
      description: "Always present, even without events: pass it as `after` the next time.",
    }),
    hasMore: z.boolean().meta({
      description:
        "There may already be more: ask again at once. With `types`, an answer can be short or even empty and still be followed by more.",
    }),
  })
  .meta({ id: "EventPage" });
export type EventPage = z.infer<typeof eventPage>;
