import createFetchClient, { type Client } from "openapi-fetch";
import { withRetries } from "./retries.js";
import type { components, paths } from "./schema.js";

/** Every operation of the API by method and path, as its document has them. */
export type Lettermill = Client<paths>;

/** What the API's document names, by name: `Schemas["Contact"]`. */
export type Schemas = components["schemas"];

export interface LettermillOptions {
  /** A key of a project, `sk_...`. */
  apiKey: string;
  /** Where the installation is: `https://mail.example.com`. */
  url: string;
  /** How often a request is tried again after 429, 503 or a lost connection. Default: 2 */
  retries?: number;
  /** In place of the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * The API of one project. Answers are `{ data, error, response }`: `data` of a success, else `error` with
 * `error.code` and `error.message` as the API gives them. It rejects only when no answer came at all.
 */
export function createLettermill({
  apiKey,
  url,
  retries = 2,
  fetch = globalThis.fetch,
}: LettermillOptions): Lettermill {
  return createFetchClient<paths>({
    baseUrl: url.replace(/\/+$/, ""),
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: withRetries(fetch, retries),
  });
}
