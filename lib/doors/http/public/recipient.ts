import { Hono, type Context } from "hono";
import { database } from "@/db/client";
import { newRequestId } from "@/lib/ground/ids/request-id";
import { changePreferences, unsubscribeByToken } from "@/lib/domain/opt-outs/change-preferences";
import { confirmSubscription } from "@/lib/domain/opt-outs/double-opt-in";
import { preferenceChange } from "@/lib/domain/opt-outs/schema";
import { viewMail } from "@/lib/domain/opt-outs/view-in-browser";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import type { NodeBindings } from "@/lib/doors/http/surface/client-address";
import { readBody } from "@/lib/doors/http/surface/body";
import { adviceHeaders, httpStatuses } from "@/lib/doors/http/surface/errors";
import { mailDocument, mailPolicy } from "./mail-document";

/** These forms hold a few words; nothing longer comes from a mail program. */
const largestFormBytes = 64 * 1024;

const unknownLink = "This link is not valid, or part of it is missing.\n";

interface Env {
  Bindings: NodeBindings;
}

/** An address that contains a token must not leak. */
function setPrivate(c: Context<Env>): void {
  c.header("cache-control", "private, no-store");
  c.header("referrer-policy", "no-referrer");
  c.header("x-robots-tag", "noindex, nofollow");
  c.header("x-content-type-options", "nosniff");
}

/** Sends a browser back to the page, which says what happened; it reloads without posting again. */
function back(c: Context<Env>, page: string, query: Record<string, string> = {}): Response {
  const path = `/${page}/${encodeURIComponent(c.req.param("token") ?? "")}`;
  const search = new URLSearchParams(query).toString();
  return c.redirect(path + (search && `?${search}`), 303);
}

/**
 * What people can do by the links in their mail. The token is the credential: no cookie is read, and GET and
 * HEAD change nothing, since scanners open every link.
 */
export function createRecipientRoutes(): Hono<Env> {
  const routes = new Hono<Env>({ strict: false });
  const body = (c: Context<Env>) => readBody(c.req.raw, c.env, largestFormBytes);
  routes.use(async (c, next) => {
    setPrivate(c);
    await next();
  });

  // RFC 8058: answered directly, since a redirect would lose the body. Mail programs spell the body in more
  // ways than the RFC does, and none posts here unless it means to, so the body is not looked at.
  routes.post("/t/u/:token", async (c) => {
    await body(c);
    const outcome = await unsubscribeByToken(database(), c.req.param("token"));
    if (outcome === null) return c.text(unknownLink, 404);
    return c.text("You are unsubscribed.\n");
  });
  routes.get("/t/u/:token", (c) => back(c, "preferences", { unsubscribe: "" }));

  routes.post("/t/preferences/:token", async (c) => {
    const token = c.req.param("token");
    const form = new URLSearchParams((await body(c)).toString("utf8"));
    const wanted = preferenceChange.safeParse(Object.fromEntries(form));
    if (!wanted.success) return c.text("The form does not ask for a known change.\n", 400);
    const outcome = await changePreferences(database(), token, wanted.data);
    if (outcome === null) return c.text(unknownLink, 404);
    const { action: done, ...rest } = wanted.data;
    return back(c, "preferences", { done, ...rest });
  });

  routes.post("/t/confirm/:token", async (c) => {
    await body(c);
    const confirmation = await confirmSubscription(database(), c.req.param("token"));
    if (confirmation === null) return c.text(unknownLink, 404);
    return back(c, "confirm");
  });

  routes.get("/view/:token", async (c) => {
    const mail = await viewMail(database(), c.req.param("token"));
    c.header("content-security-policy", mailPolicy);
    return c.html(mailDocument(mail), mail ? 200 : 404);
  });

  const taken = {
    "/t/u/:token": "GET, HEAD, POST",
    "/t/preferences/:token": "POST",
    "/t/confirm/:token": "POST",
    "/view/:token": "GET, HEAD",
  };
  for (const [path, allow] of Object.entries(taken)) {
    routes.all(path, (c) => c.text(`Only ${allow} can be used here.\n`, 405, { allow }));
  }

  routes.onError((thrown, c) => {
    const requestId = newRequestId();
    const error = toAppError(thrown, requestId);
    setPrivate(c);
    return c.text(`${error.message}\n`, httpStatuses[error.code], {
      "x-request-id": requestId,
      ...adviceHeaders(error),
    });
  });
  return routes;
}
