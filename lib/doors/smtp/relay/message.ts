import MimeNode from "nodemailer/lib/mime-node";
import PostalMime, { addressParser, type Email, type Mailbox } from "postal-mime";
import { foldAddress, normalizeAddress } from "@/lib/mail/address";
import { checkIdempotencyKey } from "@/lib/domain/emails/idempotency";
import type { RelayedMessage } from "@/lib/domain/emails/relay";
import { AppError, invalid } from "@/lib/ground/errors";
import {
  hasLongLine,
  isSealed,
  leavesOf,
  parseMessageText,
  valueOf,
  withCrlf,
  withShortLines,
  type Field,
} from "@/lib/mail/message/raw-message";
import { checkAttachments, contentFingerprint } from "./content-check";

/** What a message's octets say. */
export interface ParsedMessage {
  message: RelayedMessage;
  /** Names in To and Cc by address, folded. */
  names: ReadonlyMap<string, string>;
  idempotencyKey: string | null;
}

const longestName = 200;
const largestHeadBytes = 256 * 1024;
/** More hops than this mean that a message is going round in circles (RFC 5321, section 6.3). */
const mostHops = 100;

/** Only for this relay, or for nobody to see. A foreign signature would not survive our headers. */
const dropped = /^(bcc|resent-bcc|return-path|idempotency-key|dkim-signature|arc-.*)$/;
/** Fields that a message has once: readers differ in which of several they show. */
const single =
  /^(from|sender|reply-to|to|cc|subject|date|in-reply-to|references|mime-version|content-.*)$/;

/** Text for one line of a record: nothing folded, or hidden in encoded words, brings line breaks. */
function oneLine(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .trim()
    .toWellFormed();
}

const nameOf = (mailbox: Mailbox) => oneLine(mailbox.name).slice(0, longestName);

/** The one sender. With two, a message can show a different sender from the one that was checked. */
function senderOf(email: Email): RelayedMessage["from"] {
  const [field, another] = email.headers.filter(({ key }) => key === "from");
  if (!field || another) throw invalid("From", "must appear in the message exactly once");
  const [sender, more] = addressParser(field.value);
  if (!sender || more || sender.address === undefined) {
    throw invalid("From", "must hold exactly one address");
  }
  const address = normalizeAddress(sender.address);
  if (!address) throw invalid("From", "is not an email address");
  return { email: address, name: nameOf(sender) };
}

/** Written so plainly that no reader can see any address in it but the one that was checked. */
const plainSender =
  /^(?:"(?:[^"\\]|\\.)*"[ \t]*|[^"<>(),;:@\\[\]]*)<([^\s<>@"(),;:\\]+@[^\s<>@"(),;:\\]+)>$/;

function isPlain(field: Field, address: string): boolean {
  const value = Buffer.from(valueOf(field), "latin1").toString("utf8");
  const written = plainSender.exec(value)?.[1] ?? (/[\s<>]/.test(value) ? "" : value);
  return written.toLowerCase() === address.toLowerCase();
}

function writtenAnew({ email, name }: RelayedMessage["from"]): Field {
  const head = new MimeNode("text/plain")
    .setHeader("From", { address: email, name: name ?? "" })
    .buildHeaders();
  const text = head.split(/\r\n(?![ \t])/).find((line) => line.startsWith("From:")) ?? "";
  return { name: "from", text: Buffer.from(text, "utf8").toString("latin1") };
}

/** With a Sender elsewhere, a message can show somebody else beside the From that was checked. */
function isOwnSender(field: Field, from: string): boolean {
  const [sender, more] = addressParser(valueOf(field));
  const address = normalizeAddress(sender?.address ?? "");
  const domain = (text: string) => text.slice(text.lastIndexOf("@")).toLowerCase();
  return !more && address !== null && domain(address) === domain(from);
}

/** The fields that go out: the client's own, each line of them one that mail may have. */
function fieldsToSend(fields: readonly Field[], from: RelayedMessage["from"], sealed: boolean) {
  const seen = new Set<string>();
  const sent: Field[] = [];
  for (const field of fields) {
    const { name } = field;
    if (dropped.test(name) || (single.test(name) && seen.has(name))) continue;
    if (name === "sender" && !isOwnSender(field, from.email)) continue;
    seen.add(name);
    if (name === "from" && !isPlain(field, from.email)) {
      if (sealed) throw invalid("From", "is not written as `Name <address>`");
      sent.push(writtenAnew(from));
    } else sent.push(field);
  }
  return sent;
}

/** The client's Message-ID without angle brackets; null when it has none that can be kept. */
function messageIdOf(fields: readonly Field[]): string | null {
  const ids = fields.filter(({ name }) => name === "message-id");
  const [field, another] = ids;
  if (!field || another) return null;
  return /^<([!-;=?-~]{1,240})>$/.exec(valueOf(field))?.[1] ?? null;
}

function mailboxes(addresses: Email["to"]): Mailbox[] {
  return (addresses ?? []).flatMap((address) => address.group ?? [address]);
}

async function parseHead(head: string): Promise<Email> {
  try {
    return await PostalMime.parse(Buffer.from(`${head}\r\n\r\n`, "latin1"));
  } catch {
    throw new AppError("VALIDATION_ERROR", "The message's headers cannot be parsed.");
  }
}

/** Bare line ends in headers would begin new ones; in the body they become line ends. */
function normalize(raw: Buffer): string {
  const text = raw.toString("latin1");
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  const head = text.slice(0, end).replace(/\r(?!\n)/g, " ");
  return withCrlf(head) + withCrlf(text.slice(end));
}

/**
 * Reads a message and prepares it to be passed on as it is: without what nobody else should see, and
 * with lines that mail may have. Throws VALIDATION_ERROR for NUL, for headers that do not name one
 * sender and for lines that are too long where nothing may be changed, PAYLOAD_TOO_LARGE.
 */
export async function parseMessage(raw: Buffer): Promise<ParsedMessage> {
  if (raw.includes(0)) throw new AppError("VALIDATION_ERROR", "The message holds NUL (U+0000).");
  const client = parseMessageText(normalize(raw));
  const head = client.fields.map(({ text }) => text).join("\r\n");
  if (head.length > largestHeadBytes) {
    throw new AppError("VALIDATION_ERROR", "The message's headers are larger than 256 kB.");
  }
  if (client.fields.filter(({ name }) => name === "received").length > mostHops) {
    throw new AppError("VALIDATION_ERROR", "The message has been passed on more than 100 times.");
  }
  const email = await parseHead(head);
  const from = senderOf(email);
  const key = client.fields.find(({ name }) => name === "idempotency-key");
  const sealed = isSealed(client.fields);
  const leaves = leavesOf(client);
  if (!leaves) throw new AppError("VALIDATION_ERROR", "The message has more than 1,000 parts.");
  checkAttachments(client, leaves);
  const short = sealed ? client : withShortLines(client, leaves);
  const fields = fieldsToSend(short.fields, from, sealed);
  const text = `${fields.map((field) => field.text).join("\r\n")}\r\n\r\n${short.body}`;
  if (hasLongLine(text)) {
    throw new AppError("VALIDATION_ERROR", "The message has a line of more than 998 octets.");
  }
  return {
    names: new Map(
      [...mailboxes(email.to), ...mailboxes(email.cc)].map((mailbox) => [
        foldAddress(normalizeAddress(mailbox.address) ?? ""),
        nameOf(mailbox),
      ]),
    ),
    idempotencyKey: key ? checkIdempotencyKey(valueOf(key)) : null,
    message: {
      from,
      subject: oneLine(email.subject ?? ""),
      headerId: messageIdOf(fields),
      raw: Buffer.from(text, "latin1"),
      fingerprint: contentFingerprint(client, fields, leaves),
    },
  };
}
