import type { ContactListQuery } from "@/lib/domain/contacts/list-schema";

/** The list's query as the API takes it. */
export function wireQuery({ subscribed, ...rest }: ContactListQuery) {
  return {
    ...rest,
    subscribed:
      subscribed === undefined ? undefined : subscribed ? ("true" as const) : ("false" as const),
  };
}
