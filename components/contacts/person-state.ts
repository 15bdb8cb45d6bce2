import { suppressionReasons } from "@/db/enums";
import type { ContactState } from "@/lib/domain/contact-states/schema";
import type { Contact } from "@/lib/domain/contacts/schema";
import { phrases } from "@/lib/ground/texts/t";

/** What a state means for the mail to the person, in a sentence. */
export const stateSentences: Record<Exclude<ContactState, "reachable">, string> = phrases({
  never_subscribed:
    "Campaigns skip this person, who has not subscribed. Emails that your programs send still arrive.",
  unsubscribed:
    "This person unsubscribed, so campaigns skip them. Emails that your programs send still arrive.",
  paused:
    "This person asked for a break, so campaigns skip them until it ends. Emails that your programs send still arrive.",
  hard_bounce: "This address bounced permanently, so nothing is sent to it.",
  complaint: "This person reported your mail as spam, so nothing is sent to them.",
  manual: "This address is on the suppression list, so nothing is sent to it.",
  domain: "The whole domain of this address is suppressed, so nothing is sent to it.",
});

/** The contact's state; without one, as in an upsert's answer, what the subscription says. */
export const stateOf = ({ state, subscribed }: Contact): ContactState =>
  state ?? (subscribed ? "reachable" : "never_subscribed");

/** Whether nothing is sent to the address, campaign or not. */
export const isSuppressedState = (state: ContactState) =>
  suppressionReasons.some((reason) => reason === state);

/** Whether subscribing changes anything: a suppressed address gets no mail, subscribed or not. */
export const maySubscribe = (state: ContactState) =>
  state === "never_subscribed" || state === "unsubscribed";
