import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditLog, identityVisits, sessions, userIdentities } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createProject, listProjects } from "@/lib/domain/projects/projects";
import { findSession } from "@/lib/domain/users/sessions";
import { findOrCreateUser, findUserByEmail } from "@/lib/domain/users/users";
import { reloadEnv } from "@/lib/ground/env/env";
import { startIdentityProvider, type TestProvider } from "@/lib/testing/identity-provider";
import { leaveForProvider, returnFromProvider } from "./oidc";

const database = useTestDatabase();
const appUrl = "http://localhost:3000";
let provider: TestProvider;
let people = 0;

function set(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  reloadEnv();
}

beforeAll(async () => {
  provider = await startIdentityProvider();
  set(provider.settings);
});
afterAll(async () => {
  const names = Object.keys(provider.settings);
  set(Object.fromEntries(names.map((name) => [name, undefined])));
  await provider.stop();
});
beforeEach(() => {
  const sub = String(++people);
  provider.misconduct = {};
  provider.person = { sub, email: `p${sub}@example.com`, email_verified: true, name: "Ada" };
});

/** The person at the provider, who has an account and a project here as well. */
async function known() {
  const user = await findOrCreateUser(database.db, { email: provider.person.email ?? "" });
  const project = await createProject(database.db, { name: "Acme", ownerUserId: user.id });
  return { ...user, projectId: project.id };
}

/** Presses the button. */
function leave(body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  return leaveForProvider(
    new Request(`${appUrl}/api/auth/oidc`, {
      method: "POST",
      headers: { origin: appUrl, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );
}

const cookieOf = (answer: Response) => (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

/** Goes to the provider: the address it sends back to, and the cookie of the browser. */
async function visit(body: object = {}): Promise<{ back: string; cookie: string }> {
  const answer = await leave(body);
  expect(answer.status).toBe(200);
  const { url } = (await answer.json()) as { url: string };
  const away = await fetch(url, { redirect: "manual" });
  return { back: away.headers.get("location") ?? "", cookie: cookieOf(answer) };
}

async function comeBack({ back, cookie }: { back: string; cookie: string }) {
  const answer = await returnFromProvider(new Request(back, { headers: { cookie } }));
  const location = answer.headers.get("location") ?? "";
  const problem = new URL(location, appUrl).searchParams.get("problem");
  return { status: answer.status, location, problem, cookie: cookieOf(answer) };
}

const signIn = async (body: object = {}) => comeBack(await visit(body));
const who = async (cookie: string) =>
  (await findSession(database.db, new Headers({ cookie })))?.user.email;
const identitiesOf = (userId: string) =>
  database.db.select().from(userIdentities).where(eq(userIdentities.userId, userId));
const auditOf = async (projectId: string) =>
  (await database.db.select().from(auditLog).where(eq(auditLog.projectId, projectId))).map(
    ({ action, details }) => ({ action, ...(details as object) }),
  );

describe("somebody who comes back", () => {
  test("is found by a verified address, then by what the provider calls them, whatever their address", async () => {
    const user = await known();
    const first = await signIn({ to: "/dashboard/prj_x?a=1" });
    expect(first).toMatchObject({ status: 303, location: `${appUrl}/dashboard/prj_x?a=1` });
    expect(await who(first.cookie)).toBe(user.email);
    provider.person = { ...provider.person, email: "married@elsewhere.example" };
    provider.person.email_verified = false;
    const second = await signIn();
    expect(await who(second.cookie)).toBe(user.email);
    expect(await identitiesOf(user.id)).toMatchObject([
      { issuer: provider.issuer, subject: provider.person.sub, email: "married@elsewhere.example" },
    ]);
    expect(await auditOf(user.projectId)).toEqual(
      expect.arrayContaining([
        { action: "link.identity", provider: "Acme ID" },
        { action: "start.session", by: "identity" },
      ]),
    );
  });

  test.each([false, undefined, "true", 1])(
    "with an address whose email_verified is %j takes over nobody's account",
    async (verified) => {
      const user = await known();
      provider.person.email_verified = verified;
      expect(await signIn({ to: "/dashboard" })).toMatchObject({
        problem: "unverified",
        location: `${appUrl}/sign-in?problem=unverified&to=%2Fdashboard`,
        cookie: "",
      });
      expect(await identitiesOf(user.id)).toEqual([]);
      expect(await auditOf(user.projectId)).toContainEqual({
        action: "refuse.session",
        by: "identity",
        reason: "unverified",
      });
    },
  );

  test("with the address of somebody who has left does not become them", async () => {
    const user = await known();
    await signIn();
    provider.person = { ...provider.person, sub: `${provider.person.sub}-successor` };
    expect(await signIn()).toMatchObject({ problem: "taken", cookie: "" });
    expect(await identitiesOf(user.id)).toHaveLength(1);
  });

  test("is told whom to ask where accounts are made by invitation", async () => {
    expect(await signIn()).toMatchObject({ problem: "unknown", cookie: "" });
    expect(await findUserByEmail(database.db, provider.person.email ?? "")).toBeNull();
  });

  test("gets an account with a project where sign-up is open, once even of two visits", async () => {
    set({ SIGN_UP: "open", MAIL_TRANSPORT: "smtp://127.0.0.1:1" });
    try {
      const [one, other] = [await visit(), await visit()];
      const both = await Promise.all([comeBack(one), comeBack(other)]);
      const { email = "" } = provider.person;
      for (const { cookie } of both) expect(await who(cookie)).toBe(email);
      const user = await findUserByEmail(database.db, email);
      expect(user).toMatchObject({ name: "Ada" });
      expect(await listProjects(database.db, user?.id ?? "")).toHaveLength(1);
    } finally {
      set({ SIGN_UP: undefined, MAIL_TRANSPORT: "capture" });
    }
  });

  test("from another mail domain than those of OIDC_DOMAINS is not let in", async () => {
    const user = await known();
    set({ OIDC_DOMAINS: "acme.example" });
    expect(await signIn()).toMatchObject({ problem: "foreign", cookie: "" });
    set({ OIDC_DOMAINS: "acme.example, Example.com" });
    expect(await who((await signIn()).cookie)).toBe(user.email);
    set({ OIDC_DOMAINS: undefined });
  });

  test("whose address stands in userinfo alone is found by it, and only under the same subject", async () => {
    const user = await known();
    provider.misconduct = { userinfo: { sub: "somebody-else" } };
    expect(await signIn()).toMatchObject({ problem: "refused" });
    provider.misconduct = { userinfo: {} };
    expect(await who((await signIn()).cookie)).toBe(user.email);
  });
});

describe("an answer is refused", () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  test.each([
    ["another issuer", () => ({ claims: { iss: "https://evil.example" } })],
    ["another audience", () => ({ claims: { aud: "another-client" } })],
    ["another nonce", () => ({ claims: { nonce: "another" } })],
    ["no nonce", () => ({ claims: { nonce: undefined } })],
    ["an end that has passed", () => ({ claims: { iat: seconds() - 900, exp: seconds() - 600 } })],
    ["no signature", () => ({ signature: "none" as const })],
    ["a signature made with the client's secret", () => ({ signature: "hmac" as const })],
    ["a stranger's signature", () => ({ signature: "stranger" as const })],
    ["no subject", () => ({ claims: { sub: undefined } })],
  ])("with %s", async (_, misconduct) => {
    const user = await known();
    provider.misconduct = misconduct();
    expect(await signIn()).toMatchObject({ problem: "refused", cookie: "" });
    expect(await identitiesOf(user.id)).toEqual([]);
    expect(await database.db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual(
      [],
    );
    provider.misconduct = {};
    expect(await who((await signIn()).cookie)).toBe(user.email);
  });

  test("that comes a second time, in another browser, with another state or too late", async () => {
    await known();
    const gone = await visit();
    const asked = provider.tokensAsked;
    expect(await comeBack({ ...gone, cookie: "" })).toMatchObject({ problem: "expired" });
    const other = await visit();
    expect(await comeBack({ ...gone, cookie: other.cookie })).toMatchObject({ problem: "expired" });
    const state = new URL(gone.back);
    state.searchParams.set("state", "another");
    expect(await comeBack({ ...gone, back: state.href })).toMatchObject({ problem: "expired" });
    expect(provider.tokensAsked).toBe(asked);
    expect((await comeBack(gone)).problem).toBeNull();
    expect(await comeBack(gone)).toMatchObject({ problem: "expired", cookie: "" });
    expect(provider.tokensAsked).toBe(asked + 1);
    const late = await visit();
    await database.travel("11 minutes");
    expect(await comeBack(late)).toMatchObject({ problem: "expired" });
  });

  test("with the code of another visit, whose verifier it lacks", async () => {
    await known();
    const [mine, theirs] = [await visit(), await visit()];
    const back = new URL(mine.back);
    back.searchParams.set("code", new URL(theirs.back).searchParams.get("code") ?? "");
    expect(await comeBack({ ...mine, back: back.href })).toMatchObject({ problem: "refused" });
  });

  test("when the person has pressed Cancel there", async () => {
    provider.misconduct = { error: "access_denied" };
    expect(await signIn()).toMatchObject({ problem: "cancelled" });
  });
});

describe("leaving", () => {
  test("asks for a code with PKCE, state and nonce, and keeps what has to come back sealed", async () => {
    const answer = await leave({ to: "/dashboard" });
    const { url } = (await answer.json()) as { url: string };
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(query).toMatchObject({
      response_type: "code",
      redirect_uri: `${appUrl}/api/auth/oidc/callback`,
      scope: "openid email profile",
      code_challenge_method: "S256",
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(query[name]).toMatch(/^[\w-]{43}$/);
    }
    expect(answer.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    const rows = JSON.stringify(await database.db.select().from(identityVisits));
    expect(rows).not.toContain(query["state"]);
    expect(rows).not.toContain(query["nonce"]);
  });

  test.each(["//evil.example", "/\\evil.example", "https://evil.example", "dashboard"])(
    "to come back to %s is refused",
    async (to) => {
      const answer = await leave({ to });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { details: [{ path: "to" }] } });
    },
  );

  test("begins on our own pages alone", async () => {
    expect((await leave({}, { origin: "https://evil.example" })).status).toBe(403);
    expect((await leave({}, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  test("says so while the provider is away, or is not the one of the setting", async () => {
    const issuer = "http://127.0.0.1:9";
    set({ OIDC_ISSUER: issuer });
    const away = await leave();
    expect(away.status).toBe(503);
    expect(await away.json()).toMatchObject({
      error: { message: expect.stringMatching(/^Signing in with Acme ID does not work/) as string },
    });
    provider.misconduct = { issuer: "https://evil.example" };
    set({ OIDC_ISSUER: `${provider.issuer}/` });
    set({ OIDC_CLIENT_ID: "asked-anew" });
    expect((await leave()).status).toBe(503);
    set(provider.settings);
    provider.misconduct = {};
    expect((await leave()).status).toBe(200);
  });

  test("a provider that breaks down on the way back is away", async () => {
    const gone = await visit();
    provider.misconduct = { status: 503 };
    expect(await comeBack(gone)).toMatchObject({ problem: "away" });
  });
});
