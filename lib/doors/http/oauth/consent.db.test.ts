import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { assistants, memberships, platformTokens } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { env } from "@/lib/ground/env/env";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";
import { assistantDoors, errorOf } from "@/lib/testing/assistant";
import { platformToken } from "@/lib/testing/platform";

const database = useTestDatabase();
const doors = assistantDoors(() => database.db);
const { address, send, json, ping, register, decide, ask, code, callback } = doors;
let project: TestProject;
let clientId: string;

beforeAll(async () => {
  project = await makeProject(database.db);
  clientId = await register();
});

describe("what is told without a token", () => {
  test("401 names the metadata, which name the authorization server", async () => {
    const refused = await json("/mcp", {});
    const challenge = refused.headers.get("www-authenticate") ?? "";
    const [, metadata = ""] = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge) ?? [];
    const resource = (await (await send(metadata)).json()) as Record<string, unknown>;
    expect(resource).toMatchObject({
      resource: address("/mcp").href,
      authorization_servers: [env().APP_URL],
      scopes_supported: ["full", "read", "sending"],
    });
    const bare = await send(address("/.well-known/oauth-protected-resource"));
    expect(await bare.json()).toEqual(resource);
    const server = await send(address("/.well-known/oauth-authorization-server"));
    expect(await server.json()).toMatchObject({
      issuer: env().APP_URL,
      authorization_endpoint: address("/oauth/authorize").href,
      token_endpoint: address("/oauth/token").href,
      registration_endpoint: address("/oauth/register").href,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
    });
  });

  test("a token that is not good is told from none", async () => {
    const answer = await ping(`lma_${"0".repeat(38)}`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token", res/);
  });
});

describe("registering", () => {
  const answerTo = (metadata: object) => json("/oauth/register", metadata);

  test("answers what holds here, and no secret", async () => {
    const answer = await answerTo({
      redirect_uris: ["https://assistant.example/cb", "http://localhost/cb", "cursor://x/cb"],
      client_name: "Nice\u202E \n\u0000name",
      token_endpoint_auth_method: "client_secret_post",
      logo_uri: "https://evil.example/x.png",
    });
    expect(answer.status).toBe(400);
    const clean = await answerTo({
      redirect_uris: ["https://assistant.example/cb"],
      client_name: "Nice\u202E \n name",
      token_endpoint_auth_method: "client_secret_post",
    });
    expect(clean.status).toBe(201);
    expect(await clean.json()).toEqual({
      client_id: expect.stringMatching(/^ocl_/) as string,
      client_id_issued_at: expect.any(Number) as number,
      client_name: "Nice name",
      redirect_uris: ["https://assistant.example/cb"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
  });

  test.each([
    "http://assistant.example/cb",
    "https://assistant.example/cb#x",
    "https://good.example@evil.example/",
    "https://good.example\\@evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "http://127.0.0.1.evil.example/",
    "ftp://assistant.example/",
    "/callback",
    `https://assistant.example/${"x".repeat(1000)}`,
  ])("refuses to send codes to %s", async (uri) => {
    expect(await errorOf(await answerTo({ redirect_uris: [uri] }))).toEqual({
      status: 400,
      error: "invalid_redirect_uri",
    });
  });

  test.each([
    [{}, "invalid_redirect_uri"],
    [{ redirect_uris: [] }, "invalid_redirect_uri"],
    [{ redirect_uris: Array(11).fill(callback) as string[] }, "invalid_redirect_uri"],
    [{ redirect_uris: [callback], client_name: 7 }, "invalid_client_metadata"],
    [{ redirect_uris: [callback], grant_types: ["implicit"] }, "invalid_client_metadata"],
    [{ redirect_uris: [callback], response_types: ["token"] }, "invalid_client_metadata"],
  ])("refuses %j", async (metadata, error) => {
    expect(await errorOf(await answerTo(metadata))).toEqual({ status: 400, error });
  });

  test("is limited for each address", async () => {
    const headers = { "x-forwarded-for": "192.0.2.77" };
    const once = async () =>
      (await json("/oauth/register", { redirect_uris: [callback] }, headers)).status;
    const statuses: number[] = [];
    for (let turn = 0; turn < 61; turn++) statuses.push(await once());
    expect(statuses).toEqual([...Array<number>(60).fill(201), 429]);
  });
});

describe("consent", () => {
  const deciding = async (
    more: Record<string, string>,
    options?: Parameters<typeof decide>[2],
    person = project,
  ) => decide(person, ask(clientId, more).asked, options);

  test("returns code, state and issuer to the client", async () => {
    const { returned } = await code({ clientId });
    expect(Object.fromEntries(returned)).toEqual({
      code: expect.stringMatching(/^lmc_/) as string,
      state: "s t&te",
      iss: env().APP_URL,
    });
  });

  test("that is denied says so, and connects nothing", async () => {
    const before = await database.db.$count(assistants);
    const { to } = (await (await deciding({}, { decision: "deny" })).json()) as { to: string };
    expect(new URL(to).searchParams.get("error")).toBe("access_denied");
    expect(new URL(to).searchParams.has("code")).toBe(false);
    expect(await database.db.$count(assistants)).toBe(before);
  });

  test.each([
    [{ redirect_uri: "https://evil.example/callback" }],
    [{ redirect_uri: `${callback}/../evil` }],
    [{ redirect_uri: `${callback}?next=https://evil.example` }],
    [{ redirect_uri: "https://assistant.example:8443/callback" }],
    [{ redirect_uri: "" }],
    [{ client_id: "ocl_00000000000000000000000000" }],
    [{ client_id: "" }],
    [{ response_type: "token" }],
    [{ code_challenge: "" }],
    [{ code_challenge: "short" }],
    [{ code_challenge_method: "plain" }],
    [{ code_challenge_method: "" }],
    [{ resource: "https://evil.example/mcp" }],
    [{ resource: `${env().APP_URL}/v1` }],
    [{ resource: `${env().APP_URL}/mcp#x` }],
  ])("is not given to %j, even from a page of ours", async (more) => {
    const answer = await deciding(more);
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain("lmc_");
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a sibling's site", { "sec-fetch-site": "same-site" }, 403],
    ["somebody signed out", { cookie: "" }, 401],
  ])("does not come from %s", async (_name, headers, status) => {
    expect((await deciding({}, { headers })).status).toBe(status);
  });

  test("is for one's own projects, and not for who came by a platform token's link", async () => {
    const stranger = await makeProject(database.db);
    const theirs = { ...project, projectId: stranger.projectId };
    expect((await deciding({}, {}, theirs)).status).toBe(404);
    await platformToken(project);
    const [token] = await database.db
      .select({ id: platformTokens.id })
      .from(platformTokens)
      .where(eq(platformTokens.projectId, project.projectId));
    await database.db
      .insert(memberships)
      .values({ projectId: stranger.projectId, userId: project.userId, role: "owner" });
    const cookie = await sessionCookie(database.db, project.userId, token?.id ?? "");
    expect((await deciding({}, { headers: { cookie } }, theirs)).status).toBe(404);
    // The assistant would go on when the token is replaced, which ends the session.
    expect((await deciding({}, { headers: { cookie } })).status).toBe(403);
  });

  test("gives no more than was asked for", async () => {
    expect((await deciding({ scope: "sending" }, { scope: "full" })).status).toBe(403);
    expect((await deciding({ scope: "sending" }, { scope: "sending" })).status).toBe(200);
    expect((await deciding({ scope: "openid full" }, { scope: "read" })).status).toBe(200);
  });

  test("a program on the reader's machine may come back on any port, and there only", async () => {
    clientId = await register("http://localhost/callback");
    const at = (redirect_uri: string) => deciding({ redirect_uri });
    expect((await at("http://localhost:49152/callback")).status).toBe(200);
    expect((await at("http://localhost:49152/other")).status).toBe(400);
    expect((await at("http://localhost.evil.example:49152/callback")).status).toBe(400);
    clientId = await register();
  });
});
