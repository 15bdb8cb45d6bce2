import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BounceClass } from "@/db/enums";
import { cpuMilliseconds } from "@/lib/testing/cpu-time";
import { bounceClassOf } from "./bounce-class";
import type { RecipientStatus } from "./report";
import { readReturnedMail } from "./returned-mail";

/*
 * One file per system, written after its public documentation and the RFCs; those with a queue id of
 * November 2026 are what Postfix 3.7 and Exim 4.96 wrote, with other names and addresses.
 */

const samples = join(import.meta.dirname, "samples");
const read = (name: string) => readReturnedMail(readFileSync(join(samples, `${name}.eml`)));

type Expected = [outcome: RecipientStatus["outcome"], cause: BounceClass, code: string | null];

const statuses: Record<string, Expected> = {
  "postfix-user-unknown": ["failed", "invalid_address", "5.1.1"],
  "postfix-delayed": ["delayed", "unreachable", "4.4.1"],
  "postfix-delivered": ["delivered", "other", "2.0.0"],
  "postfix-local-unknown": ["failed", "invalid_address", "5.1.1"],
  "postfix-local-mailbox-full": ["failed", "mailbox_full", "5.2.2"],
  "postfix-gave-up": ["failed", "mailbox_full", "4.2.2"],
  "exim-mailbox-full": ["failed", "mailbox_full", "5.2.2"],
  "exim-unrouteable": ["failed", "invalid_address", "5.0.0"],
  "exim-local-mailbox-full": ["failed", "mailbox_full", "5.0.0"],
  "exim-local-delayed": ["delayed", "mailbox_full", "4.0.0"],
  "exim-delayed": ["delayed", "mailbox_full", "4.2.2"],
  "exim-gave-up": ["failed", "mailbox_full", "4.2.2"],
  "exim-unreachable": ["failed", "unreachable", "5.0.0"],
  "exim-delivered": ["delivered", "other", "2.0.0"],
  // Of Exim's "delivered" for what it passed on to a server that reports nothing.
  "exim-relayed": ["relayed", "other", "2.0.0"],
  "exim-prose": ["failed", "invalid_address", null],
  "exchange-policy": ["failed", "policy", "5.7.1"],
  "exchange-2003": ["failed", "invalid_address", "5.1.1"],
  "gmail-address-not-found": ["failed", "invalid_address", "5.1.1"],
  "sendmail-blocked": ["failed", "reputation", "5.7.1"],
  qmail: ["failed", "invalid_address", "5.1.1"],
  "yahoo-prose": ["failed", "mailbox_full", "4.2.2"],
};

describe("mail that came back", () => {
  it.each(Object.entries(statuses))("%s", (name, [outcome, cause, code]) => {
    const mail = read(name);
    if (mail.kind !== "status") throw new Error(`It was read as ${mail.kind}.`);
    expect(mail.statuses).toHaveLength(1);
    const [status] = mail.statuses;
    expect(status).toMatchObject({ outcome, words: { enhancedCode: code } });
    expect(status && bounceClassOf(status.words)).toBe(cause);
    expect([null, "ada@example.net"]).toContain(status?.recipient);
    expect(mail.reportedBy).toMatch(/\./);
  });

  it("has a test for each sample", () => {
    const complaints = ["yahoo-complaint", "microsoft-complaint", "not-spam"];
    const others = [...complaints, "out-of-office", "apple-unsubscribe"];
    const files = readdirSync(samples).map((file) => file.replace(/\.eml$/, ""));
    expect(files.toSorted()).toEqual([...Object.keys(statuses), ...others].toSorted());
  });

  it("finds the reason in prose where the machine-readable part has none", () => {
    expect(read("exim-unrouteable")).toMatchObject({
      statuses: [{ words: { code: null, text: "Unrouteable address" } }],
    });
    expect(read("exim-local-delayed")).toMatchObject({
      statuses: [{ words: { text: "mailbox is full" } }],
    });
  });

  it("finds the reason in prose where the machine-readable part has an operating system's word alone", () => {
    expect(read("postfix-local-mailbox-full")).toMatchObject({
      statuses: [
        {
          words: {
            text: "delivery failed to mailbox /var/mail/example.net/ada: error writing message: File too large",
          },
        },
      ],
    });
  });

  it("knows that nobody answered from Exim's giving up alone, and from what a server said why it refused", () => {
    const cause = (text: string) => bounceClassOf({ code: null, enhancedCode: "5.0.0", text });
    const down = "all hosts for 'example.net' have been failing for a long time";
    expect(cause("retry timeout exceeded")).toBe("unreachable");
    expect(cause(`${down} and were last tried after this message arrived`)).toBe("unreachable");
    expect(cause("retry time not reached for any host after a long failure period")).toBe(
      "unreachable",
    );
    expect(cause("mailbox is full: retry timeout exceeded")).toBe("mailbox_full");
    const greylisted = { code: 450, enhancedCode: "4.7.1" };
    const text = "450 4.7.1 Greylisted: retry timeout exceeded";
    expect(bounceClassOf({ ...greylisted, text })).toBe("policy");
  });

  it("keeps the server's own words, on one line", () => {
    expect(read("gmail-address-not-found")).toMatchObject({
      statuses: [
        {
          words: {
            code: 550,
            text: "550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address for typos or 550 5.1.1 unnecessary spaces.",
          },
        },
      ],
    });
  });

  it("is a complaint with the message it is about, whoever was left out of it", () => {
    const messageId = "em_01jd0000000000000000000000@shop.example";
    for (const name of ["yahoo-complaint", "microsoft-complaint"]) {
      expect(read(name)).toMatchObject({ kind: "complaint", type: "abuse", messageId });
    }
    expect(read("yahoo-complaint")).toMatchObject({ returnPath: null, traceId: null });
    expect(read("microsoft-complaint")).toMatchObject({
      returnPath: "b-01jd0000000000000000000000-00112233445566778899@bounces.shop.example",
    });
    expect(read("not-spam")).toEqual({ kind: "other" });
  });

  it("is no bounce when a machine answers for a person, whatever it quotes", () => {
    expect(read("out-of-office")).toEqual({ kind: "auto-reply" });
  });

  it("asks to unsubscribe where Apple's Mail does so for a person, as an automatic reply", () => {
    expect(read("apple-unsubscribe")).toEqual({ kind: "unsubscribe" });
    const text = readFileSync(join(samples, "apple-unsubscribe.eml"), "latin1");
    const other = text.replace("X-Apple-Unsubscribe: true", "X-Apple-Unsubscribe: false");
    expect(readReturnedMail(Buffer.from(other, "latin1"))).toEqual({ kind: "auto-reply" });
  });

  it("is no bounce when a person wrote it", () => {
    const letter =
      "From: Ada <ada@example.net>\r\nSubject: Re: Your order\r\n\r\nIt failed with 550 5.1.1";
    expect(readReturnedMail(Buffer.from(letter))).toEqual({ kind: "other" });
  });

  it("reads the report, not one in the message that is returned", () => {
    const inner = readFileSync(join(samples, "postfix-delivered.eml"), "latin1");
    const outer = readFileSync(join(samples, "postfix-user-unknown.eml"), "latin1");
    const at = outer.indexOf("Return-Path: <b-");
    const mail = readReturnedMail(Buffer.from(outer.slice(0, at) + inner, "latin1"));
    expect(mail).toMatchObject({ kind: "status", statuses: [{ outcome: "failed" }] });
  });

  it("is read as far as it goes when it is cut off, and at any length in little time", () => {
    const whole = readFileSync(join(samples, "postfix-user-unknown.eml"), "latin1");
    const cut = whole.slice(0, whole.indexOf("Content-Description: Undelivered"));
    expect(readReturnedMail(Buffer.from(cut, "latin1"))).toMatchObject({ kind: "status" });
    const hostile = [
      whole.replace("Action: failed", `Action: failed\n${"X: y\n\n".repeat(100_000)}`),
      `From: mailer-daemon\nSubject: failure notice\n\n${"a@b 550 ".repeat(60_000)}`,
      `Content-Type: multipart/report; boundary=b\n\n${"--b\n".repeat(120_000)}`,
    ];
    for (const mail of hostile) {
      const bytes = Buffer.from(mail.slice(0, 512 * 1024), "latin1");
      expect(cpuMilliseconds(() => void readReturnedMail(bytes))).toBeLessThan(500);
    }
  });
});
