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
  // Handed to a list of addresses, each of which may be reported on separately.
  expanded: "relayed",
};

const mostRecipients = 200;

const longestProse = 32 * 1024;
const mostLines = 6;

/** The lines for people that come before the machine-readable part. */
function proseBefore(parts: readonly ReportPart[], status: ReportPart): string[] {
  const part = parts.slice(0, parts.indexOf(status)).find(({ type }) => type === "text/plain");
  const text = part?.text.slice(0, longestProse) ?? "";
  return text.split(/\r?\n/).map((line) => line.trim());
}

/**
 * What is said of an address in prose: below it on lines of their own (Exim gives its own reasons only there), or
 * behind it, indented from the second line on (Postfix).
 */
function saidOf(prose: readonly string[], address: string): string {
  if (address === "") return "";
  const behind = `<${address}>: `;
  const at = prose.findIndex((line) => line === address || line.startsWith(behind));
  const first = prose[at]?.startsWith(behind) ? [prose[at].slice(behind.length)] : [];
  const below = at < 0 ? [] : [...first, ...prose.slice(at + 1, at + 1 + mostLines)];
  const end = below.indexOf("");
  return below
    .slice(0, end < 0 ? below.length : end)
    .join(" ")
    .replace(/^Delay reason: /, "");
}

/** A program's exit status, as Postfix translates it: what went wrong stands in its prose. */
const isExitStatus = (diagnostic: string | null) => /^x-unix *;/i.test(diagnostic ?? "");

/** Exim also calls delivered what it passed on to a non-reporting server: only its prose tells. */
const wasPassedOn = (prose: readonly string[], address: string) =>
  prose.includes(`<${address}> (relayed to non-DSN-aware mailer)`);

/** Null: there is no such part, or it says nothing about any address. */
export function statusesOf(parts: readonly ReportPart[]): ReturnedMail | null {
  // The first one: a later one belongs to the returned message.
  const part = parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  if (!part) return null;
  const [head = "", ...blocks] = withCrlf(part.text)
    .trim()
    .split(/\r\n(?:[ \t]*\r\n)+/);
  const prose = proseBefore(parts, part);
  const statuses = blocks.slice(0, mostRecipients).flatMap((block): RecipientStatus[] => {
    const fields = parseFields(block);
    const outcome = outcomes[(fieldValue(fields, "action") ?? "").toLowerCase()];
    if (!outcome) return [];
    const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fieldValue(fields, "status") ?? "")?.[0] ?? null;
    const final = withoutType(fieldValue(fields, "final-recipient"));
    const diagnostic = fieldValue(fields, "diagnostic-code");
    const coded = withoutType(diagnostic);
    const inProse = coded === null || isExitStatus(diagnostic) ? saidOf(prose, final ?? "") : "";
    const words = wordsIn(inProse || (coded ?? ""));
    return [
      {
        recipient: withoutType(fieldValue(fields, "original-recipient")) ?? final,
        outcome: outcome === "delivered" && wasPassedOn(prose, final ?? "") ? "relayed" : outcome,
        // The server's own code says more than the general one that its reporter translates it into.
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
