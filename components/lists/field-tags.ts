/** Fields whose values are the contact's; the others are the list's own. */
export const contactTags: readonly string[] = ["EMAIL", "FIRST_NAME", "LAST_NAME"];
