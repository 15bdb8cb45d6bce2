import { createHash } from "node:crypto";
import { largestAttachmentsBytes } from "@/lib/domain/emails/send-schema";
import { AppError } from "@/lib/ground/errors";
import {
  decodedSize,
  type Field,
  type Leaf,
  type RawMessage,
} from "@/lib/mail/message/raw-message";

/** Throws PAYLOAD_TOO_LARGE for more than 25 MB of decoded attachments. */
export function checkAttachments(message: RawMessage, leaves: readonly Leaf[]): void {
  let total = 0;
  for (const leaf of leaves) {
    if (!/^text\/(plain|html)$/.test(leaf.type)) total += decodedSize(message.body, leaf);
    if (total > largestAttachmentsBytes) {
      throw new AppError("PAYLOAD_TOO_LARGE", "The attachments are larger than 25 MB in all.");
    }
  }
}

/** What a client writes anew each time it tries again. */
const renewed = /^(message-id|date|received|content-type|content-id)$/;

/** What makes two hand-overs the same: everything but dates, ids and boundaries. */
export function contentFingerprint(
  message: RawMessage,
  fields: readonly Field[],
  leaves: readonly Leaf[],
): Buffer {
  const hash = createHash("sha256");
  const add = (text: string) => hash.update(`${text.length}:`).update(text, "latin1");
  const addFields = (list: readonly Field[]) => {
    for (const { name, text } of list) if (!renewed.test(name)) add(text);
  };
  addFields(fields);
  for (const leaf of leaves) {
    add(leaf.type);
    if (leaf.fields !== message.fields) addFields(leaf.fields);
    add(message.body.slice(leaf.start, leaf.end));
  }
  return hash.digest();
}
