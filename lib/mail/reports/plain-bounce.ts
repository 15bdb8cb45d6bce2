import type { Field } from "@/lib/mail/message/raw-message";
import { isFromServer } from "./auto-reply";
import { wordsIn } from "./server-words";
import { fieldValue, type RecipientStatus, type ReportPart, type ReturnedMail } from "./report";

/*
 * Bounces in prose, for people to read: qmail ("Hi. This is the qmail-send program"), Exim before its
 * reports ("This message was created automatically by mail delivery software"), old Sendmail ("The following
 * addresses had permanent fatal errors"), Exchange ("did not reach the following recipient(s)"), Yahoo
 * ("Sorry, we were unable to deliver your message").
 */

const failure =
  /wasn't able to deliver|could not be delivered|couldn't be delivered|unable to deliver|undeliverable|undelivered|permanent(ly)? (fatal )?(error|fail)|delivery (has )?failed|did not reach the following recipient|returned to sender|address(es)? failed|mail delivery failed|failure notice/i;
const delay =
  /(has|have) not (yet )?been delivered|will (be retried|continue to (be )?tr|keep trying)|delivery (is )?(temporarily )?delayed|no action is required|warning: (message|could not send)/i;

const longestText = 32 * 1024;

/** Null: nothing says that mail could not be delivered. */
export function plainBounceOf(
  fields: readonly Field[],
  parts: readonly ReportPart[],
): ReturnedMail | null {
  const prose = parts.find(({ type }) => type === "text/plain" || type === "text/html");
  const failed = fieldValue(fields, "x-failed-recipients");
  if (!failed && !isFromServer(fields)) return null;
  const text = beforeTheCopy(prose?.text.slice(0, longestText) ?? "");
  const opening = `${fieldValue(fields, "subject") ?? ""}\n${text.slice(0, 4_096)}`;
  const delayed = delay.test(opening);
  if (!failed && !delayed && !failure.test(opening)) return null;
  const status: RecipientStatus = {
    recipient: failed?.split(",", 1)[0]?.trim() ?? null,
    outcome: delayed ? "delayed" : "failed",
    words: wordsIn(reasonIn(text)),
  };
  return { kind: "status", statuses: [status], reportedBy: serverOf(fields) };
}

const copyFollows =
  /copy of (the|your) message|original message|unsent message|message header|message body/i;

/** The report itself, without the copy of the message that follows, which could say anything. */
function beforeTheCopy(text: string): string {
  const lines = text.split(/\r?\n/);
  // The opening may promise the copy, but what announces it is a line of dashes or says "below".
  const at = lines.findIndex(
    (line) => copyFollows.test(line) && (line.includes("---") || /^below this line/i.test(line)),
  );
  return lines.slice(0, at < 0 ? lines.length : at).join("\n");
}

/** The lines from the first with a code, otherwise from the first that names an address. */
function reasonIn(text: string): string {
  const lines = text.split(/\r?\n/);
  const coded = lines.findIndex((line) => {
    const { code, enhancedCode } = wordsIn(line);
    return enhancedCode !== null || (code !== null && /[a-z]{3}/i.test(line));
  });
  const start = coded >= 0 ? coded : lines.findIndex((line) => /\S@\S/.test(line));
  if (start < 0) return lines.filter(Boolean).slice(0, 6).join(" ");
  const rest = lines.slice(start, start + 6);
  const end = rest.findIndex((line, index) => index > 0 && line.trim() === "");
  return rest.slice(0, end < 0 ? rest.length : end).join(" ");
}

function serverOf(fields: readonly Field[]): string | null {
  return /@([^\s<>@"()]+)/.exec(fieldValue(fields, "from") ?? "")?.[1] ?? null;
}
