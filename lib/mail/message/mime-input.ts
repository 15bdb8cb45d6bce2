import { hash } from "node:crypto";
import type { Body } from "./body";

export interface MimeAttachment {
  filename: string;
  contentType: string;
  /** Without angle brackets; the HTML shows the part as `cid:`. */
  contentId: string | null;
  content: Buffer;
}

/** Everything a message is made of. Plain strings: nothing here is looked up, fetched or parsed. */
export interface MimeInput {
  /** Without angle brackets. */
  messageId: string;
  date: Date;
  from: { email: string; name: string };
  to: { email: string; name: string };
  replyTo: { email: string; name: string } | null;
  subject: string;
  html: string | null;
  text: string | null;
  headers: Record<string, string>;
  attachments: readonly MimeAttachment[];
}

/** A message in the form in which it is signed. */
export interface UnsignedMessage {
  /** Header fields, folded, without line endings. */
  fields: string[];
  body: Body;
}

/** What a field's name may consist of (RFC 5322, section 2.2). */
export const fieldName = /^[!-9;-~]+$/;

// The edge refuses these by name; the composer would clean them silently, or worse.
const lineBreaks = /[\r\n\0]+/g;

export function oneLine(text: string): string {
  return text.replace(lineBreaks, " ");
}

/** What boundaries are made of: the same for the same message, so that a re-send has the same bytes. */
export function boundaryBase(messageId: string): string {
  return hash("sha256", messageId).slice(0, 24);
}
