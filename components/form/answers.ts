import { ApiError } from "@/lib/doors/http/client";

/** The change was begun before another one that the server has accepted since. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === "CONFLICT" &&
  error.details.some(({ path }) => path === "basedOn");

/** The server is down or overloaded: the same request may succeed later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
