import { Link } from "react-email";

/** What stands below a list's mails: why they come, who sends them, and the way out. */
export function ListFoot({
  reason,
  sender,
  preferencesUrl,
}: {
  reason: string;
  /** The sender's postal address, line by line. */
  sender: readonly string[];
  preferencesUrl?: string;
}) {
  return (
    <>
      {reason}
      {preferencesUrl !== undefined && (
        <>
          <br />
          <Link href={preferencesUrl} style={{ color: "#574c42", textDecoration: "underline" }}>
            Choose what you get, or unsubscribe
          </Link>
        </>
      )}
      {sender.length > 0 && <br />}
      {sender.map((line) => (
        <span key={line}>
          <br />
          {line}
        </span>
      ))}
    </>
  );
}
