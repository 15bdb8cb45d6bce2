import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { platformOperations } from "@/lib/doors/http/platform/operations";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { createLoginToken } from "@/lib/domain/users/login-tokens";
import { env, reloadEnv } from "@/lib/ground/env/env";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { metrics } from "@/lib/ground/metrics/metrics";
import {
  confirmToken,
  contactToken,
  linkToken,
  pixelToken,
  recipientToken,
  reportToken,
} from "@/lib/mail/tracking/tokens";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";
import { platformToken } from "@/lib/testing/platform";
import { until } from "@/lib/testing/until";
import { close } from "./listen";
import { startWebServer } from "./test-server";

const database = useTestDatabase();
let server: Server;
let origin: string;
let project: TestProject;
let lines: string[] = [];
const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(async () => {
  process.env["CRON_SECRET"] = randomBytes(32).toString("base64url");
  reloadEnv();
  project = await makeProject(database.db);
  ({ server, origin } = await startWebServer({
    requestLog: pino({ base: null }, { write: (line: string) => lines.push(line) }),
  }));
});
beforeEach(() => {
  lines = [];
});
afterAll(() => close(server));

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const before = lines.length;
  const answer = await fetch(origin + path, { redirect: "manual", ...init });
  await answer.arrayBuffer();
  await until(() => lines.length > before, { what: `a line for ${path}` });
  return answer;
}
const bearer = () => ({ authorization: `Bearer ${project.apiKey}` });

test("a line has the id of the answer, method, pattern of the path, status and time; a caller's id is kept", async () => {
  const own = await ask("/v1/contacts?limit=1", { headers: bearer() });
  const kept = await ask("/contacts/con_nobody", {
    headers: { ...bearer(), "x-request-id": "checkout-4711" },
  });
  expect(kept.headers.get("x-request-id")).toBe("checkout-4711");
  const [first, second] = entries();
  expect(first).toMatchObject({
    requestId: own.headers.get("x-request-id"),
    method: "GET",
    route: "/v1/contacts",
    status: 200,
    msg: "request",
  });
  expect(first?.["ms"]).toBeTypeOf("number");
  expect(second).toMatchObject({
    requestId: "checkout-4711",
    route: "/v1/contacts/{id}",
    status: 404,
  });
  const text = await metrics.registry.metrics();
  expect(text).toContain(
    'lettermill_http_request_duration_seconds_count{method="GET",route="/v1/contacts/{id}",status="4xx"} 1',
  );
});

test.each([
  ["/dashboard/prj_x/emails", "/dashboard/{page}"],
  ["/mcp", "/mcp"],
  ["/v1/nothing", "(other)"],
  ["/v1/../secret", "(other)"],
  ["/api/cron/tick", "/api/cron/{job}"],
  ["/oauth/token", "/oauth/{action}"],
  ["/files/x/y", "/files/{path}"],
])("%s is told as %s, with the id on the answer", async (path, route) => {
  const id = "0192f3c4-7d1e-7c3a-9a39-0c5f3e1d2b4a";
  const answer = await ask(path, { headers: { "x-request-id": id } });
  expect(entries()[0]).toMatchObject({ route, requestId: id });
  expect(answer.headers.get("x-request-id")).toBe(id);
});

test("what machines ask for all the time makes no line", async () => {
  await fetch(`${origin}/healthz`);
  await fetch(`${origin}/_next/static/x.js`);
  await ask("/sign-in");
  expect(entries()).toHaveLength(1);
});

test("no line holds a key, a token or an address, whichever route they come by", async () => {
  const { url } = await createLoginToken(database.db, {
    userId: project.userId,
    purpose: "login",
    redirectTo: "/",
  });
  const login = new URL(url).pathname.split("/").at(-1) ?? "";
  const cookie = await sessionCookie(database.db, project.userId);
  const apiToken = await platformToken(project);
  const emailId = newUnownedId();
  const inMail = {
    recipient: recipientToken(emailId),
    pixel: pixelToken(emailId),
    link: linkToken({ emailId, linkId: 2n ** 62n + 7n, links: 1 }),
    confirm: confirmToken(newUnownedId()),
    contact: contactToken(newUnownedId()),
    report: reportToken(newUnownedId()),
  };
  const address = "ada.lovelace@example.org";
  const secrets = [
    project.apiKey,
    apiToken,
    login,
    cookie.slice(cookie.indexOf("=") + 1),
    env().CRON_SECRET ?? "",
    ...Object.values(inMail),
    address,
    encodeURIComponent(address),
  ];
  expect(secrets.every((secret) => secret.length > 10)).toBe(true);

  for (const secret of secrets) {
    const inPath = encodeURIComponent(secret);
    for (const { path } of bearerOperations) {
      if (!path.includes("{")) continue;
      await ask(path.replaceAll(/\{\w+\}/g, inPath));
    }
    for (const path of [
      `/t/o/${inPath}.gif`,
      ...["c", "u", "preferences", "confirm"].map((kind) => `/t/${kind}/${inPath}`),
      ...[
        "view",
        "report",
        "login/token",
        "preferences",
        "confirm",
        "dashboard",
        "sign-in",
        "sign-up",
      ].map((page) => `/${page}/${inPath}`),
      ...["api/cron", "files", "oauth", "api/auth", "nothing", "t", "mcp"].map(
        (page) => `/${page}/${inPath}?token=${inPath}`,
      ),
      `/oauth/authorize?code=${inPath}`,
      `/${inPath}`,
    ]) {
      await ask(path, { headers: { "x-request-id": secret, cookie: `x=${secret}` } });
    }
    for (const { path, method } of platformOperations) {
      const target = path.replaceAll(/\{\w+\}/g, inPath);
      await ask(`/api/v1${target}?api_token=${inPath}`, { method: method.toUpperCase() });
    }
    await ask(`/api/dashboard/${encodeId("project", project.projectId)}/v1/contacts/${inPath}`, {
      headers: { cookie, authorization: `Bearer ${secret}`, "user-agent": secret },
    });
  }
  const log = lines.join("");
  for (const secret of secrets) expect(log.includes(secret)).toBe(false);
  expect(await metrics.registry.metrics()).not.toContain("lovelace");
  expect(lines.length).toBeGreaterThan(1_000);
}, 120_000);
