import type { Query, QueryClient } from "@tanstack/react-query";
import type { ApiInput, ApiRoute } from "@/lib/doors/http/client";

type ResourceOf<Route> = Route extends `${string} /v1/${infer Resource}/${string}`
  ? Resource
  : Route extends `${string} /v1/${infer Resource}`
    ? Resource
    : never;
/** What a route is about, as its path names it: `contacts`, `lists`. */
export type Resource = ResourceOf<ApiRoute>;

export function resourceOf(route: ApiRoute): Resource {
  return route.replace(/^\w+ \/v1\//, "").split("/", 1)[0] as Resource;
}

/** The key of a route's answer: resource, project, route and what it was asked. */
export function queryKey<R extends ApiRoute>(project: string, route: R, input: ApiInput<R>) {
  return [resourceOf(route), project, route, input] as const;
}

/** Queries that are too long for a URL, and what an open editor says of itself: no page shows a change. */
const readsByPost: ReadonlySet<ApiRoute> = new Set<ApiRoute>([
  "POST /v1/campaigns/audience",
  "POST /v1/campaigns/{id}/presence",
  "POST /v1/contacts/changes/preview",
  "POST /v1/contacts/{id}/merge/preview",
  "POST /v1/forms/preview",
  "POST /v1/platform-token/reveal",
  "POST /v1/project/preview",
  "POST /v1/segments/preview",
  "POST /v1/templates/preview",
  "POST /v1/templates/{id}/presence",
  "POST /v1/templates/{id}/render",
]);

/** Answers that take seconds: their pages ask again once writes have settled. */
const askedByPage: ReadonlySet<ApiRoute> = new Set<ApiRoute>(["GET /v1/campaigns/{id}/preflight"]);

export const isWrite = (route: ApiRoute) => !route.startsWith("GET ") && !readsByPost.has(route);

/** What shows traces of every write: the search and the audit log. */
const alwaysChanged: readonly Resource[] = ["find", "audit"];

/**
 * What a write to a resource changes besides that resource. Campaigns show whom they would reach and what
 * is still missing, so they change with audience, content, sender and postal address.
 */
const alsoChanged: Partial<Record<Resource, readonly Resource[]>> = {
  "api-keys": ["overview"],
  campaigns: ["captured", "emails", "lists", "overview", "segments"],
  connections: ["domains", "overview", "sending"],
  contacts: [
    ...(["campaigns", "captured", "emails", "forms", "inbound", "lists", "overview"] as const),
    ...(["segments", "suppressions", "topics"] as const),
  ],
  domains: ["campaigns", "connections", "inbound", "overview", "sending"],
  inbound: ["captured", "contacts", "emails", "overview"],
  emails: ["captured", "overview"],
  lists: ["campaigns", "captured", "contacts", "emails", "forms", "segments"],
  members: ["assistants"],
  password: ["second-factor", "sessions"],
  "platform-token": ["sessions"],
  project: ["campaigns", "overview"],
  "second-factor": ["members"],
  segments: ["campaigns", "contacts"],
  sending: ["campaigns", "connections", "domains", "emails", "overview"],
  send: ["captured", "contacts", "emails", "overview"],
  suppressions: ["campaigns", "contacts", "lists", "overview", "segments"],
  subscribers: ["campaigns", "captured", "contacts", "emails", "lists", "segments"],
  templates: ["campaigns", "captured", "emails", "overview"],
  topics: ["campaigns", "contacts", "forms"],
  forms: ["lists"],
  webhooks: ["inbound", "overview"],
};

/**
 * After a write: marks everything cached that it may have changed as stale, and reads again what is on
 * screen. `deleted`: the id of a deleted thing, whose own page must not ask for it again.
 */
export async function invalidateChanged(
  queries: QueryClient,
  project: string,
  route: ApiRoute,
  deleted?: string,
): Promise<void> {
  const resource = resourceOf(route);
  const changed = new Set<unknown>([resource, ...alwaysChanged, ...(alsoChanged[resource] ?? [])]);
  const isStale = (key: readonly unknown[]) => changed.has(key[0]) && key[1] === project;
  await queries.invalidateQueries({
    predicate: (query) => isStale(query.queryKey),
    refetchType: "none",
  });
  const shown = {
    type: "active" as const,
    predicate: (query: Query) => {
      const [, , reads, input] = query.queryKey as ReturnType<typeof queryKey>;
      // Questions by POST can be expensive; their pages ask again when they are shown.
      if (!isStale(query.queryKey) || !reads.startsWith("GET ")) return false;
      if (askedByPage.has(reads)) return false;
      return deleted === undefined || thingIn(input.params) !== deleted;
    },
  };
  // A first answer on its way may predate the write, and refetching alone would settle for it.
  for (const query of queries.getQueryCache().findAll(shown)) {
    if (query.state.data === undefined) void query.cancel({ silent: true });
  }
  await queries.refetchQueries(shown);
}

/**
 * The thing a path names: by its id, or by its address where that is the key. A note is its contact's part, and a link
 * to a report its campaign's.
 */
export function thingIn(params: Readonly<Record<string, string>> | undefined): string | undefined {
  return params?.["noteId"] ?? params?.["linkId"] ?? params?.["id"] ?? params?.["email"];
}
