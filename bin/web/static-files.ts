import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";

const prefix = "/_next/static";

/**
 * Answers for the build's scripts, styles and fonts with the smallest copy that the browser takes (brotli, gzip); false:
 * the path is another, or nothing lies there. Their names change with their content.
 */
export function staticFiles(root: string) {
  const elsewhere = new WeakSet<IncomingMessage>();
  const files = new Hono<{ Bindings: { incoming: IncomingMessage } }>()
    .use(async (c, next) => {
      c.header("cache-control", "public, max-age=31536000, immutable");
      await next();
      if (!elsewhere.has(c.env.incoming) && !c.res.headers.has("vary"))
        c.header("vary", "Accept-Encoding");
    })
    .use(
      serveStatic({
        root: join(root, ".next", "static"),
        rewriteRequestPath: (path) => path.slice(prefix.length),
        precompressed: true,
      }),
    )
    .notFound((c) => {
      elsewhere.add(c.env.incoming);
      return RESPONSE_ALREADY_SENT;
    });
  // Next replaces the global Request and Response itself.
  const listener = getRequestListener(files.fetch, {
    overrideGlobalObjects: false,
    // A build takes files away while they are asked for.
    errorHandler: () =>
      new Response(null, { status: 404, headers: { "cache-control": "no-store" } }),
  });
  return async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (!path.startsWith(`${prefix}/`)) return false;
    response.setHeader("x-content-type-options", "nosniff");
    await listener(request, response);
    return !elsewhere.has(request);
  };
}
