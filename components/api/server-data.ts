import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** What pages were rendered with that the cache already has. */
const taken = new WeakSet<object>();

/** Whether the cache lacks this. The page that "Back" brings up again holds the same object. */
export const isNews = (answer: object | undefined) => answer !== undefined && !taken.has(answer);

/**
 * Puts what a page was rendered with into the cache, once. React Query's `initialData` alone is ignored
 * where an older answer is cached, and the clocks of server and browser cannot tell which is newer.
 */
export function takeOver(queries: QueryClient, key: QueryKey, answer: object | undefined): void {
  if (answer === undefined || taken.has(answer)) return;
  taken.add(answer);
  // What a page began with: to set it again would draw everything a second time, at once and in one go.
  if (queries.getQueryData(key) !== answer) queries.setQueryData(key, answer);
}
