import type { Contact, ContactQuery } from "@/lib/domain/contacts/schema";

/** Whom an action is about: people ticked on the page, or all that match the list's filters. */
export type Chosen<Person extends { id: string } = Contact> =
  | { kind: "some"; contacts: readonly Person[]; count: number }
  | { kind: "all"; query: ContactQuery; count: number };

/** The filters alone, without paging and order. */
export function filterOf({ search, subscribed, tag, segmentId }: ContactQuery) {
  return {
    ...(search ? { search } : {}),
    ...(subscribed === undefined ? {} : { subscribed }),
    ...(tag ? { tag } : {}),
    ...(segmentId ? { segmentId } : {}),
  };
}

/** As a bulk change takes it. */
export const targetOf = (chosen: Chosen<{ id: string }>) =>
  chosen.kind === "all"
    ? { filter: filterOf(chosen.query) }
    : { contactIds: chosen.contacts.map(({ id }) => id) };
