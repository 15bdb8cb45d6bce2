import PostalMime, { type Email } from "postal-mime";
import type { InboundAttachment } from "@/db/schema/inbound";
import { AppError } from "@/lib/ground/errors";
import { storableText } from "@/lib/ground/storable-text";
import { textFromHtml } from "@/lib/mail/content/plain-text";
import { persons } from "@/lib/mail/message/message-view";
import { parseFields } from "@/lib/mail/message/raw-message";
import { isAutoReply, isFromServer } from "@/lib/mail/reports/auto-reply";
import { fieldValue } from "@/lib/mail/reports/report";

/** What is kept of a mail that came in, besides the mail itself. Ids have no angle brackets. */
export interface IncomingMail {
  from: { email: string; name: string };
  subject: string;
  headerId: string | null;
  inReplyTo: string | null;
  references: string[];
  /** Written by a machine: an out-of-office reply, a bounce, a mailing list. */
  automatic: boolean;
  /** Servers it has passed. */
  hops: number;
  text: string;
  html: string | null;
  attachments: InboundAttachment[];
}

export const longestKeptText = 1_000_000;
const mostAttachments = 1_000;
const mostReferences = 50;
const longestId = 500;

/** The ids of a References or In-Reply-To field; other text in it, as Outlook adds, is left out. */
function idsIn(value: string | undefined): string[] {
  return [...(value ?? "").matchAll(/<([^<>\s]{1,500})>/g)].map(([, id]) => storableText(id ?? ""));
}

function headerIdOf({ messageId }: Email): string | null {
  const id = storableText(messageId ?? "")
    .trim()
    .replace(/^<|>$/g, "");
  return id === "" || id.length > longestId ? null : id;
}

const headEnd = /\r?\n\r?\n/;

/** The header block as text, one character per octet. */
export function headOf(raw: Buffer): string {
  const beginning = raw.subarray(0, 1024 * 1024).toString("latin1");
  const end = headEnd.exec(beginning)?.index ?? beginning.length;
  return beginning.slice(0, end).replace(/\r?\n/g, "\r\n");
}

/** Lists and newsletters say so themselves (RFC 2919, RFC 2369), machines as RFC 3834 defines. */
function isAutomatic(fields: ReturnType<typeof parseFields>): boolean {
  const submitted = fieldValue(fields, "auto-submitted")?.toLowerCase() ?? "no";
  const precedence = fieldValue(fields, "precedence") ?? "";
  return (
    !submitted.startsWith("no") ||
    /^(bulk|list|junk|auto_reply)$/i.test(precedence.trim()) ||
    fieldValue(fields, "list-id") !== null ||
    fieldValue(fields, "x-auto-response-suppress") !== null ||
    isAutoReply(fields) ||
    isFromServer(fields)
  );
}

/** Marks that reverse how a line is displayed: "exe.png" for a file that ends in "gnp.exe". */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;

const shownLine = (text: string | undefined, longest: number) =>
  storableText(text ?? "")
    .replace(reordering, "")
    .slice(0, longest);

/** Reads a whole mail. Throws VALIDATION_ERROR for an unreadable one. */
export async function readIncoming(raw: Buffer): Promise<IncomingMail> {
  const fields = parseFields(headOf(raw));
  const parsed = await PostalMime.parse(raw, { attachmentEncoding: "arraybuffer" }).catch(
    (error: unknown) => {
      throw new AppError("VALIDATION_ERROR", (error as Error).message);
    },
  );
  if (parsed.attachments.length > mostAttachments) {
    throw new AppError("VALIDATION_ERROR", "The message has more than 1,000 parts.");
  }
  const [from] = persons(parsed.from);
  const html = parsed.html === undefined ? null : storableText(parsed.html);
  const text = parsed.text ?? (html === null ? "" : textFromHtml(html.slice(0, longestKeptText)));
  return {
    from: {
      email: storableText(from?.email ?? "").slice(0, 320),
      name: shownLine(from?.name, 500),
    },
    subject: shownLine(parsed.subject, 1_000),
    headerId: headerIdOf(parsed),
    inReplyTo: idsIn(parsed.inReplyTo)[0] ?? null,
    references: idsIn(parsed.references).slice(-mostReferences),
    automatic: isAutomatic(fields),
    hops: fields.filter(({ name }) => name === "received").length,
    text: storableText(text).slice(0, longestKeptText),
    html: html === null ? null : html.slice(0, longestKeptText).toWellFormed(),
    attachments: parsed.attachments.map((attachment) => ({
      filename: shownLine(attachment.filename ?? undefined, 255),
      contentType: storableText(attachment.mimeType).slice(0, 200),
      contentId: attachment.contentId
        ? storableText(attachment.contentId).replace(/^<|>$/g, "").slice(0, 500)
        : null,
      inline: attachment.disposition === "inline",
      size:
        typeof attachment.content === "string"
          ? Buffer.byteLength(attachment.content)
          : attachment.content.byteLength,
    })),
  };
}
