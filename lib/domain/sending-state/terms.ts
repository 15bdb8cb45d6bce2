/** Beyond this many, waiting mail is not counted. */
export const mostCounted = 10_000;
