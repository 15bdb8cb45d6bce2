import type { ContactQuery } from "@/lib/domain/contacts/schema";

/** The list's query as the API takes it. */
export function wireQuery({ subscribed, ...rest }: ContactQuery) {
  return {
    ...rest,
    subscribed:
      subscribed === undefined ? undefined : subscribed ? ("true" as const) : ("false" as const),
  };
}
