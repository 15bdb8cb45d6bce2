import { webhookEvents, type EventSubject, type WebhookEvent } from "@/lib/ground/events/names";
import { phrases, t } from "@/lib/ground/texts/t";

/** The name of every group: events about something new do not compile until they have one. */
export const groupNames: Record<EventSubject, string> = phrases({
  email: "Emails",
  contact: "Contacts",
  import: "Imports",
  campaign: "Campaigns",
  domain: "Domains",
});

/** Events by what they are about; within a group in the order of the schema. */
export const eventGroups: readonly { subject: EventSubject; events: readonly WebhookEvent[] }[] = (
  Object.keys(groupNames) as EventSubject[]
).map((subject) => ({
  subject,
  events: webhookEvents.filter((event) => event.startsWith(`${subject}.`)),
}));

/** What a webhook listens to, in few words. */
export function eventsInWords(events: readonly string[]): string {
  if (events.includes("*")) return t("All events");
  const [first = "", second] = events;
  if (events.length > 2)
    return t("{first} and {others} more", { first, others: events.length - 1 });
  return second ? t("{first} and {second}", { first, second }) : first;
}
