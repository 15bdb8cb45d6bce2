import { expect, test } from "vitest";
import type { EmailEventName } from "@/db/enums";
import { bounceTitle, deferralTitle, eventTitle, hostText } from "./event-titles";

const event = (name: EmailEventName, data: Record<string, unknown> = {}) => ({
  name,
  data,
  createdAt: "2026-11-21T09:30:00.000Z",
});

const later = { code: 451, enhancedCode: "4.7.1", response: "Try again later" };
const host = "mx.example.net";

test("what passes mail on is not called the receiving server; the recipient's own server is", () => {
  const taken = { code: 250, response: "Ok" };
  expect(eventTitle(event("sent", taken))).toBe("Handed to the mail server");
  expect(eventTitle(event("sent", { ...taken, host }))).toBe("Taken by the receiving server");
  expect(eventTitle(event("deferred", later))).toBe("Put off by the mail server");
  expect(eventTitle(event("deferred", { ...later, host }))).toBe("Put off by the receiving server");
  expect(deferralTitle(event("deferred", later))).toBe("The mail server asked to try again later");
  expect(deferralTitle(event("deferred", { ...later, host }))).toBe(
    "The receiving server asked to try again later",
  );
  const refused = { type: "soft", code: 550, enhancedCode: "5.7.1", response: "No" };
  expect(bounceTitle(event("bounced", refused))).toBe("The mail server refused it");
  for (const data of [{ host }, { via: "mail", reportedBy: "relay.example.net" }]) {
    const bounce = event("bounced", { ...refused, ...data });
    expect(bounceTitle(bounce)).toBe("The receiving server refused it");
  }
});

test("what was refused and is tried again was not put off", () => {
  for (const stage of ["sender", "message"]) {
    const refused = event("deferred", { code: 554, response: "Rejected", stage });
    expect(eventTitle(refused)).toBe("Refused by the mail server for now");
  }
});

test("a delay that was reported is nobody's request to us", () => {
  const reported = event("deferred", { ...later, via: "mail", reportedBy: "relay.example.net" });
  expect(eventTitle(reported)).toBe("Delayed on its way");
  expect(deferralTitle(reported)).toBe("It is delayed on its way");
});

test.each([
  ["4.4.1", "No mail server of example.net could be reached.", "could not be reached"],
  ["4.4.3", "The mail servers of example.net could not be looked up.", "could not be reached"],
  ["4.7.5", "No mail server of example.net proved who it is.", "did not prove who it is"],
])(
  "where no server of the receiver's answered, none is said to have (%s)",
  (code, response, title) => {
    const data = { code: code === "4.7.5" ? 454 : 450, enhancedCode: code, response };
    const deferred = event("deferred", { ...data, host: "example.net" });
    const bounced = event("bounced", { ...data, host: "example.net", type: "soft" });
    const said = [eventTitle(deferred), deferralTitle(deferred), bounceTitle(bounced)];
    for (const words of said) expect(words).toBe(`The receiving server ${title}`);
    expect(hostText(deferred)).toBe("Tried at example.net.");
  },
);

test("an address whose domain takes no mail was refused by nobody", () => {
  for (const enhancedCode of ["5.1.2", "5.1.3", "5.1.10"]) {
    const data = { type: "hard", code: 550, enhancedCode, response: "No.", host: "example.net" };
    expect(bounceTitle(event("bounced", data))).toBe("The address takes no mail");
  }
});

test("a session that broke off asked for nothing", () => {
  const lost = { response: "The connection was lost: ECONNRESET", attempt: 1 };
  expect(eventTitle(event("deferred", lost))).toBe("The connection to the mail server was lost");
  expect(deferralTitle(event("deferred", lost))).toBe("The connection to the mail server was lost");
  const gaveUp = { type: "soft", response: "The connection was lost: ECONNRESET" };
  expect(bounceTitle(event("bounced", gaveUp))).toBe("The connection to the mail server was lost");
});

test("the host that took the mail is named", () => {
  expect(hostText(event("sent", { host }))).toBe("The server was mx.example.net.");
  expect(hostText(event("delivered", { host }))).toBe("The server was mx.example.net.");
  expect(hostText(event("sent", { code: 250 }))).toBeNull();
});
