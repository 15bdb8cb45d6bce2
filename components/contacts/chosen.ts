import type { ContactQuery } from "@/lib/domain/contacts/schema";

/** The filters alone, without paging and order. */
export function filterOf({ search, subscribed, tag, segmentId }: ContactQuery) {
  return {
    ...(search ? { search } : {}),
    ...(subscribed === undefined ? {} : { subscribed }),
    ...(tag ? { tag } : {}),
    ...(segmentId ? { segmentId } : {}),
  };
}
