import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { confirmToken, recipientToken } from "@/lib/mail/tracking/tokens";
import { startDatabaseProxy, type DatabaseProxy } from "@/lib/testing/database-proxy";
import { until } from "@/lib/testing/until";
import { close } from "./listen";
import { startWebServer } from "./test-server";

const database = useTestDatabase();
let proxy: DatabaseProxy;
let server: Server;
let origin: string;

beforeAll(async () => {
  proxy = await startDatabaseProxy(database.url);
  await closeDatabase();
  process.env["DATABASE_URL"] = proxy.url;
  reloadEnv();
  ({ server, origin } = await startWebServer());
});
afterAll(async () => {
  await close(server);
  await proxy.stop();
});

const statusOf = async (path: string) => (await fetch(origin + path)).status;

test("a schema that lacks a migration is not ready", async () => {
  const { $client } = database.db;
  await $client`update drizzle.__drizzle_migrations set created_at = created_at + 1`;
  const answer = await fetch(`${origin}/readyz`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain("migrations");
  await $client`update drizzle.__drizzle_migrations set created_at = created_at - 1`;
  await until(async () => (await statusOf("/readyz")) === 200, { what: "to be ready" });
});

test("/healthz and /readyz are 200 while the database answers", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    const answer = await fetch(origin + path);
    expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
    const wrong = await fetch(origin + path, { method: "DELETE" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
});

test("without the database the program lives and is not ready; pages say why, and come back", async () => {
  expect(await statusOf("/dashboard")).toBe(200);
  proxy.leave();
  await until(async () => (await statusOf("/readyz")) === 503, { what: "not to be ready" });
  expect(await statusOf("/healthz")).toBe(200);
  const ready = await fetch(`${origin}/readyz`);
  expect(ready.headers.get("retry-after")).toBe("5");
  expect(await ready.json()).toEqual({
    status: "unavailable",
    reason: "The database cannot be reached.",
  });
  expect(await statusOf("/docs/sending")).toBe(200);
  for (const path of ["/", "/dashboard/prj_x/emails", "/sign-in", "/sign-up"]) {
    const page = await fetch(origin + path);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(page.headers.get("content-security-policy")).toContain("style-src 'sha256-");
    expect(await page.text()).toContain("The database cannot be reached");
  }
  const id = randomUUID();
  for (const path of [`/preferences/${recipientToken(id)}`, `/confirm/${confirmToken(id)}`]) {
    const page = await fetch(origin + path);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(await page.text()).toContain("<h1");
  }
  proxy.comeBack();
  await until(async () => (await statusOf("/dashboard")) === 200, { what: "the page" });
  expect(await statusOf("/readyz")).toBe(200);
});

test.each([
  ...["/", "/dashboard/prj_x", "/docs", "/docs/sending", "/sign-in", "/sign-up", "/sign-up/x"],
  ...["/preferences/x", "/confirm/x", "/login/token/x"],
])("%s takes GET and HEAD only", async (path) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await fetch(origin + path, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
});
