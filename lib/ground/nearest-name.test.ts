import { expect, test } from "vitest";
import { nearestName } from "./nearest-name";

const fields = [
  "to",
  "from",
  "fromName",
  "subject",
  "segmentId",
  "scheduledAt",
  "templateId",
  "data",
];

test.each([
  ["segment_id", "segmentId"],
  ["SegmentID", "segmentId"],
  ["scheduled-at", "scheduledAt"],
  ["schedule", "scheduledAt"],
  ["segment", "segmentId"],
  ["subjekt", "subject"],
  ["sbuject", "subject"],
  ["form", "from"],
  ["from_name", "fromName"],
  ["tempalteId", "templateId"],
])("%s was probably meant to be %s", (written, meant) => {
  expect(nearestName(written, fields)).toBe(meant);
});

test.each(["permission", "x", "", "_", "abTest", "o".repeat(61), "__proto__"])(
  "nothing comes close to %j",
  (written) => expect(nearestName(written, fields)).toBeNull(),
);
