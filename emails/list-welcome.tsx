import { Letter } from "./letter";
import { ListFoot } from "./list-footer";

export const welcomeSubject = (list: string) => `Welcome to ${list}`;

/** Welcomes a new member of a list. */
export function ListWelcome({
  list,
  name,
  email,
  preferencesUrl,
  reason,
  sender,
}: {
  list: string;
  /** First name; empty when unknown. */
  name: string;
  email: string;
  preferencesUrl: string;
  /** Why people get this list's mail, in its own words; empty: ours is shown. */
  reason: string;
  sender: readonly string[];
}) {
  return (
    <Letter
      brand={list}
      title={name ? `Welcome, ${name}` : "Welcome"}
      preview={`You are now subscribed to ${list}.`}
      text={`You are now subscribed to ${list} as ${email}. The next issue will come straight to your inbox.`}
      foot={
        <ListFoot
          reason={reason || `You are receiving this because you subscribed to ${list}.`}
          sender={sender}
          preferencesUrl={preferencesUrl}
        />
      }
    />
  );
}
