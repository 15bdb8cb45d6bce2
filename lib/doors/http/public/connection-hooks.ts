import { Hono, type Context } from "hono";
import type { Database } from "@/db/client";
import { HookCall } from "@/lib/domain/provider-reports/provider-report";
import {
  hasInstallationHook,
  takeInstallationReports,
} from "@/lib/domain/provider-reports/take-installation";
import { findReportingConnection, takeProviderReports } from "@/lib/domain/provider-reports/take";
import { readBody } from "@/lib/doors/http/surface/body";
import { adviceHeaders, httpStatuses } from "@/lib/doors/http/surface/errors";
import { roomForStranger } from "@/lib/doors/http/surface/intake";
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
  foreign: () => text("Only the notifications of another topic are taken here.", 403),
};

type Take = (call: HookCall) => Promise<keyof typeof outcomes>;

/** Reads the call, which is anybody's until its signature is checked, and answers with what came of it. */
async function answer(c: Context<Env>, take: Take): Promise<Response> {
  const { raw: request } = c.req;
  const room = await roomForStranger(request, c.env, largestReport);
  try {
    const body = await readBody(request, c.env, largestReport, room);
    return outcomes[await take(new HookCall(request.headers, body))]();
  } finally {
    room?.release();
  }
}

/**
 * `POST /hooks/connections/{id}`: what a provider reports about the mail that a sending connection handed it, and
 * `POST /hooks/installation`: the same of the mail that MAIL_TRANSPORT hands to one.
 */
export function createConnectionHooks(db: () => Database): Hono<Env> {
  const paths = ["/hooks/connections/:id", "/hooks/installation"] as const;
  const routes = new Hono<Env>({ strict: false });
  routes.post(paths[0], async (c) => {
    const connection = await findReportingConnection(db(), c.req.param("id"));
    if (!connection) return text("No sending connection is called here.", 404);
    return answer(c, (call) => takeProviderReports(db(), connection, call));
  });
  routes.post(paths[1], (c) =>
    hasInstallationHook()
      ? answer(c, (call) => takeInstallationReports(db(), call))
      : text("Nobody's reports are taken here.", 404),
  );
  for (const path of paths) {
    routes.all(path, () => text("Only POST is allowed here.", 405, { allow: "POST" }));
  }
  routes.onError((thrown, c) => {
    const requestId = requestIdOf(c.req.raw, c.env);
    const error = toAppError(thrown, requestId);
    const headers = { ...adviceHeaders(error), "x-request-id": requestId };
    return text(error.message, httpStatuses[error.code], headers);
  });
  return routes;
}
