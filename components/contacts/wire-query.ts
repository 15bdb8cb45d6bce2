import type { ContactQuery } from "@/lib/domain/contacts/schema";

/** The list's query as it stands in a URL. */
export function wireQuery({ subscribed, ...rest }: ContactQuery) {
  return {
    ...rest,
    subscribed:
      subscribed === undefined ? undefined : subscribed ? ("true" as const) : ("false" as const),
  };
}

/** Whether anything but paging narrows the list. */
export function isFiltered({ search, subscribed, tag, segmentId }: ContactQuery): boolean {
  return Boolean(search || tag || segmentId) || subscribed !== undefined;
}
