import { parseFields, withCrlf } from "@/lib/mail/message/raw-message";
import { wordsIn } from "./server-words";
import {
  fieldValue,
  withoutType,
  type RecipientStatus,
  type ReportPart,
  type ReturnedMail,
} from "./report";

/*
 * The machine-readable part of a delivery status notification (RFC 3464; RFC 6533 for addresses beyond
 * ASCII): blocks of fields, the first about the message, each further one about an address.
 */

const outcomes: Record<string, RecipientStatus["outcome"]> = {
  failed: "failed",
  delayed: "delayed",
  delivered: "delivered",
  relayed: "relayed",
  // Handed to a list of addresses, each of which may be reported of on its own.
  expanded: "relayed",
};

const mostRecipients = 200;

/** Null: there is no such part, or it says nothing of any address. */
export function statusesOf(parts: readonly ReportPart[]): ReturnedMail | null {
  // The first one: a later one belongs to the message that is returned.
  const part = parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  if (!part) return null;
  const [head = "", ...blocks] = withCrlf(part.text)
    .trim()
    .split(/\r\n(?:[ \t]*\r\n)+/);
  const statuses = blocks.slice(0, mostRecipients).flatMap((block): RecipientStatus[] => {
    const fields = parseFields(block);
    const outcome = outcomes[(fieldValue(fields, "action") ?? "").toLowerCase()];
    if (!outcome) return [];
    const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fieldValue(fields, "status") ?? "")?.[0] ?? null;
    const said = withoutType(fieldValue(fields, "diagnostic-code")) ?? "";
    const words = wordsIn(said);
    return [
      {
        recipient: withoutType(
          fieldValue(fields, "original-recipient") ?? fieldValue(fields, "final-recipient"),
        ),
        outcome,
        // The server's own code tells more than the general one that its reporter translates it into.
        words: { ...words, enhancedCode: words.enhancedCode ?? status },
      },
    ];
  });
  if (statuses.length === 0) return null;
  return {
    kind: "status",
    statuses,
    reportedBy: withoutType(fieldValue(parseFields(head), "reporting-mta")),
  };
}
