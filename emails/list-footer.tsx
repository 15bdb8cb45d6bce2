import { Link } from "react-email";

/** The foot of a list's mails: why they come, how to unsubscribe, and who sends them. */
export function ListFoot({
  reason,
  sender,
  preferences,
  color = "#574c42",
}: {
  reason: string;
  /** The sender's postal address, line by line. */
  sender: readonly string[];
  preferences?: { label: string; url: string };
  /** Of its link. */
  color?: string | undefined;
}) {
  return (
    <>
      {reason}
      {preferences !== undefined && (
        <>
          <br />
          <Link href={preferences.url} style={{ color, textDecoration: "underline" }}>
            {preferences.label}
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
