import { expect, test } from "vitest";
import { eventsEnd, historyEnds, storyEnds } from "./words";

const good = { days: null, atMost: null };
const kept = (days: number, atMost: number | null = null) => ({ days, atMost });
const nothing = {
  ...{ emails: good, contents: good, events: good, links: good, captured: good },
  ...{ received: good, webhookDeliveries: good, audit: good, reports: good },
};

test("pages say nothing of an end where nothing ends", () => {
  expect(historyEnds(good)).toBe("");
  expect(eventsEnd(nothing)).toBe("");
  expect(storyEnds(nothing)).toBe("");
});

test("pages say where history ends, by the project's setting or the installation's, whichever is fewer", () => {
  expect(historyEnds(kept(1))).toBe(" History ends after a day.");
  expect(historyEnds(kept(400, 90))).toBe(" History ends after 90 days.");
});

test("an email's page says what goes before the email does", () => {
  const ends = { ...nothing, emails: kept(180), events: kept(60), contents: kept(400) };
  expect(eventsEnd(ends)).toBe(
    "Deleted in the end: events after 60 days, the email itself after 180 days.",
  );
  expect(eventsEnd({ ...nothing, contents: kept(1) })).toBe(
    "Deleted in the end: content outside campaigns after a day.",
  );
});

test("a person's story says how far back each part of it goes", () => {
  const ends = { ...nothing, emails: kept(60), events: kept(90), audit: kept(1_000) };
  expect(storyEnds(ends)).toBe("Goes back: emails 60 days, changes 1,000 days.");
  // Its times of arrival, opens and clicks are the email's own.
  expect(storyEnds({ ...nothing, events: kept(30) })).toBe("");
});
