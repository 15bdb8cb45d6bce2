import { encodeId, newId } from "@/lib/ground/ids/ids";
import type { WebhookEvent } from "@/lib/ground/events/names";

const own: Partial<Record<WebhookEvent, Record<string, unknown>>> = {
  "email.sent": { code: 250, response: "2.0.0 Ok: queued" },
  "email.deferred": { code: 451, response: "4.7.1 Try again later", retryAfterSeconds: 300 },
  "email.clicked": { url: "https://example.com/offer" },
  "email.bounced": { type: "hard", code: 550, response: "5.1.1 No such user" },
  "email.complained": { type: "abuse" },
  "email.failed": { reason: "hard_bounce" },
};

/** Made-up `data` of an event, in the form that real ones have; `test` tells it from those. */
export function sampleData(event: WebhookEvent, at: Date): Record<string, unknown> {
  const id = newId();
  const time = at.toISOString();
  const person = { id: encodeId("contact", id), email: "ada@example.com" };
  switch (event.split(".")[0]) {
    case "email":
      return {
        emailId: encodeId("email", id),
        messageId: `${encodeId("email", id)}@example.com`,
        contact: person,
        campaignId: null,
        metadata: {},
        ...own[event],
        test: true,
      };
    case "contact":
      return event === "contact.deleted"
        ? { id: person.id, test: true }
        : {
            ...person,
            firstName: "Ada",
            lastName: "Lovelace",
            subscribed: event !== "contact.unsubscribed",
            tags: [],
            data: {},
            createdAt: time,
            updatedAt: time,
            test: true,
          };
    case "campaign":
      return { id: encodeId("campaign", id), name: "Spring offer", test: true };
    case "domain":
      return { id: encodeId("domain", id), name: "example.com", test: true };
    default:
      return {
        id: encodeId("import", id),
        status: "COMPLETED",
        created: 2,
        updated: 1,
        test: true,
      };
  }
}
