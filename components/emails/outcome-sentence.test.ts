import { expect, test } from "vitest";
import type { EmailEventName, EmailStatus } from "@/db/enums";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { bounceText, nextTryOf, replyOf, outcomeSentence } from "./outcome-sentence";

const at = "2026-11-21T09:30:00.000Z";

function event(name: EmailEventName, data: Record<string, unknown> = {}) {
  return { name, data, createdAt: at };
}

function email(
  status: EmailStatus,
  events: EmailRecord["events"],
  scheduledAt: string | null = null,
): EmailRecord {
  return {
    id: "em_1",
    subject: "Hello",
    status,
    sentAt: null,
    contact: null,
    source: "TRANSACTIONAL",
    opens: 0,
    clicks: 0,
    createdAt: at,
    from: "a@example.com",
    fromName: "",
    deliveredAt: null,
    openedAt: null,
    clickedAt: null,
    bouncedAt: null,
    complainedAt: null,
    scheduledAt,
    template: null,
    messageId: "em_1@example.com",
    campaignId: null,
    metadata: {},
    events: [event("queued"), ...events],
  };
}

test("a server's words are shown as it said them, with its codes", () => {
  const refused = event("bounced", { code: 550, enhancedCode: "5.1.1", response: "No such user" });
  expect(replyOf(refused)).toBe("550 5.1.1 No such user");
  expect(replyOf(event("sent", { response: "250 2.0.0 Ok" }))).toBe("250 2.0.0 Ok");
  // A report has the codes in the words, too.
  const reported = { code: 552, enhancedCode: "5.2.2", response: "552 5.2.2 Mailbox full" };
  expect(replyOf(event("bounced", reported))).toBe("552 5.2.2 Mailbox full");
  const multiline = { code: 550, enhancedCode: "5.1.1", response: "550-5.1.1 No such 550 user" };
  expect(replyOf(event("bounced", multiline))).toBe("550-5.1.1 No such 550 user");
  const coded = { enhancedCode: "5.1.1", response: "5.1.1 No such user" };
  expect(replyOf(event("bounced", coded))).toBe("5.1.1 No such user");
  const uncoded = { enhancedCode: "5.0.0", response: "Unrouteable address" };
  expect(replyOf(event("bounced", uncoded))).toBe("5.0.0 Unrouteable address");
  expect(replyOf(event("opened", { machine: true }))).toBeNull();
});

test("a message that was refused and is tried again says so", () => {
  const data = { stage: "message", code: 554, response: "Rejected", retryAfterSeconds: 300 };
  expect(outcomeSentence(email("PENDING", [event("deferred", data)]))).toMatchObject({
    kind: "warning",
    title: "The mail server refused it",
    next: "2026-11-21T09:35:00.000Z",
    reply: "554 Rejected",
  });
});

test("mail that was put off says when it is tried again; mail that waits for its time, when that is", () => {
  const deferred = event("deferred", { code: 451, response: "Later", retryAfterSeconds: 300 });
  expect(nextTryOf(deferred)).toBe("2026-11-21T09:35:00.000Z");
  expect(outcomeSentence(email("PENDING", [deferred]))).toMatchObject({
    kind: "warning",
    next: "2026-11-21T09:35:00.000Z",
    reply: "451 Later",
  });
  const later = "2026-11-22T08:00:00.000Z";
  expect(outcomeSentence(email("PENDING", [], later))).toMatchObject({
    title: "Scheduled",
    next: later,
  });
  expect(outcomeSentence(email("PENDING", []))).toMatchObject({
    title: "In the queue",
    next: null,
  });
});

test("what was not sent says why", () => {
  const suppressed = outcomeSentence(
    email("FAILED", [event("suppressed", { reason: "hard_bounce" })]),
  );
  expect(suppressed.text).toContain("bounced permanently before");
  const unknown = outcomeSentence(
    email("FAILED", [event("suppressed", { reason: "constructor" })]),
  );
  expect(unknown.text).toBe("The address is suppressed.");
  const cancelled = outcomeSentence(
    email("FAILED", [event("failed", { reasonCode: "cancelled", reason: "cancelled" })]),
  );
  expect(cancelled).toMatchObject({ kind: "info", title: "Cancelled" });
  const withCampaign = outcomeSentence(
    email("FAILED", [
      event("failed", { reasonCode: "campaign_cancelled", reason: "campaign cancelled" }),
    ]),
  );
  expect(withCampaign).toMatchObject({ kind: "info", title: "Cancelled" });
  expect(withCampaign.text).toContain("campaign was cancelled");
  const ours = outcomeSentence(
    email("FAILED", [event("failed", { reason: "body: line 3, column 1" })]),
  );
  expect(ours.text).toContain("body: line 3, column 1.");
});

test("a hard bounce says that the address is suppressed, a soft one does not", () => {
  const bounced = (type: string) =>
    outcomeSentence(email("BOUNCED", [event("bounced", { type })])).text;
  expect(bounced("hard")).toContain("suppressed");
  expect(bounced("soft")).not.toContain("suppressed");
});

test("a soft bounce says at the top what it was, and not that we gave it up when another server did", () => {
  const top = (data: Record<string, unknown>) =>
    outcomeSentence(email("BOUNCED", [event("bounced", { type: "soft", ...data })]));
  const reported = { via: "mail", reportedBy: "mx.example.net" };
  expect(
    top({ ...reported, cause: "mailbox_full", response: "452 4.2.2 Over quota" }),
  ).toMatchObject({
    title: "The receiving server refused it",
    text: "The mailbox is full. The address itself may be fine.",
  });
  const away = { cause: "unreachable", response: "connect to mx: Connection refused" };
  expect(top({ ...reported, ...away })).toMatchObject({
    title: "The receiving server could not be reached",
    text: "The address itself may be fine.",
  });
  expect(top({ response: "Not today" }).text).toBe(
    "It was rejected, or put off for too long. The address itself may be fine.",
  );
});

test("a server that does not prove who it is is not said to have refused the mail", () => {
  const data = { code: 454, enhancedCode: "4.7.5", response: "No mail server proved who it is." };
  const waiting = outcomeSentence(email("PENDING", [event("deferred", data)]));
  const bounce = event("bounced", { ...data, type: "soft", cause: "policy" });
  for (const { title } of [waiting, outcomeSentence(email("BOUNCED", [bounce]))]) {
    expect(title).toBe("The receiving server did not prove who it is");
  }
  expect(bounceText(bounce)).toContain("did not prove who it is");
});

test("mail that was passed on is not said to have reached the receiver", () => {
  const handed = event("sent", { code: 250, response: "2.0.0 Ok: queued as 4F" });
  const { kind, title, text, reply } = outcomeSentence(email("SENT", [handed]));
  expect({ kind, title }).toEqual({ kind: "info", title: "Accepted, not confirmed" });
  expect(text).toContain("No report of its arrival");
  expect(`${title} ${text}`).not.toMatch(/receiving server|arrived/);
  expect(reply).toBe("250 2.0.0 Ok: queued as 4F");
});

test("what the mail server has against a mail is not put into the receiver's mouth", () => {
  const refused = { type: "soft", code: 550, response: "No", cause: "policy" };
  expect(bounceText(event("bounced", refused))).toBe(
    "The mail server's policy rejects this email.",
  );
  for (const data of [{ host: "mx.example.net" }, { via: "provider" }]) {
    expect(bounceText(event("bounced", { ...refused, ...data }))).toBe(
      "The receiving server's policy rejects this email.",
    );
  }
  expect(outcomeSentence(email("BOUNCED", [event("bounced", refused)])).title).toBe(
    "The mail server refused it",
  );
});

test("captured mail is not said to be delivered", () => {
  const captured = event("sent", { code: 250, enhancedCode: "2.0.0", response: "Captured." });
  const delivered = email("DELIVERED", [captured, event("delivered")]);
  expect(outcomeSentence(delivered).title).toBe("Captured instead of sent");
  const real = email("DELIVERED", [event("sent", { code: 250, response: "Ok" })]);
  expect(outcomeSentence(real)).toMatchObject({ title: "Delivered", reply: "250 Ok" });
});

test.each([
  [{ type: "hard" }, "Permanent: The address does not exist or does not accept mail."],
  [
    { type: "hard", cause: "invalid_address" },
    "Permanent: The address does not exist or does not accept mail.",
  ],
  [
    { type: "hard", cause: "mailbox_full" },
    "The mailbox is full. Mail to this address has bounced too often in a row, so it counts as permanent.",
  ],
  [
    { type: "hard", cause: "other" },
    "Mail to this address has bounced too often in a row, so it counts as permanent.",
  ],
  [{ type: "soft", cause: "mailbox_full" }, "The mailbox is full."],
  [{ type: "soft" }, "The address itself may be fine."],
])("a bounce says its cause, and when it came once too often (%j)", (data, sentence) => {
  expect(bounceText(event("bounced", data))).toBe(sentence);
});

test("an address given up for a full mailbox is not called one that does not work", () => {
  const { text } = outcomeSentence(
    email("BOUNCED", [event("bounced", { type: "hard", cause: "mailbox_full" })]),
  );
  expect(text).toContain("keeps bouncing");
});
