import type { ByteHold } from "@/lib/ground/byte-hold";
import type { ComposedContent } from "./compose-content";
import type { MessageContent } from "./message-contents";

/** Where an email's memory is held. */
export type MailMemory = Pick<ByteHold, "hold" | "tryHold">;

/** What the largest of a message's emails took so far: the others will take about as much. */
const largest = new WeakMap<MessageContent, number>();

/**
 * Renders with the memory held that building takes. How much is not known before: a template can write much more
 * than it and its variables hold. What turns out larger, with no room for it, is dropped and made again in its turn.
 */
export async function withinMemory(
  message: MessageContent,
  memory: MailMemory,
  render: () => Promise<ComposedContent>,
): Promise<ComposedContent> {
  for (let bytes = largest.get(message) ?? bytesOf(message); ;) {
    await memory.hold(bytes);
    const composed = await render();
    bytes = bytesOf(message, composed);
    largest.set(message, Math.max(bytes, largest.get(message) ?? 0));
    if (memory.tryHold(bytes)) return composed;
  }
}

/** An attachment is read from the database, encoded, put in, signed, and encoded again to be captured. */
function bytesOf({ bytes, attachments }: MessageContent, composed?: ComposedContent): number {
  const written = (composed?.html?.length ?? 0) + (composed?.text?.length ?? 0);
  return attachments.reduce((sum, { size }) => sum + 8 * size, Math.max(bytes, 3 * written));
}
