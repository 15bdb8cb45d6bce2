import { z } from "zod";
import type { KeptKind } from "@/db/enums";

/** The fewest days of each kind: mail may be scheduled 30 days ahead, and reports on it come later. */
export const leastDays: Record<KeptKind, number> = {
  emails: 60,
  captured: 1,
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
    captured: days("captured", "Days for which captured mail is kept."),
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
  captured: kept,
  webhookDeliveries: kept,
  audit: kept,
  reports: kept,
});
export type Retention = z.infer<typeof retention>;
