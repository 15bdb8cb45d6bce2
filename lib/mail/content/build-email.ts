import { AppError } from "@/lib/ground/errors";
import { parseMailbox } from "@/lib/mail/address";
import { messageIdOf } from "@/lib/mail/message/message-id";
import { buildMime } from "@/lib/mail/message/mime";
import { buildRelayedMime } from "@/lib/mail/message/relayed-mime";
import type { AddressedEmail } from "./addressed-email";
import type { ComposedContent } from "./compose-content";
import type { MessageContent, MessageContents } from "./message-contents";

/** The MIME message this recipient gets; unsigned when the sender domain is gone. */
export async function buildEmail(
  email: AddressedEmail,
  message: MessageContent,
  { headers, ...content }: ComposedContent,
  contents: MessageContents,
): Promise<Buffer> {
  const messageId = messageIdOf(email.id, message.fromEmail);
  if (message.relayed) {
    const [client] = await contents.attachments(message);
    if (!client) throw new AppError("NOT_FOUND", "The message is no longer kept.");
    const { headerId, client: handedOverBy } = message.relayed;
    return buildRelayedMime(
      client.content,
      { ...email, handedOverBy },
      headerId === null ? messageId : null,
      message.domain?.key ?? null,
    );
  }
  const replyTo = message.replyTo === null ? null : parseMailbox(message.replyTo);
  return buildMime(
    {
      messageId,
      date: email.date,
      from: { email: message.fromEmail, name: message.fromName },
      to: { email: email.recipient, name: email.recipientName },
      replyTo,
      headers: { ...message.headers, ...headers },
      attachments: await contents.attachments(message),
      ...content,
    },
    message.domain?.key ?? null,
  );
}
