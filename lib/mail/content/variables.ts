/** What templates can read about a person. */
export interface ContactFields {
  email: string;
  firstName: string;
  lastName: string;
  tags: readonly string[];
  data: Record<string, unknown>;
}

type Variables = Record<string, unknown>;

/**
 * A rendering's variables: each key of the contact's data by its bare name, overridden by the contact's
 * fields, and those by the request's data (also under `data.`).
 */
export function contactVariables(
  contact: ContactFields | null,
  requestData: Variables | null,
): Variables {
  const own = contact?.data ?? {};
  const variables = {
    ...own,
    ...(contact
      ? {
          email: contact.email,
          firstName: contact.firstName,
          lastName: contact.lastName,
          tags: contact.tags,
        }
      : {}),
    data: own,
  };
  return withRequestData(variables, requestData);
}

/** The variables overridden by a request's data, by its bare names and under `data.`. */
export function withRequestData(variables: Variables, requestData: Variables | null): Variables {
  if (requestData === null) return variables;
  const data = { ...(variables["data"] as Variables), ...requestData };
  return { ...variables, data, ...requestData };
}
