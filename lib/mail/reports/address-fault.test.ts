import { describe, expect, it } from "vitest";
import { isAddressFault, isSenderFault } from "./address-fault";

const reply = (code: number, enhancedCode: string | null, text = "") => ({
  code,
  enhancedCode,
  text,
});

describe("a permanent refusal", () => {
  it.each([
    [reply(550, "5.1.1", "User unknown"), true],
    [reply(550, "5.1.10", "Recipient not found"), true],
    [reply(550, "5.2.1", "The account is disabled"), true],
    [reply(550, null, "No such user here"), true],
    [reply(550, null, "<a@b.c>: Recipient address rejected: User unknown"), true],
    [reply(553, null, "mailbox unavailable"), true],
    [reply(550, null, "Unrouteable address"), true],
    [reply(550, null, "Unrouteable address Sender verify failed"), false],
    // Outlook.com, Microsoft 365, Yahoo.
    [reply(550, "5.5.0", "Requested action not taken: mailbox unavailable (S2017062302)."), true],
    [reply(550, "5.4.1", "Recipient address rejected: Access denied. AS(201806281)"), true],
    [reply(552, null, "1 Requested mail action aborted, mailbox not found"), true],
    [
      reply(
        554,
        null,
        "30 Sorry, your message to a@b.c cannot be delivered. This mailbox is disabled (554.30).",
      ),
      true,
    ],
    [
      {
        code: null,
        enhancedCode: "5.5.0",
        text: "Requested action not taken: mailbox unavailable",
      },
      true,
    ],
    [reply(550, "5.5.0", "Too many commands"), false],
    [reply(550, "5.4.1", "No route to host"), false],
    [reply(552, "5.2.2", "Mailbox not found below its quota"), false],
    [reply(550, "5.7.1", "Recipient address rejected: user unknown to policy"), false],
    [reply(550, "5.7.26", "unauthenticated mail"), false],
    [reply(550, "5.1.8", "Sender's domain not found"), false],
    [reply(552, "5.2.2", "Mailbox full"), false],
    [reply(554, null, "Rejected as spam"), false],
    [reply(550, null, "Message refused by policy"), false],
  ])("%o is an address fault: %s", (given, expected) => {
    expect(isAddressFault(given)).toBe(expected);
  });
});

describe("a refusal of the sender, said of whom the mail is for or of nobody", () => {
  it.each([
    // Postfix, which waits for RCPT TO.
    reply(550, "5.1.0", "<a@b.c>: Sender address rejected: User unknown in local recipient table"),
    reply(550, "5.1.8", "<a@b.c>: Sender address rejected: Domain not found"),
    reply(450, "4.1.8", "<a@b.c>: Sender address rejected: Domain not found"),
    reply(
      550,
      "5.7.27",
      "<a@b.c>: Sender address rejected: Domain b.c does not accept mail (nullMX)",
    ),
    reply(550, "5.1.7", "<a@b.c>: Sender address rejected: undeliverable address: unknown user: a"),
    reply(550, null, "<a@b.c>: Sender address rejected: Access denied"),
    reply(554, "5.7.1", "<a@b.c>: Sender address rejected: Access denied"),
    reply(553, "5.7.1", "<a@b.c>: Sender address rejected: not owned by user shop"),
    reply(504, "5.5.2", "<mail>: Helo command rejected: need fully-qualified hostname"),
    reply(554, "5.7.1", "<mail.b.c[192.0.2.1]>: Client host rejected: Access denied"),
    reply(554, "5.7.1", "Service unavailable; Client host [192.0.2.1] blocked using bl.example"),
    // Exim, whose lines before the last are the sender's own server's.
    reply(550, null, "Verification failed for <a@b.c>\nNo Such User Here\nSender verify failed"),
    reply(
      550,
      null,
      "Verification failed for <a@b.c>\nCalled:   192.0.2.1\nSent:     RCPT TO:<a@b.c>\n" +
        "Response: 550 5.1.1 No such user here\nSender verify failed",
    ),
    reply(550, null, "Verification failed for <a@b.c>\nUnrouteable address\nSender verify failed"),
    reply(
      550,
      null,
      "Postmaster verification failed while checking <a@b.c>\nno such mailbox\n" +
        "Several RFCs state that you are required to have a postmaster",
    ),
    reply(451, null, "Could not complete sender verify callout"),
    // Sendmail, qmail, Exchange.
    reply(553, "5.1.8", "<a@b.c>... Domain of sender address a@b.c does not exist"),
    reply(553, null, "sorry, your envelope sender is in my badmailfrom list (#5.7.1)"),
    reply(550, "5.1.0", "Sender denied"),
    reply(550, "5.7.60", "SMTP; Client does not have permissions to send as this sender"),
    reply(550, "5.1.90", "Your message can't be sent: the daily limit for recipients is reached"),
    // A notification has it on one line, and may have no code at all.
    { code: null, enhancedCode: null, text: "550 Verification failed for <a@b.c> No such user" },
    { code: null, enhancedCode: "5.1.1", text: "<a@b.c>: Sender address rejected: User unknown" },
  ])("%o is no fault of the recipient's", (given) => {
    expect(isSenderFault(given)).toBe(true);
    expect(isAddressFault(given)).toBe(false);
  });

  it.each([
    reply(
      550,
      "5.1.1",
      "<a@b.c>: Recipient address rejected: User unknown in virtual mailbox table",
    ),
    reply(550, null, "Callout verification failed:\n550 5.1.1 User unknown"),
    reply(554, "5.7.1", "<a@b.c>: Recipient address rejected: Access denied"),
    reply(554, "5.7.1", "<a@b.c>: Relay access denied"),
    reply(450, "4.2.0", "<a@b.c>: Recipient address rejected: Greylisted"),
    reply(
      450,
      "4.1.7",
      "<a@b.c>: Sender address rejected: unverified address: Address verification in progress",
    ),
    reply(550, "5.7.124", "Sender not in allowed-senders list"),
    reply(550, "5.1.1", "No such user here; returned to sender"),
  ])("%o is not one", (given) => {
    expect(isSenderFault(given)).toBe(false);
  });
});
