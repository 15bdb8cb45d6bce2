import { webhookEvents, type WebhookEvent } from "@/lib/ground/events/names";

const names: Record<string, string> = {
  email: "Emails",
  contact: "Contacts",
  import: "Imports",
  campaign: "Campaigns",
  domain: "Domains",
};

/** Events by what they are about, in the order of the schema. */
export const eventGroups: readonly { name: string; events: readonly WebhookEvent[] }[] =
  Object.entries(names).map(([prefix, name]) => ({
    name,
    events: webhookEvents.filter((event) => event.startsWith(`${prefix}.`)),
  }));

/** What a webhook listens to, in few words. */
export function eventsInWords(events: readonly string[]): string {
  if (events.includes("*")) return "All events";
  const [first = "", second] = events;
  if (events.length > 2) return `${first} and ${events.length - 1} more`;
  return second ? `${first} and ${second}` : first;
}
