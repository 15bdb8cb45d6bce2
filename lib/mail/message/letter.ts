import { LRUCache } from "lru-cache";
import { foldLines } from "nodemailer/lib/mime-funcs";
import MimeNode from "nodemailer/lib/mime-node";
import { largePart } from "./body";
import {
  boundaryBase,
  fieldName,
  oneLine,
  type MimeInput,
  type UnsignedMessage,
} from "./mime-input";
import { encodeText, textEncodingOf, textPartsOf } from "./text-part";

/*
 * Most mail is text and HTML without attachments. It is written directly, byte for byte as nodemailer's
 * composer would (the test compares the two), because the composer takes a tenth of a millisecond per
 * mail. Whatever needs encoding in a field is left to nodemailer.
 */

/** Fields whose place or form the composer decides by their names. */
const structured =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|in-reply-to|references|mime-version|otp-token|content-.*)$/i;
/** Other text the composer may write as encoded words. */
const plainText = /^(?:[ !#-<>-~]|=(?!\?))*$/;
const plainName = /^\w[\w ]*$/;
const plainAddress = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*@[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z]+$/;
const longestField = 75;

/** null: attachments, large parts or structured headers of its own leave it to the composer. */
export function writeLetter(input: MimeInput): UnsignedMessage | null {
  const { attachments, headers } = input;
  const parts = textPartsOf(input);
  const own = Object.entries(headers).filter(([name]) => fieldName.test(name));
  if (attachments.length > 0 || parts.length === 0) return null;
  if (parts.some((part) => part.text.length > largePart)) return null;
  if (own.some(([name]) => structured.test(name))) return null;
  const encoded = parts.map((part) => {
    const encoding = textEncodingOf(part.text);
    return { type: part.type, encoding, body: encodeText(part.text, encoding) };
  });
  const common = [
    ...own.flatMap(([name, value]) => textField(composersName(name), oneLine(value))),
    ...addressField("From", input.from),
    ...addressField("To", input.to),
    ...(input.replyTo ? addressField("Reply-To", input.replyTo) : []),
    ...textField("Subject", oneLine(input.subject)),
    field("Message-ID", MimeNode.encodeHeaderValue("Message-ID", `<${oneLine(input.messageId)}>`)),
    field("Date", input.date.toUTCString().replace("GMT", "+0000")),
    "MIME-Version: 1.0",
  ];
  const [first, second] = encoded;
  if (first && !second) {
    return {
      fields: [
        `Content-Transfer-Encoding: ${first.encoding}`,
        ...common,
        `Content-Type: ${first.type}`,
      ],
      body: [first.body.endsWith("\r\n") ? first.body : `${first.body}\r\n`],
    };
  }
  const boundary = `--_NmP-${boundaryBase(input.messageId)}-Part_1`;
  let body = "";
  for (const part of encoded) {
    const { type, encoding, body: content } = part;
    body += `--${boundary}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n`;
  }
  return {
    fields: [...common, `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`],
    body: [`${body}--${boundary}--\r\n`],
  };
}

function field(name: string, value: string): string {
  const line = `${name}: ${value}`;
  return line.length <= longestField ? line : foldLines(line, 76);
}

/** No field when the value is empty. */
function textField(name: string, value: string): string[] {
  const written = plainText.test(value) ? value : MimeNode.encodeHeaderValue(name, value);
  return written.trim() === "" ? [] : [field(name, written)];
}

function addressField(name: string, { email, name: person }: MimeInput["from"]): string[] {
  const [address, display] = [oneLine(email), oneLine(person)];
  if (plainAddress.test(address) && (display === "" || plainName.test(display))) {
    return [field(name, display === "" ? address : `${display} <${address}>`)];
  }
  const value = MimeNode.encodeHeaderValue(name, { address, name: display });
  return value.trim() === "" ? [] : [field(name, value)];
}

const composersNames = new LRUCache<string, string>({ max: 1_000 });

/** How the composer spells a field's name. */
function composersName(name: string): string {
  let spelled = composersNames.get(name);
  if (spelled === undefined) {
    const block = new MimeNode("text/plain").setHeader(name, "x").buildHeaders();
    spelled = block.slice(0, block.indexOf(":"));
    composersNames.set(name, spelled);
  }
  return spelled;
}
