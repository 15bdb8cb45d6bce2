import { z } from "zod";
import { eventSchemas } from "@/lib/domain/webhooks/event-schemas";
import { exampleData } from "@/lib/domain/webhooks/samples";
import { webhookEvents, type WebhookEvent } from "@/lib/ground/events/names";

const summaries: Record<WebhookEvent, string> = {
  "email.sent": "A mail server has taken an email",
  "email.deferred": "An email could not be delivered yet and is tried again",
  "email.delivered": "An email has arrived",
  "email.opened": "An email was opened",
  "email.clicked": "A link in an email was followed",
  "email.bounced": "An email was refused or came back",
  "email.complained": "An email was reported as spam",
  "email.failed": "An email will not be sent",
  "email.received": "Mail has come in",
  "contact.created": "A contact was created",
  "contact.updated": "A contact has changed",
  "contact.deleted": "A contact was deleted",
  "contact.subscribed": "A contact wants mail",
  "contact.unsubscribed": "A contact wants no more mail",
  "import.completed": "An import has ended",
  "campaign.started": "A campaign has begun",
  "campaign.sent": "All of a campaign has been handed over",
  "campaign.paused": "A campaign was paused",
  "campaign.failed": "A campaign has failed",
  "domain.verified": "A domain's records are right",
  "domain.failed": "A domain's records are not right any more",
};

const uuid = "01936d7e-8f2a-7cde-9a4b-3f5e6d7c8b9a";
const timestamp = "2026-11-21T09:31:00.000Z";

/** `email.sent` as the name of a schema: EmailSentEvent. */
const schemaName = (event: WebhookEvent) =>
  `${event
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}Event`;

/** The calls that webhooks get, for the document. */
export const documentedEvents = Object.fromEntries(
  webhookEvents.map((type) => [
    type,
    {
      summary: summaries[type],
      body: z
        .object({ type: z.literal(type), timestamp: z.iso.datetime(), data: eventSchemas[type] })
        .meta({ id: schemaName(type) }),
      example: { type, timestamp, data: exampleData(type, { uuid, time: timestamp }) },
    },
  ]),
);
