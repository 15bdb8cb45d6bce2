import { Letter } from "./letter";

export const departureSubject = (list: string, email: string) => `${email} left ${list}`;

/** Tells those who keep a list that somebody has left it. */
export function ListDeparture({
  list,
  email,
  name,
}: {
  list: string;
  email: string;
  /** Empty when it is not known. */
  name: string;
}) {
  return (
    <Letter
      brand={list}
      title="Somebody has left"
      preview={`${email} gets ${list} no more.`}
      text={`${name ? `${name} (${email})` : email} has unsubscribed from ${list}. Nothing is to be done: its campaigns leave this person out from now on.`}
      foot="You get this because the list tells its keeper who leaves. That is switched off in the list's settings."
    />
  );
}
