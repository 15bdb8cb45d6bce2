import { Letter } from "./letter";

export const senderPausedSubject = "Your mail is not accepted";

/** Tells the owners of a project that the mail server refuses one of its senders. */
export function SenderPaused(props: {
  project: string;
  domain: string;
  words: string;
  url: string;
}) {
  return (
    <Letter
      title="Your mail is not accepted"
      preview={`The mail server refuses mail from ${props.domain}: ${props.words}`}
      text={
        <>
          The mail server refuses mail that {props.project} sends from {props.domain}, whoever it is
          for. It says: “{props.words}” Nobody’s address was marked as bad and nothing is lost: the
          mail waits, one email a minute is tried, and all of it goes out as soon as the server
          accepts that. Once the cause is gone you can also let it go on at once.
        </>
      }
      action={{ label: "See what waits", url: props.url }}
      foot="You are receiving this because you are an owner of this project."
    />
  );
}
