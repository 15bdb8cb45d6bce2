import { foldAddress } from "@/lib/mail/address";
import type { AcceptMessage } from "./accept";
import { toMailbox } from "./normalize";

/** What a test has of its own. */
type Written = Pick<
  AcceptMessage,
  "from" | "subject" | "html" | "text" | "liquid" | "templateUuid" | "replyTo"
>;

/** A test to a few addresses, each once: it changes nobody's subscription, and its links and opens are not tracked. */
export function testMessage(
  to: Parameters<typeof toMailbox>[0] | Parameters<typeof toMailbox>[0][],
  written: Written,
): AcceptMessage {
  const people = [to].flat().map(toMailbox);
  return {
    to: [...new Map(people.map((person) => [foldAddress(person.email), person])).values()],
    ...written,
    templateId: null,
    data: null,
    headers: null,
    attachments: [],
    subscribed: null,
    scheduledAt: null,
    sendBefore: null,
    metadata: null,
    trackOpens: false,
    trackClicks: false,
    source: "TRANSACTIONAL",
  };
}
