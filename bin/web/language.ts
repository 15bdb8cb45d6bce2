import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { catalogueOf, dashboardLanguage, localeOf } from "@/lib/ground/texts/catalogues";
import type { Catalogue } from "@/lib/ground/texts/t";

const readers = new AsyncLocalStorage<{ catalogue: Catalogue | null; locale: string | null }>();
globalThis.lettermillCatalogue = () => readers.getStore()?.catalogue ?? null;
globalThis.lettermillLocale = () => readers.getStore()?.locale ?? null;

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
  const asked = request.headers["accept-language"];
  const language = dashboardLanguage(chosen, asked);
  const reader = { catalogue: catalogueOf(language), locale: localeOf(language, asked) };
  return readers.run(reader, answer);
}
