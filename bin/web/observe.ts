import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { openRecord } from "@/lib/doors/http/surface/request-record";
import { sessionProject } from "@/lib/doors/http/v1/paths";
import { isPlatformPath } from "@/lib/doors/http/platform/paths";
import { isTrusted } from "@/lib/doors/http/surface/client-address";
import { isResendPath } from "@/lib/doors/http/resend/paths";
import { metrics } from "@/lib/ground/metrics/metrics";
import { beginRequest } from "@/lib/ground/traces/traces";

/** Paths that no operation declares. What follows the last slash may be a token. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^\/$/, "/"],
  [/^\/(?:healthz|readyz)$/, "/healthz"],
  [/^\/_next\//, "/_next/{asset}"],
  [/^\/t\/o\//, "/t/o/{token}"],
  [/^\/t\/c\//, "/t/c/{token}"],
  [/^\/t\/u\//, "/t/u/{token}"],
  [/^\/t\/preferences\//, "/t/preferences/{token}"],
  [/^\/t\/confirm\//, "/t/confirm/{token}"],
  [/^\/view\//, "/view/{token}"],
  [/^\/report\//, "/report/{token}"],
  [/^\/files\//, "/files/{path}"],
  [/^\/api\/cron\//, "/api/cron/{job}"],
  [/^\/api\/auth\//, "/api/auth/{action}"],
  [/^\/internal\/tls-ask$/, "/internal/tls-ask"],
  [/^\/mcp$/, "/mcp"],
  [/^\/oauth\//, "/oauth/{action}"],
  [/^\/\.well-known\//, "/.well-known/{name}"],
  [/^\/dashboard(?:\/|$)/, "/dashboard/{page}"],
  [/^\/sign-in(?:\/|$)/, "/sign-in/{page}"],
  [/^\/sign-up(?:\/|$)/, "/sign-up/{page}"],
  [/^\/login\//, "/login/{token}"],
  [/^\/preferences\//, "/preferences/{token}"],
  [/^\/confirm\//, "/confirm/{token}"],
];
const otherRoute = "(other)";
/** Requested so often, and only by machines, that the log would hold little else. */
const quiet = /^\/(?:(?:healthz|readyz)$|_next\/)/;

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The pattern of a request's path: as its operation declares it, under the surface it came to. */
function routeOf(declared: string | null, path: string): string {
  if (declared === null) {
    return patterns.find(([pattern]) => pattern.test(path))?.[1] ?? otherRoute;
  }
  if (isPlatformPath(path)) return `/api/v1${declared}`;
  if (isResendPath(path)) return `/resend${declared}`;
  return sessionProject(path) ? `/api/dashboard/{project}${declared}` : declared;
}

type Histogram = ReturnType<typeof metrics.requests.labels>;
const histograms = new Map<string, Histogram>();

/** Looking up labels in the library costs more than all else here: they are few, and kept. */
function histogramOf(method: string, route: string, status: string): Histogram {
  const key = `${method} ${status} ${route}`;
  let histogram = histograms.get(key);
  if (!histogram) {
    histogram = metrics.requests.labels({ method, route, status });
    histograms.set(key, histogram);
  }
  return histogram;
}

/** Begins the trace of a request, within that of a trusted proxy: others could make us collect what we would not. */
function beginTrace(request: IncomingMessage, requestId: string) {
  const trusted = isTrusted(request.socket.remoteAddress ?? "");
  return beginRequest(trusted ? request.headers : undefined, {
    "lettermill.request.id": requestId,
  });
}

interface Observed {
  requestId: string;
  /** Does work as a part of the request's trace. */
  within: <Result>(work: () => Result) => Result;
}

/**
 * Measures a request until its answer is out, and logs it then by the pattern of its path: paths and queries
 * may hold tokens and addresses.
 */
export function observe(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  log: Logger | undefined,
): Observed {
  const record = openRecord(request);
  const trace = quiet.test(path) ? null : beginTrace(request, record.id);
  const began = performance.now();
  response.once("close", () => {
    const milliseconds = performance.now() - began;
    const route = routeOf(record.route, path);
    const method = methods.has(request.method ?? "") ? (request.method ?? "") : "other";
    // The caller left before there was an answer.
    const status = response.headersSent ? response.statusCode : 499;
    histogramOf(method, route, `${Math.floor(status / 100)}xx`).observe(milliseconds / 1000);
    trace?.end(route, method, status);
    if (!log || quiet.test(path)) return;
    const line = {
      requestId: record.id,
      ...(trace && { traceId: trace.traceId }),
      ...{ method, route, status, ms: Math.round(milliseconds) },
    };
    if (status >= 500) log.warn(line, "request");
    else log.info(line, "request");
  });
  return { requestId: record.id, within: trace?.within ?? ((work) => work()) };
}
