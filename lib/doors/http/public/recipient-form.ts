import type { Context, Hono } from "hono";
import { clientAddress, type NodeBindings } from "@/lib/doors/http/surface/client-address";
import { readStrangersBody } from "@/lib/doors/http/surface/body";
import { adviceHeaders, httpStatuses } from "@/lib/doors/http/surface/errors";
import { requestIdOf } from "@/lib/doors/http/surface/request-record";
import { originOf } from "@/lib/ground/context";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { readRecipientToken } from "@/lib/mail/tracking/tokens";
import { answerMessage } from "./pages/message";

/** These forms contain a few words; nothing longer comes from a mail program. */
export const largestFormBytes = 64 * 1024;

export interface Env {
  Bindings: NodeBindings;
}

/** An address that contains a token must not leak. */
export function setPrivate(c: Context<Env>): void {
  c.header("cache-control", "private, no-store");
  c.header("referrer-policy", "no-referrer");
  c.header("x-robots-tag", "noindex, nofollow");
  c.header("x-content-type-options", "nosniff");
  c.header("cross-origin-opener-policy", "same-origin");
}

/** A page's address with what it is to show; as it is when there is nothing. */
export function withQuery(path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return path + (search && `?${search}`);
}

/** Sends a browser back to the page, which says what happened; it reloads without posting again. */
export function back(c: Context<Env>, page: string, query: Record<string, string> = {}): Response {
  const path = `/${page}/${encodeURIComponent(c.req.param("token") ?? "")}`;
  return c.redirect(withQuery(path, query), 303);
}

/** The fields of a form, and apart from them the language of its page, if somebody chose it. */
export async function readForm(c: Context<Env>) {
  const body = await readStrangersBody(c.req.raw, c.env, largestFormBytes);
  const { lang, ...fields } = Object.fromEntries(new URLSearchParams(body.toString("utf8")));
  const language: Record<string, string> = lang === undefined ? {} : { lang };
  return { fields, language };
}

/** Who acts, as the history of consent keeps it. */
export function visitOf(c: Context<Env>): { ipAddress: string; userAgent: string } {
  const { address, userAgent } = originOf(clientAddress(c.req.raw, c.env), c.req.raw.headers);
  return { ipAddress: address, userAgent };
}

/** A link that was never ours, or is of a different kind from its path. */
export const unknownLink = (c: Context<Env>) => answerMessage(c, "link.unknown", { status: 404 });

/** On paths for readers of mail: a link that we made names mail with no record left. */
export const unknownMail = (c: Context<Env>) =>
  readRecipientToken(c.req.param("token") ?? "") === null
    ? unknownLink(c)
    : answerMessage(c, "link.gone", { status: 410 });

/** What went wrong, on a page that says that nothing has changed. */
export function answerError(thrown: Error, c: Context<Env>): Response | Promise<Response> {
  const requestId = requestIdOf(c.req.raw, c.env);
  const error = toAppError(thrown, requestId);
  setPrivate(c);
  c.header("x-request-id", requestId);
  for (const [name, value] of Object.entries(adviceHeaders(error))) c.header(name, value);
  const status = httpStatuses[error.code];
  return answerMessage(c, status < 500 ? "page.refused" : "page.busy", { status });
}

/** Each path, and the methods it takes: any other gets a page that says so and, for programs, `allow`. */
export function refuseOtherMethods(routes: Hono<Env>, allowed: Record<string, string>): void {
  for (const [path, allow] of Object.entries(allowed)) {
    routes.all(path, (c) => {
      c.header("allow", allow);
      return answerMessage(c, "page.refused", { status: 405 });
    });
  }
}
