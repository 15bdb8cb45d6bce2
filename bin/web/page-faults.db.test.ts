import { sql } from "drizzle-orm";
import type { Server } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { closeDatabase, database as ownDatabase } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { startDatabaseProxy, type DatabaseProxy } from "@/lib/testing/database-proxy";
import { close, listen } from "./listen";
import { logPageFaults } from "./page-faults";
import { createWebServer, type PageHandler } from "./server";

/* A page's statement fails while Next makes the page: Next prints the error and answers 500. */
const database = useTestDatabase();
const address = "somebody@example.com";
let proxy: DatabaseProxy;
let server: Server;
let origin: string;
let statement = sql`select ${address}::text`;

const pages: PageHandler = async (_, response) => {
  try {
    await ownDatabase().execute(statement);
    response.end("a page");
  } catch (error) {
    console.error("⨯", Object.assign(error as Error, { digest: "123456" }));
    response.statusCode = 500;
    response.setHeader("content-encoding", "identity");
    response.write("<p>Something");
    response.end(" went wrong</p>");
  }
};

const print = console.error;
const printed = vi.fn();
const logged = vi.spyOn(log, "error");
beforeAll(async () => {
  proxy = await startDatabaseProxy(database.url);
  await closeDatabase();
  process.env["DATABASE_URL"] = proxy.url;
  reloadEnv();
  console.error = printed;
  logPageFaults();
  server = createWebServer({ pages, dev: false, signal: new AbortController().signal });
  origin = `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`;
});
afterAll(async () => {
  console.error = print;
  await close(server);
  await proxy.stop();
});

test("a page that the database leaves in the middle is 503, and says when to come back", async () => {
  expect(await (await fetch(`${origin}/dashboard/prj_x`)).text()).toBe("a page");
  // As an administrator ends it, or Postgres as it goes down: the server is there before and afterwards.
  statement = sql`select ${address}::text, pg_terminate_backend(pg_backend_pid())`;
  const page = await fetch(`${origin}/dashboard/prj_x`);
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(page.headers.get("content-encoding")).toBeNull();
  expect(page.headers.get("x-request-id")).toMatch(/^req_/);
  const text = await page.text();
  expect(text).toContain("The database cannot be reached");
  expect(text).not.toContain("Something");
});

test("one that fails by a fault of ours stays 500", async () => {
  statement = sql`select ${address}::text from nowhere`;
  const page = await fetch(`${origin}/dashboard/prj_x`);
  expect(page.status).toBe(500);
  expect(await page.text()).toBe("<p>Something went wrong</p>");
});

test("no page's fault puts a statement's values into the log, and each can be found by its reference", async () => {
  logged.mockClear();
  printed.mockClear();
  statement = sql`select ${address}::text from nowhere`;
  const page = await fetch(`${origin}/dashboard/prj_x`);
  const lines = JSON.stringify(logged.mock.calls);
  expect(lines).not.toContain(address);
  expect(lines).toContain('"digest":"123456"');
  expect(lines).toContain(page.headers.get("x-request-id"));
  expect(lines).toContain("42P01");
  expect(printed).not.toHaveBeenCalled();
  console.error("without an error", address);
  expect(printed).toHaveBeenCalledWith("without an error", address);
});
