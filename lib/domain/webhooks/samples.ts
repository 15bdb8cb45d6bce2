import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import type { z } from "zod";
import type { eventSchemas } from "./event-schemas";
import type { WebhookEvent } from "@/lib/ground/events/names";

/** What a sample is made of. */
interface Ingredients {
  uuid: string;
  /** ISO 8601. */
  time: string;
}
type Data<Event extends WebhookEvent> = z.infer<(typeof eventSchemas)[Event]>;

const person = (uuid: string) => ({ id: encodeId("contact", uuid), email: "ada@example.com" });

const email = (uuid: string) => ({
  emailId: encodeId("email", uuid),
  messageId: `${encodeId("email", uuid)}@example.com`,
  contact: person(uuid),
  campaignId: null,
  metadata: {},
});

const contact = ({ uuid, time }: Ingredients, subscribed = true) => ({
  ...person(uuid),
  firstName: "Ada",
  lastName: "Lovelace",
  subscribed,
  tags: [],
  data: {},
  createdAt: time,
  updatedAt: time,
});

const campaign = (uuid: string) => ({
  campaignId: encodeId("campaign", uuid),
  name: "Spring offer",
});

const domain = ({ uuid, time }: Ingredients, verified: boolean) => ({
  id: encodeId("domain", uuid),
  name: "example.com",
  status: verified ? ("VERIFIED" as const) : ("FAILED" as const),
  builtIn: false,
  verifiedAt: verified ? time : null,
  checkedAt: time,
  nextCheckAt: null,
  tracking: { opens: true, clicks: true },
  inbound: false,
  trackingHost: null,
  trackingHostActive: false,
  connectionId: null,
  warmup: { enabled: false, state: "off" as const, startedOn: null, day: null, dailyCap: null },
  records: [],
  ses: [],
  createdAt: time,
});

/** Every event has a sample: a new one does not compile until it is given one. */
const samples: { [Event in WebhookEvent]: (ingredients: Ingredients) => Data<Event> } = {
  "email.sent": ({ uuid }) => ({ ...email(uuid), code: 250, response: "2.0.0 Ok: queued" }),
  "email.deferred": ({ uuid }) => ({
    ...email(uuid),
    code: 451,
    response: "4.7.1 Try again later",
    retryAfterSeconds: 300,
  }),
  "email.delivered": ({ uuid }) => email(uuid),
  "email.opened": ({ uuid }) => email(uuid),
  "email.clicked": ({ uuid }) => ({ ...email(uuid), url: "https://example.com/offer" }),
  "email.bounced": ({ uuid }) => ({
    ...email(uuid),
    type: "hard",
    code: 550,
    response: "5.1.1 No such user",
  }),
  "email.complained": ({ uuid }) => ({ ...email(uuid), type: "abuse" }),
  "email.failed": ({ uuid }) => ({ ...email(uuid), reason: "hard_bounce" }),
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
  "contact.created": (ingredients) => contact(ingredients),
  "contact.updated": (ingredients) => contact(ingredients),
  "contact.deleted": ({ uuid }) => ({ id: person(uuid).id }),
  "contact.subscribed": (ingredients) => contact(ingredients),
  "contact.unsubscribed": (ingredients) => contact(ingredients, false),
  "import.completed": ({ uuid, time }) => ({
    id: encodeId("import", uuid),
    filename: "people.csv",
    status: "COMPLETED",
    total: 3,
    processed: 3,
    created: 2,
    updated: 1,
    refused: 0,
    duplicates: 0,
    keptUnsubscribed: 0,
    tags: ["fair-2026"],
    listId: null,
    joined: 0,
    notJoined: 0,
    failureReason: null,
    createdAt: time,
    finishedAt: time,
  }),
  "campaign.started": ({ uuid }) => campaign(uuid),
  "campaign.sent": ({ uuid }) => ({ ...campaign(uuid), recipients: 1200 }),
  "campaign.paused": ({ uuid }) => campaign(uuid),
  "campaign.failed": ({ uuid }) => ({
    ...campaign(uuid),
    reason: "The sender domain is no longer verified in this project.",
  }),
  "domain.verified": (ingredients) => domain(ingredients, true),
  "domain.failed": (ingredients) => domain(ingredients, false),
};

/** Made-up `data` of an event, in the form that real ones have. */
export function exampleData(event: WebhookEvent, ingredients: Ingredients): object {
  return samples[event](ingredients);
}

/** The same, made anew for a test call: `test` tells it apart from real ones. */
export function sampleData(event: WebhookEvent, at: Date): Record<string, unknown> {
  const ingredients = { uuid: newUnownedId(), time: at.toISOString() };
  return { ...exampleData(event, ingredients), test: true };
}
