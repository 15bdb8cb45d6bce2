import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { database, type Database } from "@/db/client";
import { createBearerApp } from "@/lib/doors/http/v1/app";
import { toolCredential } from "@/lib/doors/http/v1/credential";
import { resourceMetadataUrl } from "@/lib/doors/http/oauth/metadata";
import { attachmentsBodyLimit, parseJson, readBody } from "@/lib/doors/http/surface/body";
import { clientAddress, type NodeBindings } from "@/lib/doors/http/surface/client-address";
import { envelopeAnswer } from "@/lib/doors/http/surface/errors";
import type { CountRequest } from "@/lib/doors/http/surface/admission";
import { roomForBody, type BodyRoom } from "@/lib/doors/http/surface/intake";
import type { Answer, RequestContext, SurfacePolicy } from "@/lib/doors/http/surface/policy";
import { respond } from "@/lib/doors/http/surface/respond";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import type { AskApi } from "./call-tool";
import { countMessages } from "./count-messages";
import { createMcpServer, type Caller } from "./server";

const policy: SurfacePolicy = {
  credential: toolCredential,
  errorAnswer: (error, requestId) => {
    const answer = envelopeAnswer(error, requestId);
    if (answer.status !== 401) return answer;
    // How a client learns where to get a token (RFC 9728, 5.1), or that its own is no longer good (RFC 6750, 3.1).
    const invalid = error.code === "INVALID_API_KEY" ? 'error="invalid_token", ' : "";
    const challenge = `Bearer ${invalid}resource_metadata="${resourceMetadataUrl()}"`;
    return { ...answer, headers: { "www-authenticate": challenge } };
  },
};

/** Refuses what a page made a browser send here under another name (DNS rebinding). */
function refuseRebinding(request: Request): Response | undefined {
  const { hostname } = new URL(env().APP_URL);
  const names = isLoopback(hostname) ? [hostname, ...localhostAllowedHostnames()] : [hostname];
  return hostHeaderValidationResponse(request, names) ?? originValidationResponse(request, names);
}

async function readMessage(c: RequestContext, room: BodyRoom | null): Promise<unknown> {
  return parseJson(await readBody(c.req.raw, c.env, attachmentsBodyLimit, room));
}

/** What cannot be read is one request, however many messages it was meant to hold. */
const orCountWith =
  (countRequest: CountRequest) =>
  <Result>(reading: Promise<Result>): Promise<Result> =>
    reading.catch(async (error: unknown) => {
      await countRequest("api");
      throw error;
    });

type Fetch = (request: Request) => Response | Promise<Response>;

/** Requests to the bearer API with the caller's key, from the caller's address. */
function askAs(c: RequestContext, api: Fetch): AskApi {
  const headers: Record<string, string> = {
    authorization: c.req.header("authorization") ?? "",
    "user-agent": c.req.header("user-agent") ?? "",
    "x-forwarded-for": clientAddress(c.req.raw, c.env),
    "content-type": "application/json",
  };
  return async ({ method, path, body }) =>
    api(new Request(`${env().APP_URL}${path}`, { method, headers, body }));
}

function toAnswer(response: Response): Answer {
  const kept = ["content-type", "allow"].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const headers = Object.fromEntries(kept);
  if (response.body === null) return { status: response.status, headers };
  return { status: response.status, headers, stream: response.body };
}

/**
 * The tool server: the Model Context Protocol over StreamableHTTP, without sessions, with the credentials,
 * limits and operations of the bearer API. `db` is the process's pool unless a test brings its own.
 */
export function createMcpApp(db: () => Database = database) {
  const app = new Hono<{ Bindings: NodeBindings }>();
  const api = createBearerApp("tool", db);
  const handler = createMcpHandler(({ authInfo }) => createMcpServer(authInfo?.extra as never), {
    onerror: (error) => log.warn({ name: error.name, message: error.message }, "tool server"),
  });
  app.all("*", async (c) => {
    const refusal = refuseRebinding(c.req.raw);
    // Other methods are for sessions and their streams, which do not exist: 405 with what is allowed.
    if (refusal || c.req.method !== "POST") {
      return respond(c, policy, db(), "public", async () =>
        toAnswer(refusal ?? (await handler.fetch(c.req.raw))),
      );
    }
    return respond(c, policy, db(), "messages", async (ctx, countRequest) => {
      const orCount = orCountWith(countRequest);
      const room = await orCount(roomForBody(c.req.raw, ctx.projectId, attachmentsBodyLimit));
      try {
        const message = await orCount(readMessage(c, room));
        const refused = await countMessages(message, countRequest);
        // The requests that it makes declare no length and take no room of their own: this is their room.
        const caller: Caller = { ctx, ask: askAs(c, (request) => api.fetch(request)), refused };
        const { url, method, headers } = c.req.raw;
        const answer = await handler.fetch(new Request(url, { method, headers }), {
          parsedBody: message,
          authInfo: { token: "", clientId: ctx.actor.id ?? "", scopes: [], extra: { ...caller } },
        });
        return toAnswer(answer);
      } finally {
        room?.release();
      }
    });
  });
  return app;
}
