import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "pino";
import { clientAddress, type NodeBindings } from "@/lib/doors/http/surface/client-address";
import { mountFor, takesUpload } from "@/lib/doors/http/mounts";
import { pagePathHeader } from "@/lib/doors/http/sign-in/return-path";
import { signInBodyLimit } from "@/lib/doors/http/surface/body";
import {
  contentSecurityPolicy,
  pageSecurityHeaders,
} from "@/lib/doors/http/surface/security-headers";
import { longestUploadMinutes } from "@/lib/domain/imports/upload";
import { env } from "@/lib/ground/env/env";
import { AppError, invalid, isAppError } from "@/lib/ground/errors";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { isDatabaseAway } from "@/db/errors";
import { log } from "@/lib/ground/log";
import { root } from "@/bin/start/root";
import { answerHealth, databaseState } from "@/bin/watch/health";
import { answerUnavailable } from "./unavailable-page";
import { fontLinks } from "./font-links";
import { admit, answerTlsAsk } from "./hosts";
import {
  limitBody,
  limitBodyPace,
  refuse,
  refuseDotSegments,
  targetOf,
  type BodyPace,
} from "./guards";
import { inLanguage } from "./language";
import { observe } from "./observe";
import { makePage } from "./page-faults";
import { staticFiles } from "./static-files";
import { answerTexts } from "./texts";

type Mount = NonNullable<ReturnType<typeof mountFor>>;
type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
/** Next's handler for pages and their assets. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** How slowly a body may arrive, other than an upload: a poor telephone line, and five minutes, Node's own default. */
const usualBodyPace: BodyPace = {
  freeMilliseconds: 10_000,
  leastPerSecond: 4 * 1024,
  wholeMilliseconds: 5 * 60_000,
};
/** Node's limit for all requests, including uploads: beyond the hour that uploads have. */
const requestMilliseconds = (longestUploadMinutes + 1) * 60_000;

/** Requests that name the host of a project's domain, and that project (uuid). */
const hostProjects = new WeakMap<IncomingMessage, string>();
const listeners = new WeakMap<Mount, Listener>();

function listenerOf(mount: Mount): Listener {
  let listener = listeners.get(mount);
  if (!listener) {
    const answer = (request: Request, bindings: NodeBindings) => {
      const hostProjectId = bindings.incoming && hostProjects.get(bindings.incoming);
      return mount.fetch(request, hostProjectId ? { ...bindings, hostProjectId } : bindings);
    };
    listener = getRequestListener(
      (request, bindings) => answer(request, bindings as NodeBindings),
      {
        // Next replaces the global Request and Response itself.
        overrideGlobalObjects: false,
      },
    );
    listeners.set(mount, listener);
  }
  return listener;
}

/**
 * Gives each page a policy with a nonce of its own. The request carries it too: that is where Next reads the
 * nonce for its scripts, and a policy sent by the client must not pass for ours.
 */
function setPageHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  options: { development: boolean; https: boolean; path: string },
): void {
  const nonce = randomBytes(16).toString("base64");
  const { development, https, path } = options;
  const policy = contentSecurityPolicy({ nonce, development, https });
  request.headers["content-security-policy"] = policy;
  response.setHeader("content-security-policy", policy);
  for (const [name, value] of Object.entries(pageSecurityHeaders({ https, path }))) {
    response.setHeader(name, value);
  }
}

/**
 * Code behind Next cannot see the socket: X-Forwarded-For carries the caller's address to it, and what a
 * client wrote into that header must not pass for that (sign-in is throttled by address).
 */
function setClientAddress(request: IncomingMessage): void {
  const forwarded = request.headers["x-forwarded-for"];
  const headers = { "x-forwarded-for": [forwarded ?? ""].flat().join(", ") };
  request.headers["x-forwarded-for"] = clientAddress(new Request("http://web", { headers }), {
    incoming: request,
  });
}

/** A page does not know its own address: from this, sign-in learns where to return. */
function setPagePath(request: IncomingMessage): void {
  request.headers[pagePathHeader] = request.url ?? "/";
}

/** The product's own pages; what else Next answers are assets, sign-in's routes and 404. */
const isPage = /^\/(?:$|(?:dashboard|docs|sign-in|sign-up|oauth)(?:\/|$)|login\/)/;
/** Pages made of files of the release alone. */
const isDocumentation = /^\/docs(?:\/|$)/;

/** Next answers 500 to TRACE, of which it cannot make a Request, and 400 without a word to what else is not here. */
const nextMethods = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

/**
 * Hands a request to Next. It sees every caller's address, and no body larger than sign-in needs; in
 * development, where it also answers the surfaces' paths, those bodies have limits of their own.
 */
async function toNext(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    pages: PageHandler;
    development: boolean;
    https: boolean;
    path: string;
    requestId: string;
    fonts: string | null;
  },
): Promise<void> {
  const { pages, development, path, fonts } = options;
  if (!path.startsWith("/_next/static/")) setPageHeaders(request, response, options);
  if (isPage.test(path)) {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      throw new AppError("METHOD_NOT_ALLOWED", "Pages take GET and HEAD only.");
    }
    if (!isDocumentation.test(path) && (await databaseState()) === "away") {
      return answerUnavailable(response);
    }
    // Moving from page to page, what Next's client asks for is no document.
    if (fonts !== null && request.headers["rsc"] === undefined) response.setHeader("link", fonts);
  }
  const { method = "GET" } = request;
  if (!nextMethods.has(method)) throw invalid("method", `${method} is not known here`);
  setClientAddress(request);
  setPagePath(request);
  // Next and what runs in it can identify the request only by this header.
  request.headers["x-request-id"] = options.requestId;
  const limit = development && mountFor(path) ? Infinity : signInBodyLimit;
  if (!limitBody(request, response, limit)) return;
  await makePage(request, response, { pages, requestId: options.requestId });
}

/**
 * The product's one HTTP server: the HTTP surfaces answer before Next sees the request, everything else is
 * a page. In development Next answers everything, since it reloads what was edited.
 */
export function createWebServer(options: {
  pages: PageHandler;
  dev: boolean;
  signal: AbortSignal;
  /** How slowly a body may arrive, other than an upload. */
  bodyPace?: BodyPace;
  /** Where requests are logged to. */
  requestLog?: Logger;
}): Server {
  const { pages, dev, signal, bodyPace = usualBodyPace, requestLog } = options;
  const https = env().APP_URL.startsWith("https:");
  const answerFile = dev ? null : staticFiles(root);
  const fonts = dev ? null : fontLinks(root);
  const server = createServer(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: 20_000,
      requestTimeout: requestMilliseconds,
      connectionsCheckingInterval: 5_000,
    },
    (request, response) => {
      // Asks clients with kept-alive connections to open a new one for their next request.
      if (signal.aborted) response.setHeader("Connection", "close");
      const target = targetOf(request);
      request.url = target;
      const [path = "/"] = target.split("?", 1);
      const mount = dev ? null : mountFor(path);
      const { requestId, within } = observe(request, response, path, requestLog);
      response.setHeader("x-request-id", requestId);
      const serve = async () => {
        refuseDotSegments(path, mount === null);
        if (!takesUpload(path)) limitBodyPace(request, response, bodyPace);
        if (await answerHealth(request, response, path)) return;
        if (await answerTlsAsk(request, response, target)) return;
        const admitted = await admit(request, response, path);
        if (admitted === "refused") return;
        if (admitted.projectId !== null) hostProjects.set(request, admitted.projectId);
        if (await answerTexts(request, response, path)) return;
        if (await answerFile?.(request, response, path)) return;
        if (!mount)
          return toNext(request, response, {
            pages,
            development: dev,
            https,
            path,
            requestId,
            fonts,
          });
        response.setHeader("x-content-type-options", "nosniff");
        return listenerOf(mount)(request, response);
      };
      within(() => inLanguage(request, { isPage: mount === null, answer: serve })).catch(
        (error: unknown) => {
          if (isAppError(error)) return refuse(response, error);
          if (isDatabaseAway(error)) return refuse(response, toAppError(error, requestId));
          // A refused body fails whoever was reading it.
          if (response.writableEnded) return;
          log.error({ requestId, err: error }, "a request failed outside its surface");
          if (!response.headersSent) response.statusCode = 500;
          response.end();
        },
      );
    },
  );
  return server;
}
