import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { catalogueOf, dashboardLanguage } from "@/lib/ground/texts/catalogues";
import type { Catalogue } from "@/lib/ground/texts/t";

const readers = new AsyncLocalStorage<Catalogue | null>();
globalThis.lettermillCatalogue = () => readers.getStore() ?? null;

/** The cookie of languageCookie. */
const cookiePattern = /(?:^|; )language=([a-z]{2,8})(?:;|$)/;

/**
 * Answers a request in the language of who reads the dashboard: its pages, and what they ask the API with their
 * session's cookie. Programs, which bring a key or token, are answered in English whatever else they ask for.
 */
export function inLanguage<Result>(
  request: IncomingMessage,
  { isPage, answer }: { isPage: boolean; answer: () => Result },
): Result {
  const { authorization, cookie = "" } = request.headers;
  if (authorization !== undefined || (!isPage && cookie === "")) return answer();
  const chosen = cookiePattern.exec(cookie)?.[1];
  const language = dashboardLanguage(chosen, request.headers["accept-language"]);
  return readers.run(catalogueOf(language), answer);
}
