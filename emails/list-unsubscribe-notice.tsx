import { Letter } from "./letter";

export const departureSubject = (list: string, email: string) =>
  `${email} has unsubscribed from ${list}`;

/** Tells the people who run a list that somebody has left it. */
export function ListDeparture({
  list,
  email,
  name,
}: {
  list: string;
  email: string;
  /** Empty when unknown. */
  name: string;
}) {
  return (
    <Letter
      brand={list}
      title="Someone unsubscribed"
      preview={`${email} will no longer receive ${list}.`}
      text={`${name ? `${name} (${email})` : email} has unsubscribed from ${list}. There is nothing you need to do: campaigns to this list will leave them out from now on.`}
      foot="You are receiving this because the list is set to report who unsubscribes. You can turn this off in the list's settings."
    />
  );
}
