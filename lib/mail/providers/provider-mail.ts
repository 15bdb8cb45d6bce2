import PostalMime, { type Attachment } from "postal-mime";
import type { Envelope, HandOver } from "@/lib/mail/transport";
import { encodeId } from "@/lib/ground/ids/ids";
import { persons } from "@/lib/mail/message/message-view";
import { withoutFields } from "@/lib/mail/message/unsigned";
import { readReturnPath } from "@/lib/mail/return-path";
import { handedToken } from "@/lib/mail/tracking/tokens";

interface Person {
  email: string;
  name: string;
}

interface AttachedPart {
  filename: string;
  contentType: string;
  /** Without angle brackets; null: the HTML does not show it. */
  contentId: string | null;
  /** base64 */
  content: string;
}

/** What is told to a provider that does not take a whole message. */
export interface ReadMail {
  from: Person;
  to: Person;
  replyTo: Person[];
  subject: string;
  html: string | null;
  text: string | null;
  headers: { name: string; value: string }[];
  attachments: AttachedPart[];
}

/** One email on its way to a provider. */
export interface ProviderMail {
  /** What we call the email; comes back with the provider's reports. Empty: it is none of the log's. */
  id: string;
  to: string;
  lane: HandOver["lane"];
  /** The message as it would go over SMTP. */
  raw: Buffer;
  read: () => Promise<ReadMail>;
}

/** What providers set themselves; our signature would not match the message that they make. */
const providersOwn =
  /^(from|to|cc|bcc|sender|reply-to|subject|date|mime-version|return-path|received|dkim-signature|(content|arc|resent)-.*)$/i;

function partOf(attachment: Attachment): AttachedPart {
  const { content, contentId, filename, mimeType } = attachment;
  const bytes =
    typeof content === "string" ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
  return {
    filename: filename || "attachment",
    contentType: mimeType,
    contentId: contentId?.replace(/^<|>$/g, "") || null,
    content: bytes.toString("base64"),
  };
}

async function readMail(to: string, raw: Buffer): Promise<ReadMail> {
  const parsed = await PostalMime.parse(raw, {
    attachmentEncoding: "arraybuffer",
    forceRfc822Attachments: true,
  });
  const addressee = persons(parsed.to).find(
    ({ email }) => email.toLowerCase() === to.toLowerCase(),
  );
  return {
    from: persons(parsed.from)[0] ?? { email: "", name: "" },
    // Whoever the header names, this email is for one person.
    to: { email: to, name: addressee?.name ?? "" },
    replyTo: persons(parsed.replyTo),
    subject: parsed.subject ?? "",
    html: parsed.html ?? null,
    text: parsed.text ?? null,
    headers: parsed.headers
      .filter(({ key }) => !providersOwn.test(key))
      .map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: parsed.attachments.map(partOf),
  };
}

type MailParts = [envelope: Envelope, raw: Buffer, lane: HandOver["lane"]];

function mailOf(id: string, { to }: Envelope, raw: Buffer, lane: HandOver["lane"]): ProviderMail {
  return { id, to, lane, raw, read: () => readMail(to, raw) };
}

/** The return path is signed by us and names the email. */
export function providerMail(...[envelope, raw, lane]: MailParts): ProviderMail {
  const emailId = readReturnPath(envelope.from);
  return mailOf(emailId === null ? "" : encodeId("email", emailId), envelope, raw, lane);
}

/** Headers by which a message chooses what a provider does with it. */
const steering = /^x-(ses|mailgun|pm|sg|resend|smtpapi)(-|$)/;

/**
 * The same for the installation's own provider, which takes the mail of all projects: what names an email proves that
 * it went this way, and no project's message decides about the operator's account.
 */
export function installationMail(...[envelope, raw, lane]: MailParts): ProviderMail {
  const emailId = readReturnPath(envelope.from);
  const message = withoutFields(raw, (name) => steering.test(name));
  return mailOf(emailId === null ? "" : handedToken(emailId), envelope, message, lane);
}

/** What goes with a mail to be recognized by; mail past the queue has no email to name. */
export function named<Name extends string>(name: Name, { id }: ProviderMail) {
  return id === "" ? {} : ({ [name]: id } as Record<Name, string>);
}

/** People as a header names them. */
export function mailbox({ email, name }: Person): string {
  if (name === "") return email;
  return `"${name.replace(/[\r\n]+/g, " ").replace(/["\\]/g, String.raw`\$&`)}" <${email}>`;
}

/** An email's id goes with it under this name, and comes back in reports. */
export const idName = "lettermill-id";
