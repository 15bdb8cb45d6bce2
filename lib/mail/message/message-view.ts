import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { z } from "zod";
import type { personView } from "./view-schema";
import { type MessageView } from "./view-schema";

const shownRawBytes = 256 * 1024;
/** Pictures beyond this stay links to parts: the answer is JSON that a browser holds in memory. */
const largestPicturesBytes = 4 * 1024 * 1024;

/** The people of an address field, groups resolved. */
export function persons(field: Address | Address[] | undefined): z.infer<typeof personView>[] {
  return [field ?? []]
    .flat()
    .flatMap((address) => (address.group ? address.group : [address]))
    .map(({ address, name }) => ({ email: address ?? "", name }));
}

/** The sender and the subject of a parsed message. */
export function senderAndSubject(parsed: Email): Pick<MessageView, "from" | "subject"> {
  return {
    from: persons(parsed.from)[0] ?? { email: "", name: "" },
    subject: parsed.subject ?? "",
  };
}

function contentIdOf(attachment: Attachment): string | null {
  return attachment.contentId?.replace(/^<|>$/g, "") ?? null;
}

function bytesOf({ content }: Attachment): Buffer {
  return typeof content === "string" ? Buffer.from(content) : Buffer.from(content as ArrayBuffer);
}

/** The HTML with the pictures it shows by `cid:` embedded. */
function withPictures(html: string, attachments: readonly Attachment[]): string {
  let left = largestPicturesBytes;
  const pictures = new Map<string, string>();
  for (const attachment of attachments) {
    const id = contentIdOf(attachment);
    const bytes = bytesOf(attachment);
    if (id === null || bytes.length > left || !/^image\/[\w.+-]+$/.test(attachment.mimeType)) {
      continue;
    }
    left -= bytes.length;
    pictures.set(id, `data:${attachment.mimeType};base64,${bytes.toString("base64")}`);
  }
  if (pictures.size === 0) return html;
  return html.replace(/\bcid:([^\s"'<>()]+)/gi, (all, id: string) => pictures.get(id) ?? all);
}

/** A file that came with a message. */
export interface AttachedFile {
  filename: string;
  content: Buffer;
}

/** The attachment at a position of the message's `attachments`; null when there is none. */
export async function attachmentAt(raw: Buffer, position: number): Promise<AttachedFile | null> {
  const parsed = await PostalMime.parse(raw, { attachmentEncoding: "arraybuffer" });
  const attachment = parsed.attachments[position];
  return attachment
    ? { filename: attachment.filename ?? "attachment", content: bytesOf(attachment) }
    : null;
}

/** Parses a whole message. */
export async function viewMessage(raw: Buffer): Promise<MessageView> {
  const parsed = await PostalMime.parse(raw, { attachmentEncoding: "arraybuffer" });
  return {
    ...senderAndSubject(parsed),
    replyTo: persons(parsed.replyTo),
    html: parsed.html === undefined ? null : withPictures(parsed.html, parsed.attachments),
    text: parsed.text ?? null,
    headers: parsed.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments: parsed.attachments.map((attachment) => ({
      filename: attachment.filename ?? "",
      contentType: attachment.mimeType,
      contentId: contentIdOf(attachment),
      inline: attachment.disposition === "inline",
      size: bytesOf(attachment).length,
    })),
    size: raw.length,
    raw: raw.subarray(0, shownRawBytes).toString("utf8"),
  };
}
