import { webhookEvents, type EventSubject, type WebhookEvent } from "@/lib/ground/events/names";

/** The name of every group: events about something new do not compile until they have one. */
const groupNames: Record<EventSubject, string> = {
  email: "Emails",
  contact: "Contacts",
  import: "Imports",
  campaign: "Campaigns",
  domain: "Domains",
};

/** Events by what they are about; within a group in the order of the schema. */
export const eventGroups: readonly { name: string; events: readonly WebhookEvent[] }[] =
  Object.entries(groupNames).map(([subject, name]) => ({
    name,
    events: webhookEvents.filter((event) => event.startsWith(`${subject}.`)),
  }));

/** What a webhook listens to, in few words. */
export function eventsInWords(events: readonly string[]): string {
  if (events.includes("*")) return "All events";
  const [first = "", second] = events;
  if (events.length > 2) return `${first} and ${events.length - 1} more`;
  return second ? `${first} and ${second}` : first;
}
