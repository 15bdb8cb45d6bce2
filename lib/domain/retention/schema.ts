import { z } from "zod";
import type { KeptKind } from "@/db/enums";

/**
 * The fewest days of each kind: mail may be scheduled 30 days ahead, and reports on it come later; events are in
 * the stream for 30 days; people look for a receipt's link for months.
 */
export const leastDays: Record<KeptKind, number> = {
  emails: 60,
  contents: 1,
  events: 30,
  links: 90,
  captured: 1,
  received: 1,
  webhookDeliveries: 1,
  audit: 30,
  reports: 7,
};
const mostDays = 36_500;

const days = (kind: KeptKind, what: string) =>
  z
    .int()
    .min(leastDays[kind], `is less than ${leastDays[kind]}`)
    .max(mostDays, `is more than ${mostDays}`)
    .nullable()
    .optional()
    .meta({ description: `${what} null: as long as the installation keeps them.` });

export const retentionUpdate = z
  .strictObject({
    emails: days(
      "emails",
      "Days for which records of emails are kept, with their events and content; figures stay.",
    ),
    contents: days(
      "contents",
      "Days for which HTML, text, variables and attachments of emails outside campaigns are kept, once nothing of them waits. Records stay.",
    ),
    events: days(
      "events",
      "Days for which events of emails are kept; they go by whole months (UTC). An email's status, counts and times stay.",
    ),
    links: days(
      "links",
      "Days for which tracked links in emails outside campaigns lead to their destinations.",
    ),
    captured: days("captured", "Days for which captured mail is kept."),
    received: days("received", "Days for which mail that came in is kept."),
    webhookDeliveries: days("webhookDeliveries", "Days for which deliveries of webhooks are kept."),
    audit: days("audit", "Days for which entries of the audit log are kept."),
    reports: days("reports", "Days for which DMARC and TLS reports on domains are kept."),
  })
  .meta({ description: "Only the kinds that are present change." });
export type RetentionUpdate = z.infer<typeof retentionUpdate>;

const kept = z.object({
  days: z
    .int()
    .nullable()
    .meta({ description: "The project's own setting; null when it has none." }),
  atMost: z
    .int()
    .nullable()
    .meta({ description: "Days for which the installation keeps them; null: indefinitely." }),
});

export const retention = z.object({
  emails: kept,
  contents: kept,
  events: kept,
  links: kept,
  captured: kept,
  received: kept,
  webhookDeliveries: kept,
  audit: kept,
  reports: kept,
});
export type Retention = z.infer<typeof retention>;
