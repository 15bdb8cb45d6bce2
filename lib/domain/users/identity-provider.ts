import * as oidc from "openid-client";
import { env } from "@/lib/ground/env/env";
import { AppError } from "@/lib/ground/errors";
import { log } from "@/lib/ground/log";
import type { IdentityProblem } from "./identity-schema";
import { userEmail, userName } from "./schema";

/** How long the provider may take over each answer. */
const timeoutSeconds = 5;
/** How long what it says of itself is taken to be true; its keys are fetched anew when one is unknown. */
const metadataLifeMilliseconds = 10 * 60_000;

/** Why somebody who has come back cannot be signed in. */
export class IdentityFault extends Error {
  constructor(readonly problem: IdentityProblem) {
    super(problem);
    this.name = "IdentityFault";
  }
}

/** What the provider says of somebody. */
export interface IdentityClaims {
  issuer: string;
  subject: string;
  /** Empty where it names none that could be somebody's. */
  email: string;
  emailVerified: boolean;
  name: string;
}

/** What has to come back, or be known, when somebody returns. */
export interface VisitSecrets {
  state: string;
  nonce: string;
  /** RFC 7636. */
  verifier: string;
}

interface Client {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

function findClient(): Client | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET };
}

/** What people call the provider that signs in here; null without one. */
export const findProviderName = (): string | null => (findClient() ? env().OIDC_NAME : null);

/** Where the provider sends people back to: the redirect URI to register there. */
const redirectUri = () => `${env().APP_URL}/api/auth/oidc/callback`;

/** Basic is what every provider has to take (RFC 6749, section 2.3.1), unless it says otherwise. */
const authenticate =
  (secret: string): oidc.ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const way = methods.includes("client_secret_basic")
      ? oidc.ClientSecretBasic(secret)
      : oidc.ClientSecretPost(secret);
    return way(server, client, body, headers);
  };

async function discover({ issuer, clientId, clientSecret }: Client): Promise<oidc.Configuration> {
  const execute = [oidc.enableNonRepudiationChecks];
  // The setting allows http on this machine alone.
  if (issuer.startsWith("http:")) execute.push(oidc.allowInsecureRequests);
  const config = await oidc.discovery(
    new URL(issuer),
    clientId,
    undefined,
    authenticate(clientSecret),
    { execute, timeout: timeoutSeconds },
  );
  // The library lets some providers be somebody else than the one that was asked for.
  const named = config.serverMetadata().issuer;
  if (new URL(named).href !== new URL(issuer).href) {
    throw new Error(`the provider calls itself ${named}`);
  }
  return config;
}

let kept: { key: string; since: number; config: Promise<oidc.Configuration> } | null = null;

/** What the provider says of itself, asked for once for everybody who waits. Throws what kept it from answering. */
async function configuration(client: Client): Promise<oidc.Configuration> {
  const key = JSON.stringify(client);
  const now = performance.now();
  if (kept?.key !== key || now - kept.since > metadataLifeMilliseconds) {
    kept = { key, since: now, config: discover(client) };
  }
  const asked = kept;
  try {
    return await asked.config;
  } catch (error) {
    if (kept === asked) kept = null;
    throw error;
  }
}

/** Its words for the log: never what was sent. */
function reasonOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { reason: "unknown" };
  const { code, error: answered } = error as { code?: unknown; error?: unknown };
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { reason: error.message, code, answered, cause };
}

/** Whether the provider did not answer, rather than answered something that is not accepted. */
function isAway(error: unknown): boolean {
  // What fetch throws when it cannot connect, or the answer breaks off.
  if (error instanceof TypeError) return true;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code === "OAUTH_TIMEOUT" || (cause instanceof Response && cause.status >= 500);
}

/**
 * Where to send somebody who wants to sign in at the provider. Throws CONFLICT without one, UNAVAILABLE when it
 * does not answer or is not the one of the setting.
 */
export async function beginVisit(): Promise<{ url: string; secrets: VisitSecrets }> {
  const client = findClient();
  if (!client) throw new AppError("CONFLICT", "No identity provider signs in here.");
  const config = await configuration(client).catch((error: unknown) => {
    log.error(reasonOf(error), "the identity provider of OIDC_ISSUER cannot be used");
    throw new AppError(
      "UNAVAILABLE",
      `Signing in with ${env().OIDC_NAME} does not work at the moment. Try again in a few minutes, or sign in another way.`,
    );
  });
  const secrets = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(),
    scope: "openid email profile",
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: "S256",
  });
  return { url: url.href, secrets };
}

async function readClaims(
  client: Client,
  query: string,
  { state, nonce, verifier }: VisitSecrets,
): Promise<IdentityClaims> {
  const config = await configuration(client);
  const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri()}?${query}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error("the answer has no ID token");
  // An address and whether it is verified have to come from one place.
  const complete = claims["email"] !== undefined && claims["email_verified"] !== undefined;
  const said =
    complete || !config.serverMetadata().userinfo_endpoint
      ? claims
      : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: userEmail.safeParse(said["email"]).data ?? "",
    emailVerified: said["email_verified"] === true,
    name: userName.safeParse(said["name"]).data ?? "",
  };
}

/**
 * Who has come back, once state, PKCE, issuer, audience, nonce, expiry and signature are in order. Throws
 * IdentityFault; the log has the reason.
 */
export async function readReturn(query: string, secrets: VisitSecrets): Promise<IdentityClaims> {
  const client = findClient();
  if (!client) throw new IdentityFault("expired");
  try {
    return await readClaims(client, query, secrets);
  } catch (error) {
    const { error: answered } = error as { error?: unknown };
    if (error instanceof oidc.AuthorizationResponseError && answered === "access_denied") {
      throw new IdentityFault("cancelled");
    }
    log.warn(reasonOf(error), "a sign-in at the identity provider was refused");
    throw new IdentityFault(isAway(error) ? "away" : "refused");
  }
}
