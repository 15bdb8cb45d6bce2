import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { joinMessage } from "./body";
import { signDkim, type DkimKey } from "./dkim";
import { has, parseMessageText } from "./raw-message";

function dateOf(date: Date): string {
  return date.toUTCString().replace("GMT", "+0000");
}

/**
 * A message that came in whole, as one recipient gets it: our trace and signature, then the octets its
 * client wrote. Date, Message-ID and To are added if missing. The same input gives the same octets.
 */
export async function buildRelayedMime(
  client: Buffer,
  email: {
    id: string;
    recipient: string;
    createdAt: Date;
    /** Host and address of the client (RFC 5321, section 4.4); null: not known. */
    handedOverBy: string | null;
  },
  /** Without angle brackets; null: the client's stays. */
  messageId: string | null,
  key: DkimKey | null,
): Promise<Buffer> {
  const message = parseMessageText(client.toString("latin1"));
  const kept = message.fields.filter(({ name }) => messageId === null || name !== "message-id");
  const utf8 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
  const from = email.handedOverBy === null ? "" : `from ${email.handedOverBy}\r\n `;
  const fields = [
    `Received: ${from}by ${env().MAIL_HOSTNAME} (Lettermill) with ESMTPSA\r\n id ${encodeId("email", email.id)}; ${dateOf(email.createdAt)}`,
    ...(has(kept, "date") ? [] : [`Date: ${dateOf(email.createdAt)}`]),
    ...(messageId === null ? [] : [`Message-ID: <${messageId}>`]),
    ...(has(kept, "to") || has(kept, "cc") ? [] : [`To: ${utf8(email.recipient)}`]),
    ...kept.map(({ text }) => text),
  ];
  const signature = key
    ? [await signDkim(fields, [message.body], key, email.createdAt, "latin1")]
    : [];
  const head = [...signature, ...fields].join("\r\n");
  return joinMessage(Buffer.from(`${head}\r\n\r\n`, "latin1"), [message.body]);
}
