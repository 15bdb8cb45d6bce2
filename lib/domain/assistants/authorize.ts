import type { Database } from "@/db/client";
import { assistants } from "@/db/schema";
import { assistantScopes, type AssistantScope } from "@/db/enums";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { AppError } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { findClient, type OAuthClient } from "./clients";
import { OAuthFault, type OAuthFaultCode } from "./fault";
import { isRegistered, redirectHost } from "./redirect-uris";
import { mintToken } from "./tokens";

/** What a client asks for, checked. */
export interface AuthorizationRequest {
  client: OAuthClient;
  redirectUri: string;
  /** Who gets the code, as a person can check it. */
  host: string;
  /** The scopes that may be granted: whatever was asked for, and anything narrower. */
  scopes: AssistantScope[];
  state: string | null;
  codeChallenge: string;
}

/** The parameters of an authorization request, each named at most once. */
export type AuthorizationParameters = Readonly<Record<string, string | undefined>>;

/** What tokens are good for: the tool server and nothing else (RFC 8707). */
export const toolServerUrl = () => `${env().APP_URL}/mcp`;

export function isToolServer(resource: string): boolean {
  const url = URL.parse(resource);
  return url?.hash === "" && url.href.replace(/\/$/, "") === new URL(toolServerUrl()).href;
}

/** Unknown scopes are ignored (RFC 6749, 3.3); a client that names none we know leaves the choice to the person. */
function grantable(scope: string | undefined): AssistantScope[] {
  const asked = (scope ?? "").split(" ");
  const scopes = assistantScopes.filter((name) => asked.includes(name));
  return scopes.length === 0 || scopes.includes("full") ? [...assistantScopes] : scopes;
}

/** A fault that can be reported to the client's address, since that address is known to be its own. */
export interface ReportableFault {
  code: OAuthFaultCode;
  message: string;
  redirectUri: string;
  host: string;
  state: string | null;
}

/**
 * Reads an authorization request. Throws OAuthFault for an unregistered client or address, which must not be
 * reported to that address; resolves to `fault` for any other mistake of the client.
 */
export async function readAuthorization(
  db: Database,
  asked: AuthorizationParameters,
): Promise<{ request: AuthorizationRequest } | { fault: ReportableFault }> {
  const client = await findClient(db, asked["client_id"] ?? "");
  if (!client) throw new OAuthFault("invalid_client", "The program is not registered here.");
  const redirectUri = asked["redirect_uri"] ?? "";
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw new OAuthFault(
      "invalid_redirect_uri",
      "The return address is not one that the program registered.",
    );
  }
  const host = redirectHost(redirectUri);
  const state = asked["state"] ?? null;
  const fault = (code: OAuthFaultCode, message: string) => ({
    fault: { code, message, redirectUri, host, state },
  });
  if (asked["response_type"] !== "code") {
    return fault("unsupported_response_type", "response_type has to be code.");
  }
  const { code_challenge: codeChallenge = "", code_challenge_method: method, resource } = asked;
  if (method !== "S256" || !/^[\w-]{43}$/.test(codeChallenge)) {
    return fault("invalid_request", "PKCE is required: code_challenge with method S256.");
  }
  if (resource !== undefined && !isToolServer(resource)) {
    return fault("invalid_target", `resource has to be ${toolServerUrl()}.`);
  }
  const scopes = grantable(asked["scope"]);
  return { request: { client, redirectUri, host, scopes, state, codeChallenge } };
}

/** The client's address with the answer in its query (RFC 6749, 4.1.2; RFC 9207 for `iss`). */
export function returnAddress(
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  answer: { code: string } | { error: OAuthFaultCode; error_description: string },
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  url.searchParams.set("iss", env().APP_URL);
  return url.href;
}

const oneProjectAlone =
  "You came by a link that opens one project alone: sign in with your address to connect an assistant.";

/**
 * Connects an assistant to the person and project of `ctx`; resolves to the address that carries the code. Throws
 * NOT_ALLOWED for a sending scope that the person does not have, for a scope that was not requested, and for a session
 * started by a platform token's link: the assistant would outlive it.
 */
export async function connectAssistant(
  ctx: Context,
  request: AuthorizationRequest,
  scope: AssistantScope,
): Promise<string> {
  requireRole(ctx, scope === "sending" ? "editor" : "viewer");
  const { actor, projectId, db, session } = ctx;
  if (!session || session.onlyProject) {
    throw new AppError("NOT_ALLOWED", oneProjectAlone);
  }
  if (actor.type !== "user" || !request.scopes.includes(scope)) {
    throw new AppError("NOT_ALLOWED", "The program did not ask for that.");
  }
  const { client, redirectUri, codeChallenge, host } = request;
  const assistant = { id: newId(projectId), projectId, userId: actor.id };
  const { name } = client;
  const code = await db.transaction(async (tx) => {
    await tx.insert(assistants).values({ ...assistant, clientId: client.id, name, host, scope });
    const details = { name, host, scope };
    const target = encodeId("assistant", assistant.id);
    await audit(tx, ctx, "connect.assistant", target, details);
    return mintToken(tx, assistant, "code", { redirectUri, codeChallenge });
  });
  return returnAddress(request, { code });
}
