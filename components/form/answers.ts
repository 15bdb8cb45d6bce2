import { ApiError } from "@/lib/doors/http/client";

/** The change was begun before another one that the server has by now. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === "CONFLICT" &&
  error.details.some(({ path }) => path === "basedOn");

/** The server is away, or has too much to do: the same may be taken later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
