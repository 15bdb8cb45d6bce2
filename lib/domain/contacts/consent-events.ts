import type { Consent } from "@/db/enums";

/** What a change of consent is told as: one event or none. */
export function consentEvents(
  before: Consent,
  after: Consent,
): ("contact.subscribed" | "contact.unsubscribed")[] {
  return before === after || after === "never" ? [] : [`contact.${after}`];
}
