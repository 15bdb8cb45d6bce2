import { createHash, randomBytes } from "node:crypto";
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import type { Database } from "@/db/client";
import type { AssistantScope } from "@/db/enums";
import { createMcpApp } from "@/lib/doors/http/mcp/app";
import { createOAuthApp, isOAuthPath } from "@/lib/doors/http/oauth/app";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie } from "./index";

const callback = "https://assistant.example/callback";

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

interface Asking {
  clientId: string;
  person?: { userId: string; projectId: string };
}

export const errorOf = async (answer: Response) => ({
  status: answer.status,
  error: ((await answer.json()) as { error: unknown }).error,
});

/** The tool server and its authorization server, as a hosted assistant and a browser reach them. */
export function assistantDoors(db: () => Database) {
  const apps = { mcp: createMcpApp(db), oauth: createOAuthApp(db) };
  let requests = 0;
  const address = (path: string) => new URL(path, env().APP_URL);

  /** Headers that a network would add. */
  function send(url: string | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(url, init);
    if (!request.headers.has("host")) request.headers.set("host", address("/").host);
    // Limits apply per address: every request has its own unless it says otherwise.
    if (!request.headers.has("x-forwarded-for")) {
      request.headers.set("x-forwarded-for", `2001:db8::${(++requests).toString(16)}`);
    }
    const app = isOAuthPath(new URL(url).pathname) ? apps.oauth : apps.mcp;
    return Promise.resolve(app.fetch(request));
  }
  const form = (path: string, fields: Record<string, string>) =>
    send(address(path), { method: "POST", body: new URLSearchParams(fields) });

  const json = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(address(path), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  /** Registers a client; resolves to its client_id. */
  async function register(redirectUri = callback, name = "Assistant"): Promise<string> {
    const answer = await json("/oauth/register", {
      redirect_uris: [redirectUri],
      client_name: name,
    });
    return ((await answer.json()) as { client_id: string }).client_id;
  }

  /** Presses a button of the consent page, in the browser of the user. */
  async function decide(
    person: { userId: string; projectId: string },
    asked: Record<string, string>,
    choice: {
      decision?: "allow" | "deny";
      scope?: AssistantScope;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Response> {
    const { decision = "allow", scope = "full", headers = {} } = choice;
    const cookie = await sessionCookie(db(), person.userId);
    const projectId = encodeId("project", person.projectId);
    const body = { asked, decision, projectId, scope };
    return json("/oauth/consent", body, { cookie, "sec-fetch-site": "same-origin", ...headers });
  }

  /** What a client asks for, with the verifier that goes with it. */
  function ask(clientId: string, more: Record<string, string> = {}) {
    const verifier = randomBytes(32).toString("base64url");
    return {
      verifier,
      asked: {
        response_type: "code",
        client_id: clientId,
        redirect_uri: callback,
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
        state: "s t&te",
        resource: address("/mcp").href,
        ...more,
      },
    };
  }

  /** A code that a person (a new one by default) agreed to, and what its exchange takes. */
  async function code({ clientId, person }: Asking) {
    const { asked, verifier } = ask(clientId);
    const answer = await decide(person ?? (await makeProject(db())), asked);
    const { to } = (await answer.json()) as { to: string };
    const returned = new URL(to).searchParams;
    return {
      returned,
      fields: {
        grant_type: "authorization_code",
        client_id: clientId,
        code: returned.get("code") ?? "",
        redirect_uri: asked.redirect_uri,
        code_verifier: verifier,
        resource: address("/mcp").href,
      },
    };
  }

  async function connect(asking: Asking): Promise<Tokens> {
    const { fields } = await code(asking);
    return (await (await form("/oauth/token", fields)).json()) as Tokens;
  }

  const ping = (token: string) =>
    json(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" },
    );

  return { address, send, form, json, register, decide, ask, code, connect, ping, callback };
}

type Doors = ReturnType<typeof assistantDoors>;

/** What a hosted assistant keeps about one connection. */
class Connection implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = { redirect_uris: [callback], client_name: "Assistant" };
  readonly #kept: { client?: unknown; tokens?: unknown; verifier?: string } = {};
  authorizationUrl: URL | undefined;

  clientInformation = () => this.#kept.client as never;
  saveClientInformation = (client: unknown) => void (this.#kept.client = client);
  tokens = () => this.#kept.tokens as never;
  saveTokens = (tokens: unknown) => void (this.#kept.tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string) => void (this.#kept.verifier = verifier);
  codeVerifier = () => this.#kept.verifier ?? "";
}

/** Connects the official client with just the tool server's address and a person who allows it. */
export async function connectByConsent(
  doors: Doors,
  person: { userId: string; projectId: string },
  scope: AssistantScope = "full",
): Promise<{ client: Client; tokens: Tokens }> {
  const authProvider = new Connection();
  const options = { fetch: doors.send, authProvider };
  const first = new StreamableHTTPClientTransport(doors.address("/mcp"), options);
  try {
    await new Client({ name: "test", version: "1" }).connect(first);
    throw new Error("The tool server let somebody in without a token.");
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
  const asked = Object.fromEntries(authProvider.authorizationUrl?.searchParams ?? []);
  const answer = await doors.decide(person, asked, { scope });
  const { to } = (await answer.json()) as { to: string };
  await first.finishAuth(new URL(to).searchParams);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(doors.address("/mcp"), options));
  return { client, tokens: authProvider.tokens() };
}
