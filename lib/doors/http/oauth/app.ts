import { Hono, type Context as HonoContext } from "hono";
import { z } from "zod";
import { database, type Database } from "@/db/client";
import { assistantScopes } from "@/db/enums";
import {
  connectAssistant,
  isToolServer,
  readAuthorization,
  returnAddress,
  toolServerUrl,
} from "@/lib/domain/assistants/authorize";
import { clientIdOf, registerClient } from "@/lib/domain/assistants/clients";
import { isOAuthFault, OAuthFault, type OAuthFaultCode } from "@/lib/domain/assistants/fault";
import {
  exchangeCode,
  refreshTokens,
  revokeToken,
  type AssistantOrigin,
} from "@/lib/domain/assistants/tokens";
import { findSession } from "@/lib/domain/users/sessions";
import { deniedRate } from "@/lib/domain/api-keys/acting";
import { clientAddress, type NodeBindings } from "@/lib/doors/http/surface/client-address";
import { parseJson, readStrangersBody, signInBodyLimit } from "@/lib/doors/http/surface/body";
import { errorResponse } from "@/lib/doors/http/surface/errors";
import { requestIdOf } from "@/lib/doors/http/surface/request-record";
import { isSameOrigin } from "@/lib/doors/http/surface/same-origin";
import { originOf } from "@/lib/ground/context";
import { AppError, isAppError, notFound } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { callerSubject, takeFromRate, type RateRule } from "@/lib/ground/rate-limit";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { validate } from "@/lib/ground/validate";
import { metadataResponse } from "./metadata";

type C = HonoContext<{ Bindings: NodeBindings }>;

const hour = 60 * 60;
const registrationsPerHour = { address: 60, everybody: 1000 };
const consentsPerMinute = 30;

async function throttle(db: Database, rule: RateRule): Promise<void> {
  const { allowed, retryAfterSeconds } = await takeFromRate(db, rule);
  if (allowed) return;
  throw new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
  );
}

function originFor(c: C): AssistantOrigin {
  return {
    ...originOf(clientAddress(c.req.raw, c.env), c.req.raw.headers),
    requestId: requestIdOf(c.req.raw, c.env),
  };
}

const noStore = { "cache-control": "no-store", pragma: "no-cache" };

/** An error in the form of RFC 6749, 5.2. */
function faultResponse(code: OAuthFaultCode | "server_error" | "slow_down", message: string) {
  const status = { invalid_client: 401, server_error: 503, slow_down: 429 }[code as "slow_down"];
  return Response.json(
    { error: code, error_description: message },
    { status: status ?? 400, headers: noStore },
  );
}

/** Runs an endpoint that programs call: what goes wrong is reported the OAuth way. */
async function answer(
  c: C,
  db: Database,
  work: (origin: AssistantOrigin) => Promise<Response>,
): Promise<Response> {
  const origin = originFor(c);
  try {
    return await work(origin);
  } catch (thrown) {
    if (isOAuthFault(thrown)) {
      const { allowed } = await takeFromRate(db, deniedRate(origin.address));
      if (allowed) return faultResponse(thrown.code, thrown.message);
      return faultResponse("slow_down", "Too many requests that were refused. Try again later.");
    }
    const error = toAppError(thrown, origin.requestId);
    if (error.code === "RATE_LIMIT_EXCEEDED") return faultResponse("slow_down", error.message);
    const ours = error.code === "INTERNAL_ERROR" || error.code === "UNAVAILABLE";
    return faultResponse(ours ? "server_error" : "invalid_request", error.message);
  }
}

/** A form's fields. Throws OAuthFault for another type, and for a name that appears twice (RFC 6749, 3.2). */
async function readForm(c: C): Promise<Record<string, string>> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    throw new OAuthFault("invalid_request", "Send application/x-www-form-urlencoded.");
  }
  const body = await readStrangersBody(c.req.raw, c.env, signInBodyLimit);
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(body.toString("utf8"))) {
    if (name in fields) throw new OAuthFault("invalid_request", `${name} stands twice.`);
    fields[name] = value;
  }
  return fields;
}

async function register(c: C, db: Database, { address }: AssistantOrigin): Promise<Response> {
  const windowSeconds = hour;
  const { address: perAddress, everybody } = registrationsPerHour;
  await throttle(db, {
    subject: callerSubject("register", address),
    limit: perAddress,
    windowSeconds,
  });
  await throttle(db, { subject: "register", limit: everybody, windowSeconds });
  const body = parseJson(await readStrangersBody(c.req.raw, c.env, signInBodyLimit));
  const client = await registerClient(db, body);
  return Response.json(
    {
      client_id: clientIdOf(client),
      client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    { status: 201, headers: noStore },
  );
}

async function token(c: C, db: Database, origin: AssistantOrigin): Promise<Response> {
  const fields = await readForm(c);
  const { grant_type: grantType, resource, client_id: clientId = "" } = fields;
  if (resource !== undefined && !isToolServer(resource)) {
    throw new OAuthFault("invalid_target", `resource has to be ${toolServerUrl()}.`);
  }
  const needed = (name: string): string => {
    const value = fields[name];
    if (!value) throw new OAuthFault("invalid_request", `${name} is missing.`);
    return value;
  };
  const exchange = () => {
    if (grantType === "refresh_token") {
      return refreshTokens(db, { token: needed("refresh_token"), clientId }, origin);
    }
    if (grantType !== "authorization_code") {
      const message = "grant_type has to be authorization_code or refresh_token.";
      throw new OAuthFault("unsupported_grant_type", message);
    }
    const [code, redirectUri] = [needed("code"), needed("redirect_uri")];
    const verifier = needed("code_verifier");
    return exchangeCode(db, { code, clientId, redirectUri, verifier }, origin);
  };
  const { access, refresh, scope, expiresInSeconds } = await exchange();
  return Response.json(
    {
      access_token: access,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
      refresh_token: refresh,
      scope,
    },
    { headers: noStore },
  );
}

async function revoke(c: C, db: Database, origin: AssistantOrigin): Promise<Response> {
  const { token: shown, client_id: clientId = "" } = await readForm(c);
  if (!shown) throw new OAuthFault("invalid_request", "token is missing.");
  await revokeToken(db, { token: shown, clientId }, origin);
  return new Response(null, { status: 200, headers: noStore });
}

const consent = z.strictObject({
  asked: z.record(z.string(), z.string().max(4_000)),
  decision: z.enum(["allow", "deny"]),
  projectId: z.string().max(100),
  scope: z.enum(assistantScopes),
});

/** What a person decided on the consent page. Resolves to where the browser goes next. */
async function decide(c: C, db: Database): Promise<Response> {
  const origin = originFor(c);
  const { requestId } = origin;
  try {
    if (!isSameOrigin(c.req.raw)) {
      throw new AppError("NOT_ALLOWED", "Only the dashboard's own pages may call this.");
    }
    const body = parseJson(await readStrangersBody(c.req.raw, c.env, signInBodyLimit));
    const { asked, decision, projectId, scope } = validate(consent, body);
    const uuid = decodeId("project", projectId);
    const session = await findSession(db, c.req.raw.headers, uuid);
    if (!session) throw new AppError("MISSING_AUTH", "Sign in to connect an assistant.");
    const { id, user, role, onlyProjectId } = session;
    const subject = `consent:${user.id}`;
    await throttle(db, { subject, limit: consentsPerMinute, windowSeconds: 60 });
    const read = await readAuthorization(db, asked);
    if ("fault" in read) throw new AppError("VALIDATION_ERROR", read.fault.message);
    const { request } = read;
    if (decision === "deny") {
      const refusal = { error: "access_denied", error_description: "Not allowed." } as const;
      return Response.json({ to: returnAddress(request, refusal) }, { headers: noStore });
    }
    if (!uuid || !role) throw notFound();
    const ctx = {
      ...{ db, projectId: uuid, role, requestId, origin },
      actor: { type: "user", id: user.id } as const,
      ...{ sendingOnly: false, testMode: false },
      session: { id, onlyProject: onlyProjectId !== null },
    };
    const to = await connectAssistant(ctx, request, scope);
    return Response.json({ to }, { headers: noStore });
  } catch (thrown) {
    const error = isOAuthFault(thrown) ? new AppError("VALIDATION_ERROR", thrown.message) : thrown;
    return errorResponse(isAppError(error) ? error : toAppError(error, requestId), requestId);
  }
}

/** The paths of this door, but for the consent page itself, which is a page. */
export const isOAuthPath = (pathname: string): boolean =>
  /^\/oauth\/(register|token|revoke|consent)$/.test(pathname) ||
  /^\/\.well-known\/oauth-(authorization-server|protected-resource(\/mcp)?)$/.test(pathname);

/**
 * The authorization server that hosted assistants connect through: OAuth 2.1 with PKCE, for programs that
 * register themselves and have no secret. `db` is the process's pool unless a test brings its own.
 */
export function createOAuthApp(db: () => Database = database) {
  const app = new Hono<{ Bindings: NodeBindings }>();
  app.post("/oauth/register", (c) => answer(c, db(), (origin) => register(c, db(), origin)));
  app.post("/oauth/token", (c) => answer(c, db(), (origin) => token(c, db(), origin)));
  app.post("/oauth/revoke", (c) => answer(c, db(), (origin) => revoke(c, db(), origin)));
  app.post("/oauth/consent", (c) => decide(c, db()));
  app.all("*", (c) => {
    const { pathname } = new URL(c.req.url);
    const isMetadata = pathname.startsWith("/.well-known/");
    // Of a TRACE no Request can be made.
    const isReadable = isMetadata && c.req.method !== "TRACE";
    const metadata = isReadable ? metadataResponse(c.req.raw) : undefined;
    if (metadata) return metadata;
    const allow = isMetadata ? "GET, HEAD, OPTIONS" : "POST";
    const message = `${pathname} does not take ${c.req.method}. Allowed: ${allow}.`;
    const error = new AppError("METHOD_NOT_ALLOWED", message);
    return errorResponse(error, requestIdOf(c.req.raw, c.env), { allow });
  });
  return app;
}
