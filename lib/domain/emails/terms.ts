import type { EmailSource } from "@/db/enums";

/** Characters. */
export const largestSubject = 998;
/** Days from now. */
export const farthestScheduleDays = 30;

/** The contract's words for where mail comes from; it calls a list's own mail WORKFLOW. */
export const publicEmailSources = ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"] as const;
export type PublicEmailSource = (typeof publicEmailSources)[number];

export function publicEmailSource(source: EmailSource): PublicEmailSource {
  return source === "LIST" ? "WORKFLOW" : source;
}

export function storedEmailSource(source: PublicEmailSource): EmailSource {
  return source === "WORKFLOW" ? "LIST" : source;
}

/** What may have happened to an email, whatever came after. */
export const logEvents = [
  "sent",
  "delivered",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "unsubscribed",
  "failed",
] as const;
export type LogEvent = (typeof logEvents)[number];

/** Those, and what figures call sent: mail that a server took, or refused for good. */
export const countedEvents = [...logEvents, "handed_over"] as const;
export type CountedEvent = (typeof countedEvents)[number];
