import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import type { WebhookEvent } from "@/lib/ground/events/names";

/** What a sample is made of. */
interface Ingredients {
  uuid: string;
  /** ISO 8601. */
  time: string;
}
type Sample = (ingredients: Ingredients) => Record<string, unknown>;

const person = (uuid: string) => ({ id: encodeId("contact", uuid), email: "ada@example.com" });

const email =
  (more: Record<string, unknown> = {}): Sample =>
  ({ uuid }) => ({
    emailId: encodeId("email", uuid),
    messageId: `${encodeId("email", uuid)}@example.com`,
    contact: person(uuid),
    campaignId: null,
    metadata: {},
    ...more,
  });

const contact =
  (subscribed: boolean): Sample =>
  ({ uuid, time }) => ({
    ...person(uuid),
    firstName: "Ada",
    lastName: "Lovelace",
    subscribed,
    tags: [],
    data: {},
    createdAt: time,
    updatedAt: time,
  });

const campaign: Sample = ({ uuid }) => ({ id: encodeId("campaign", uuid), name: "Spring offer" });
const domain: Sample = ({ uuid }) => ({ id: encodeId("domain", uuid), name: "example.com" });

/** Every event has its sample: a new one does not compile until it is given one. */
const samples: Record<WebhookEvent, Sample> = {
  "email.sent": email({ code: 250, response: "2.0.0 Ok: queued" }),
  "email.deferred": email({
    code: 451,
    response: "4.7.1 Try again later",
    retryAfterSeconds: 300,
  }),
  "email.delivered": email(),
  "email.opened": email(),
  "email.clicked": email({ url: "https://example.com/offer" }),
  "email.bounced": email({ type: "hard", code: 550, response: "5.1.1 No such user" }),
  "email.complained": email({ type: "abuse" }),
  "email.failed": email({ reason: "hard_bounce" }),
  "email.received": ({ uuid }) => ({
    id: encodeId("inbound", uuid),
    emailId: encodeId("email", uuid),
    messageId: "CAF0x1815@mail.example.com",
    contact: person(uuid),
    campaignId: null,
    metadata: {},
    from: { email: "ada@example.com", name: "Ada Lovelace" },
    to: ["support@shop.example"],
    subject: "Re: Your order",
    text: "Where is it?",
    html: null,
    truncated: false,
    inReplyTo: `${encodeId("email", uuid)}@shop.example`,
    references: [`${encodeId("email", uuid)}@shop.example`],
    automatic: false,
    checks: {
      spf: { result: "pass", domain: "example.com" },
      dkim: [{ result: "pass", domain: "example.com", selector: "s1", aligned: true }],
      dmarc: { result: "pass", domain: "example.com", policy: "none" },
      arc: { result: "none" },
    },
    attachments: [],
    size: 2048,
  }),
  "contact.created": contact(true),
  "contact.updated": contact(true),
  "contact.deleted": ({ uuid }) => ({ id: person(uuid).id }),
  "contact.subscribed": contact(true),
  "contact.unsubscribed": contact(false),
  "import.completed": ({ uuid }) => ({
    id: encodeId("import", uuid),
    status: "COMPLETED",
    created: 2,
    updated: 1,
  }),
  "campaign.started": campaign,
  "campaign.sent": campaign,
  "campaign.paused": campaign,
  "campaign.failed": campaign,
  "domain.verified": domain,
  "domain.failed": domain,
};

/** Made-up `data` of an event, in the form that real ones have; `test` tells it from those. */
export function sampleData(event: WebhookEvent, at: Date): Record<string, unknown> {
  return { ...samples[event]({ uuid: newUnownedId(), time: at.toISOString() }), test: true };
}
