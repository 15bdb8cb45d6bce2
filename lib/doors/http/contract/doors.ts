import { mountFor } from "@/lib/doors/http/mounts";
import * as dashboardRoute from "@/app/api/dashboard/[[...path]]/route";
import * as platformRoute from "@/app/api/v1/[[...path]]/route";
import * as bearerRoute from "@/app/v1/[[...path]]/route";
import { env } from "@/lib/ground/env/env";

export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Text is sent as it is, anything else as JSON. */
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined when it is empty or not JSON. */
  body: unknown;
}

function toRequest({ method, path, headers, body }: Sent): Request {
  return new Request(`${env().APP_URL}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

type Handler = (request: Request) => Response | Promise<Response>;

function routeOf(path: string) {
  if (path.startsWith("/api/dashboard/")) return dashboardRoute;
  return path.startsWith("/api/v1/") ? platformRoute : bearerRoute;
}

/** Both ways in: the Hono app, which bin/web.ts asks first, and the exports of Next's route handlers. */
export const doors: Record<"hono" | "next", (sent: Sent) => Promise<Answer>> = {
  async hono(sent) {
    const request = toRequest(sent);
    const mount = mountFor(new URL(request.url).pathname);
    if (!mount) throw new Error(`No surface answers ${sent.path}.`);
    return toAnswer(await mount.fetch(request));
  },
  async next(sent) {
    const request = toRequest(sent);
    const route = routeOf(sent.path);
    const handler = (route as unknown as Record<string, Handler | undefined>)[sent.method];
    if (!handler) throw new Error(`The route handler does not export ${sent.method}.`);
    return toAnswer(await handler(request));
  },
};
