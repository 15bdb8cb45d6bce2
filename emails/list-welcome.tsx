import { Letter } from "./letter";
import { ListFoot } from "./list-foot";

export const welcomeSubject = (list: string) => `Welcome to ${list}`;

/** Greets a new member of a list. */
export function ListWelcome({
  list,
  name,
  email,
  preferencesUrl,
  reason,
  sender,
}: {
  list: string;
  /** First name; empty when it is not known. */
  name: string;
  email: string;
  preferencesUrl: string;
  /** Why this person gets mail of the list, in its own words; empty: ours. */
  reason: string;
  sender: readonly string[];
}) {
  return (
    <Letter
      brand={list}
      title={name ? `Welcome, ${name}` : "Welcome"}
      preview={`You are on the list ${list}.`}
      text={`${email} is on the list ${list} now. The next issue comes to you.`}
      foot={
        <ListFoot
          reason={reason || `You get this because you joined ${list}.`}
          sender={sender}
          preferencesUrl={preferencesUrl}
        />
      }
    />
  );
}
