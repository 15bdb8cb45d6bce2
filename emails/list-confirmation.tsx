import { Letter } from "./letter";
import { ListFoot } from "./list-foot";

export const confirmationSubject = (list: string) => `Please confirm: ${list}`;

/** Asks somebody whose address was given to a list whether it was they who gave it. */
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
  /** Why this person gets mail of the list, in its own words; empty: ours alone. */
  reason: string;
  sender: readonly string[];
}) {
  return (
    <Letter
      brand={list}
      title="One press, and you are on the list"
      preview={`Confirm that ${list} may be sent to you.`}
      text={`Somebody, you we hope, gave ${email} to get ${list}. It is sent to you only after you confirm.`}
      action={{ label: "Confirm", url }}
      foot={
        <ListFoot
          reason={`If it was not you, do nothing: no more mail comes from this list. ${reason}`.trim()}
          sender={sender}
        />
      }
    />
  );
}
