import PostalMime, { addressParser, type Attachment, type Email, type Mailbox } from "postal-mime";
import { normalizeAddress } from "@/lib/mail/address";
import { checkIdempotencyKey } from "@/lib/domain/emails/idempotency";
import { isCustomHeader } from "@/lib/mail/message/header-names";
import type { RelayedMessage } from "@/lib/domain/emails/schema";
import { AppError, invalid } from "@/lib/ground/errors";

/** What a message's octets say. */
export interface ParsedMessage {
  content: RelayedMessage;
  /** Names in To and Cc by address in lower case. */
  names: ReadonlyMap<string, string>;
  idempotencyKey: string | null;
}

const longestName = 200;
const longestHeader = 998;

/** Text that becomes part of a header: what is folded, or hidden in encoded words, ends up on one line. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
}

const nameOf = (mailbox: Mailbox) => oneLine(mailbox.name).slice(0, longestName);

/** The one sender. Two of them are how a message shows another sender than the one that was checked. */
function senderOf(email: Email): RelayedMessage["from"] {
  const [field, another] = email.headers.filter(({ key }) => key === "from");
  if (!field || another) throw invalid("From", "must stand in the message exactly once");
  const [sender, more] = addressParser(field.value);
  if (!sender || more || sender.address === undefined) {
    throw invalid("From", "must hold exactly one address");
  }
  const address = normalizeAddress(sender.address);
  if (!address) throw invalid("From", "is not an email address");
  return { email: address, name: nameOf(sender) };
}

function mailboxes(addresses: Email["to"]): Mailbox[] {
  return (addresses ?? []).flatMap((address) => address.group ?? [address]);
}

function replyToOf(email: Email): string | null {
  const [mailbox, more] = mailboxes(email.replyTo);
  if (!mailbox) return null;
  if (more) throw invalid("Reply-To", "must hold one address");
  const address = normalizeAddress(mailbox.address);
  if (!address) throw invalid("Reply-To", "is not an email address");
  const name = nameOf(mailbox).replace(/[\\"]/g, "\\$&");
  return name ? `"${name}" <${address}>` : address;
}

/** Ids in the middle of a long thread may go (RFC 5536, section 3.2.10), its first and its last stay. */
function shorten(references: string): string {
  const ids = references.split(/\s+/);
  while (ids.length > 2 && ids.join(" ").length > longestHeader) ids.splice(1, 1);
  return ids.join(" ");
}

/** The sender's own header fields; of repeated ones the first. All else is written anew. */
function customHeaders(email: Email): Record<string, string> {
  const headers: Record<string, string> = {};
  const seen = new Set(["idempotency-key"]);
  for (const { key, originalKey, value } of email.headers) {
    const text = key === "references" ? shorten(oneLine(value)) : oneLine(value);
    if (seen.has(key) || !text || !isCustomHeader(originalKey)) continue;
    seen.add(key);
    headers[originalKey] = text;
  }
  return headers;
}

const extensions: Record<string, string> = {
  "message/rfc822": ".eml",
  "text/calendar": ".ics",
  "text/plain": ".txt",
  "text/html": ".html",
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "application/pdf": ".pdf",
};

function bytesOf(content: Attachment["content"]): Buffer<ArrayBuffer> {
  if (typeof content === "string") return Buffer.from(content);
  return content instanceof ArrayBuffer ? Buffer.from(content) : Buffer.from(content);
}

function toAttachment(part: Attachment, index: number): RelayedMessage["attachments"][number] {
  const type = part.mimeType.toLowerCase();
  const extension = extensions[type] ?? "";
  const named = oneLine(part.filename ?? "").slice(-255);
  const id = part.contentId?.trim().replace(/^<|>$/g, "");
  // Some clients give every part an id; only what the text shows is inline.
  const inline = part.related === true || part.disposition !== "attachment";
  return {
    filename: named || `attachment-${index + 1}${extension}`,
    contentType: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type)
      ? type + (part.method && /^[A-Z]+$/.test(part.method) ? `; method=${part.method}` : "")
      : "application/octet-stream",
    ...(inline && id && /^[^\s<>\u0000-\u001f]{1,200}$/.test(id) ? { contentId: id } : {}),
    content: bytesOf(part.content),
  };
}

function keyOf(email: Email): string | null {
  const field = email.headers.find(({ key }) => key === "idempotency-key");
  return field ? checkIdempotencyKey(field.value.trim()) : null;
}

async function parse(raw: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(raw, { forceRfc822Attachments: true });
  } catch {
    // It gives up where parts are nested too deeply or headers too long.
    throw new AppError("VALIDATION_ERROR", "The message cannot be parsed.");
  }
}

/** Reads a message. Throws VALIDATION_ERROR for NUL and for headers that do not name one sender. */
export async function parseMessage(raw: Buffer): Promise<ParsedMessage> {
  if (raw.includes(0)) throw new AppError("VALIDATION_ERROR", "The message holds NUL (U+0000).");
  const email = await parse(raw);
  const names = new Map(
    [...mailboxes(email.to), ...mailboxes(email.cc)].map((mailbox) => [
      normalizeAddress(mailbox.address)?.toLowerCase() ?? "",
      nameOf(mailbox),
    ]),
  );
  return {
    names,
    idempotencyKey: keyOf(email),
    content: {
      from: senderOf(email),
      replyTo: replyToOf(email),
      subject: oneLine(email.subject ?? ""),
      html: email.html ?? null,
      text: email.text ?? (email.html === undefined ? "" : null),
      headers: customHeaders(email),
      attachments: email.attachments.map(toAttachment),
    },
  };
}
