import { parseFields, valueOf, type Field } from "@/lib/mail/message/raw-message";
import { fieldValue } from "./report";

/** What a message that comes back with a report has of ours. */
export interface ReturnedIds {
  /** Its id, without angle brackets. */
  messageId: string | null;
  /** Its envelope sender, unless it was left out. */
  returnPath: string | null;
  /** Our id in the trace of a relay's client's message, which has a Message-ID of the client's. */
  traceId: string | null;
}

/** From what follows the report in its mail: the message, whole or only its header. */
export function idsIn(returned: string): ReturnedIds {
  const header = headerOf(returned);
  return {
    messageId: messageIdIn(returned),
    returnPath: addressIn(header, "return-path"),
    traceId: traceIdIn(header),
  };
}

/** Null where the address is missing or was left out. */
export function addressIn(fields: readonly Field[], name: string): string | null {
  const value = fieldValue(fields, name) ?? "";
  return /^<?([^<>\s@]{1,64}@[^<>\s@]{1,255})>?$/.exec(value)?.[1] ?? null;
}

function messageIdIn(returned: string): string | null {
  return /\r\nmessage-id:[ \t]*(?:\r\n[ \t]+)?<([^<>\s]{1,250})>/i.exec(returned)?.[1] ?? null;
}

/** The header of the returned message: it follows that of its part. */
function headerOf(returned: string): Field[] {
  const start = returned.indexOf("\r\n\r\n");
  if (start < 0) return [];
  const end = returned.indexOf("\r\n\r\n", start + 4);
  return parseFields(returned.slice(start + 4, end < 0 ? undefined : end));
}

/** As lib/mail/message/relayed-mime.ts writes it. */
function traceIdIn(fields: readonly Field[]): string | null {
  for (const field of fields) {
    if (field.name !== "received") continue;
    const id = /\(Lettermill\) with ESMTPSA\s+id (em_[0-9a-z]{26});/.exec(valueOf(field))?.[1];
    if (id) return id;
  }
  return null;
}
