import { Link } from "react-email";

/** The foot of a list's mails: why they come, how to unsubscribe, and who sends them. */
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
            Manage your preferences or unsubscribe
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
