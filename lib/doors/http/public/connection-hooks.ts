import { Hono } from "hono";
import type { Database } from "@/db/client";
import { findReportingConnection, takeProviderReports } from "@/lib/domain/provider-reports/take";
import { readBody } from "@/lib/doors/http/surface/body";
import { adviceHeaders, httpStatuses } from "@/lib/doors/http/surface/errors";
import { roomForBody } from "@/lib/doors/http/surface/intake";
import { requestIdOf } from "@/lib/doors/http/surface/request-record";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import type { Env } from "./recipient-form";

/** SendGrid sends less than 1 MB at a time; Postmark may send along the mail that came back. */
const largestReport = 4 * 1024 * 1024;

const text = (words: string, status: number, headers: Record<string, string> = {}) =>
  new Response(`${words}\n`, {
    status,
    headers: {
      ...{ "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
      ...headers,
    },
  });

const outcomes = {
  taken: () => text("Taken.", 200),
  forged: () => text("Nothing proves that this report is the provider's own.", 401),
  foreign: () => text("This connection takes the notifications of another topic.", 403),
};

/** `POST /hooks/connections/{id}`: what a provider reports about the mail that a sending connection handed it. */
export function createConnectionHooks(db: () => Database): Hono<Env> {
  const path = "/hooks/connections/:id";
  const routes = new Hono<Env>({ strict: false });
  routes.post(path, async (c) => {
    const connection = await findReportingConnection(db(), c.req.param("id"));
    if (!connection) return text("No sending connection is called here.", 404);
    const { raw: request } = c.req;
    const { projectId } = connection;
    const body = { request, bindings: c.env, projectId, limit: largestReport };
    const room = await roomForBody(body);
    try {
      const call = {
        headers: request.headers,
        body: await readBody(request, c.env, largestReport),
      };
      const outcome = await takeProviderReports(db(), connection, call);
      return outcomes[outcome]();
    } finally {
      room?.release();
    }
  });
  routes.all(path, () => text("Only POST is allowed here.", 405, { allow: "POST" }));
  routes.onError((thrown, c) => {
    const requestId = requestIdOf(c.req.raw, c.env);
    const error = toAppError(thrown, requestId);
    const headers = { ...adviceHeaders(error), "x-request-id": requestId };
    return text(error.message, httpStatuses[error.code], headers);
  });
  return routes;
}
