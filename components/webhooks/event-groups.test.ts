import { expect, test } from "vitest";
import { eventGroups, eventsInWords } from "./event-groups";
import { webhookEvents } from "@/lib/ground/events/names";

test("each event stands in one group", () => {
  expect(eventGroups.flatMap(({ events }) => events).sort()).toEqual([...webhookEvents].sort());
});

test.each([
  [["*"], "All events"],
  [["email.sent"], "email.sent"],
  [["email.sent", "email.bounced"], "email.sent and email.bounced"],
  [["email.sent", "email.bounced", "contact.created"], "email.sent and 2 more"],
])("%j in words", (events, words) => {
  expect(eventsInWords(events)).toBe(words);
});
