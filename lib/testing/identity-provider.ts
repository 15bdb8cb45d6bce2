import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Whoever is signed in at the provider, as its claims say. */
export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: unknown;
  name?: string;
}

/** What the provider does wrong. */
export interface Misconduct {
  /** Put over the claims of the ID token. */
  claims?: Record<string, unknown>;
  /** `hmac`: signed with the client's secret; `stranger`: by a key that is not among its keys. */
  signature?: "none" | "hmac" | "stranger";
  /** What it calls itself. */
  issuer?: string;
  /** What it tells of the person apart from the ID token, which then has no address. */
  userinfo?: Record<string, unknown>;
  /** What comes back instead of a code. */
  error?: string;
  /** The status of every answer to the program itself. */
  status?: number;
}

export interface TestProvider {
  issuer: string;
  settings: Record<string, string>;
  /** Who is signed in there; everybody who comes is sent back at once. */
  person: ProviderPerson;
  misconduct: Misconduct;
  /** How often it was asked for a token. */
  tokensAsked: number;
  stop(): Promise<void>;
}

const clientId = "lettermill";
const clientSecret = "the secret of: the client";
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const keys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

/** An OpenID Connect provider on loopback: discovery, authorization code with PKCE, tokens, keys, userinfo. */
export async function startIdentityProvider(port = 0): Promise<TestProvider> {
  const [own, stranger] = [keys(), keys()];
  const codes = new Map<string, { query: URLSearchParams; person: ProviderPerson }>();
  const tokens = new Map<string, ProviderPerson>();

  function signed(claims: Record<string, unknown>): string {
    const how = provider.misconduct.signature;
    const alg = how === "none" ? "none" : how === "hmac" ? "HS256" : "RS256";
    const head = `${encoded({ alg, kid: "1", typ: "JWT" })}.${encoded(claims)}`;
    if (how === "none") return `${head}.`;
    if (how === "hmac") {
      return `${head}.${createHmac("sha256", clientSecret).update(head).digest("base64url")}`;
    }
    const { privateKey } = how === "stranger" ? stranger : own;
    return `${head}.${sign("RSA-SHA256", Buffer.from(head), privateKey).toString("base64url")}`;
  }

  function idToken(person: ProviderPerson, nonce: string | null): string {
    const { claims, userinfo } = provider.misconduct;
    const seconds = Math.floor(Date.now() / 1000);
    return signed({
      iss: provider.issuer,
      aud: clientId,
      iat: seconds,
      exp: seconds + 300,
      nonce,
      ...(userinfo ? { sub: person.sub } : person),
      ...claims,
    });
  }

  async function token(request: IncomingMessage): Promise<Record<string, unknown> | null> {
    provider.tokensAsked++;
    const body = new URLSearchParams(await text(request));
    const basic = Buffer.from((request.headers.authorization ?? "").slice(6), "base64").toString();
    const [id, secret] = basic
      .split(":")
      .map((part) => decodeURIComponent(part.replace(/\+/g, " ")));
    const code = codes.get(body.get("code") ?? "");
    codes.delete(body.get("code") ?? "");
    const verifier = body.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const isRight =
      id === clientId &&
      secret === clientSecret &&
      code?.query.get("redirect_uri") === body.get("redirect_uri") &&
      code?.query.get("code_challenge") === challenge;
    if (!code || !isRight) return null;
    const accessToken = randomBytes(16).toString("hex");
    tokens.set(accessToken, code.person);
    const id_token = idToken(code.person, code.query.get("nonce"));
    return { access_token: accessToken, token_type: "Bearer", expires_in: 300, id_token };
  }

  /** Sends somebody who is signed in there back at once. */
  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const back = new URL(query.get("redirect_uri") ?? "");
    const code = randomBytes(16).toString("hex");
    if (provider.misconduct.error) back.searchParams.set("error", provider.misconduct.error);
    else back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    codes.set(code, { query, person: { ...provider.person } });
    response.writeHead(302, { location: back.href }).end();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", provider.issuer);
    const { issuer, misconduct } = provider;
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/authorize") return authorize(searchParams, response);
    if (misconduct.status) return void json(misconduct.status, {});
    if (pathname === "/.well-known/openid-configuration") {
      return void json(200, {
        issuer: misconduct.issuer ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        code_challenge_methods_supported: ["S256"],
        // It offers what it must not: those who ask have to know.
        id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      });
    }
    if (pathname === "/jwks") {
      const key = own.publicKey.export({ format: "jwk" });
      return void json(200, { keys: [{ ...key, kid: "1", use: "sig", alg: "RS256" }] });
    }
    if (pathname === "/token") {
      const granted = await token(request);
      return void json(granted ? 200 : 400, granted ?? { error: "invalid_grant" });
    }
    const person = tokens.get((request.headers.authorization ?? "").slice(7));
    if (pathname === "/userinfo" && person) {
      return void json(200, { ...person, ...misconduct.userinfo });
    }
    json(404, {});
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: TestProvider = {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: "Acme ID",
    },
    person: { sub: "1", email: "ada@example.com", email_verified: true, name: "Ada" },
    misconduct: {},
    tokensAsked: 0,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return provider;
}
