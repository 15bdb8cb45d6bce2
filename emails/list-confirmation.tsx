import { Letter } from "./letter";
import { ListFoot } from "./list-footer";

export const confirmationSubject = (list: string) => `Please confirm your subscription to ${list}`;

/** Asks the owner of an address that was signed up to a list whether they signed up themselves. */
export function ListConfirmation({
  list,
  email,
  url,
  reason,
  sender,
}: {
  list: string;
  email: string;
  url: string;
  /** Why people get this list's mail, in its own words; empty: only ours is shown. */
  reason: string;
  sender: readonly string[];
}) {
  return (
    <Letter
      brand={list}
      title="One click and you are subscribed"
      preview={`Confirm that you would like to receive ${list}.`}
      text={`Somebody, hopefully you, signed ${email} up for ${list}. We will only write to you once you have confirmed.`}
      action={{ label: "Confirm subscription", url }}
      foot={
        <ListFoot
          reason={`If this was not you, simply ignore this email: you will not hear from this list again. ${reason}`.trim()}
          sender={sender}
        />
      }
    />
  );
}
