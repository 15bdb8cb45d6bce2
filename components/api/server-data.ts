import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** What pages were rendered with and the cache already has. */
const taken = new WeakSet<object>();

/** Whether the cache has not got this yet. The page that "Back" brings again holds the same object. */
export const isNews = (answer: object | undefined) => answer !== undefined && !taken.has(answer);

/**
 * Puts what a page was rendered with into the cache, once. React Query's `initialData` alone is passed
 * over where an older answer is cached, and clocks of server and browser cannot say which is newer.
 */
export function takeOver(queries: QueryClient, key: QueryKey, answer: object | undefined): void {
  if (answer === undefined || taken.has(answer)) return;
  taken.add(answer);
  queries.setQueryData(key, answer);
}
