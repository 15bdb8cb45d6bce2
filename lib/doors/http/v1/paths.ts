/** First segments of bearer paths; each also answers at the root, without /v1. */
export const bearerResources = new Set([
  "send",
  "emails",
  "batch",
  "templates",
  "segments",
  "suppressions",
  "topics",
  "forms",
  "contacts",
  "campaigns",
  "domains",
  "sending",
  "connections",
  "api-keys",
  "webhooks",
  "events",
  "inbound",
]);

/** `/api/dashboard/{project}`: the same operations, with the session as credential. */
const sessionMount = /^\/api\/dashboard\/([^/]+)(?=\/|$)/;

/** The wire id of the project in a dashboard path; null for other paths. */
export function sessionProject(pathname: string): string | null {
  return sessionMount.exec(pathname)?.[1] ?? null;
}

/** Turns any accepted form of a bearer path into the canonical one: with /v1, without a trailing slash. */
export function canonicalPath(pathname: string): string {
  let path = pathname.replace(sessionMount, "");
  if (path.length > 1 && path.endsWith("/")) path = path.slice(0, -1);
  return path === "/v1" || path.startsWith("/v1/") ? path : `/v1${path}`;
}

/** Whether the bearer surface answers this path, if only with 404. Other root paths are pages. */
export function isBearerPath(pathname: string): boolean {
  const [, first = ""] = pathname.split("/", 2);
  return first === "v1" || bearerResources.has(first);
}
