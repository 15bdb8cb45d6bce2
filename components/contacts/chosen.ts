import type { ContactListQuery } from "@/lib/domain/contacts/list-schema";
import type { Contact } from "@/lib/domain/contacts/schema";

/** Whom an action is about: people ticked on the page, or all that match the list's filters. */
export type Chosen<Person extends { id: string } = Contact> =
  | { kind: "some"; contacts: readonly Person[]; count: number }
  | { kind: "all"; query: ContactListQuery; count: number };

/** The filters alone, without paging and order. */
export function filterOf({
  search,
  subscribed,
  state,
  tag,
  segmentId,
  startDate,
  endDate,
}: ContactListQuery) {
  return {
    ...(search ? { search } : {}),
    ...(subscribed === undefined ? {} : { subscribed }),
    ...(state ? { state } : {}),
    ...(tag ? { tag } : {}),
    ...(segmentId ? { segmentId } : {}),
    ...(startDate ? { startDate } : {}),
    ...(endDate ? { endDate } : {}),
  };
}

/** As a bulk change takes it. */
export const targetOf = (chosen: Chosen<{ id: string }>) =>
  chosen.kind === "all"
    ? { filter: filterOf(chosen.query) }
    : { contactIds: chosen.contacts.map(({ id }) => id) };
