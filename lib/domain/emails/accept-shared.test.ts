import { expect, test } from "vitest";
import { newUnownedId } from "@/lib/ground/ids/ids";
import type { AcceptMessage, AcceptUnit } from "./accept";
import { mayShare } from "./accept-shared";

const message: AcceptMessage = {
  to: [{ email: "ada@example.com", name: "" }],
  from: { email: "hello@sandbox.test", name: "" },
  ...{ subject: "Hello", html: "<p>Hello</p>", text: null, liquid: true, data: null },
  ...{ templateId: null, templateUuid: null, replyTo: null, headers: null, metadata: null },
  ...{ attachments: [], subscribed: null, scheduledAt: null, sendBefore: null },
  ...{ trackOpens: null, trackClicks: null, source: "TRANSACTIONAL" },
};
const unit = (...messages: Partial<AcceptMessage>[]): AcceptUnit => ({
  ...{ projectId: newUnownedId(), testMode: false, by: { origin: "apiKey", actorId: null } },
  messages: messages.map((fields) => ({ ...message, ...fields })),
});
const long = "x".repeat(200_000);
const content = Buffer.alloc(200_000);
const attachments = [
  { filename: "a", contentType: "a/b", contentId: null, content, sha256: content.subarray(0, 32) },
];

test.each<[string, Partial<AcceptMessage>]>([
  ["its HTML", { html: long }],
  ["its text", { text: long }],
  ["its variables", { data: { x: long } }],
  ["its headers", { headers: { "X-A": long } }],
  ["its metadata", { metadata: { a: long } }],
  ["its attachments", { attachments }],
])("a unit shares a statement with others until all it carries is too large: %s", (_, fields) => {
  expect(mayShare(unit({}, {}))).toBe(true);
  expect(mayShare(unit(fields))).toBe(true);
  expect(mayShare(unit(fields, fields))).toBe(false);
});
