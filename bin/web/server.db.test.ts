import { request, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { pagePathHeader } from "@/lib/doors/http/sign-in/return-path";
import { close, listen } from "./listen";
import { createWebServer, type PageHandler } from "./server";

useTestDatabase();

const open: Server[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => close(server)));
});

/** A server on a free port; the test plays the part of its pages. */
async function start(pages: PageHandler, signal = new AbortController().signal) {
  const server = createWebServer({ pages, dev: false, signal });
  open.push(server);
  const port = await listen(server, 0, "127.0.0.1");
  return { server, port, url: `http://127.0.0.1:${port}` };
}

const hello: PageHandler = (_, response) => {
  response.end("a page");
  return Promise.resolve();
};

test("surfaces answer their paths, Next gets the rest", async () => {
  const { url } = await start(hello);
  for (const path of ["/v1/emails", "/emails", "/emails/"]) {
    const response = await fetch(`${url}${path}`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: "MISSING_AUTH" } });
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  }
  const unknown = await fetch(`${url}/v1/nothing`);
  expect(unknown.headers.get("content-type")).toContain("application/json");
  expect(await (await fetch(`${url}/dashboard`)).text()).toBe("a page");
});

test("a page is told its own path, whatever the client claims", async () => {
  const seen: unknown[] = [];
  const { url } = await start((incoming, response) => {
    seen.push(incoming.headers[pagePathHeader]);
    response.end();
    return Promise.resolve();
  });
  await fetch(`${url}/dashboard/prj_1/emails?status=SENT`, {
    headers: { [pagePathHeader]: "/dashboard/elsewhere" },
  });
  expect(seen).toEqual(["/dashboard/prj_1/emails?status=SENT"]);
});

test("a page has a policy with a nonce of its own, which stands on the request too", async () => {
  const seen: IncomingMessage["headers"][] = [];
  const { url } = await start((incoming, response) => {
    seen.push(incoming.headers);
    response.end();
    return Promise.resolve();
  });
  const nonces = new Set<string>();
  for (let index = 0; index < 2; index++) {
    const response = await fetch(`${url}/sign-in`, {
      headers: { "content-security-policy": "script-src 'nonce-of-the-client'" },
    });
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(seen[index]?.["content-security-policy"]).toBe(policy);
    nonces.add(/'nonce-([^']{20,})'/.exec(policy)?.[1] ?? "");
    expect(policy).not.toContain("of-the-client");
    expect(policy).toContain("frame-ancestors 'none'");
  }
  expect(nonces.size).toBe(2);
});

test("a client cannot make an address up for the pages", async () => {
  let seen: unknown;
  const { url } = await start((incoming, response) => {
    seen = incoming.headers["x-forwarded-for"];
    response.end();
    return Promise.resolve();
  });
  await fetch(url, { headers: { "x-forwarded-for": "203.0.113.9" } });
  expect(seen).toBe("127.0.0.1");
});

/** Sends a path as it is: fetch would resolve its dots. */
function rawRequest(
  port: number,
  options: { path: string; method?: string; headers?: Record<string, string> },
  body: Iterable<Buffer> = [],
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: "127.0.0.1", ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => resolve({ status: response.statusCode, text }));
    });
    outgoing.once("error", reject);
    Readable.from(body).pipe(outgoing);
  });
}

test.each([
  "/_next/static/../../api/auth/callback/password",
  "/_next/static/%2e%2e/%2E%2e/api/auth/callback/password",
  "/_next/static/.%2e/../api/auth/callback/password",
  "/_next/static\\..\\..\\api/auth/callback/password",
  "/_next/static/..%2f..%2fapi/auth/callback/password",
  "/_next/static/..%5c..%5capi/auth/callback/password",
  "/v1/../api/auth/session",
  "/./sign-in",
  "/..",
  "http://localhost/_next/static/../../api/auth/session",
])("a path with dot segments reaches nobody: %s", async (path) => {
  let reached = false;
  const { port } = await start((_, response) => {
    reached = true;
    response.end();
    return Promise.resolve();
  });
  const { status, text } = await rawRequest(port, { path, method: "POST" });
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
  expect(reached).toBe(false);
});

test.each(["TRACE", "PROPFIND"])(
  "%s is the caller's mistake, whoever would answer",
  async (method) => {
    let reached = false;
    const { port } = await start((_, response) => {
      reached = true;
      response.end();
      return Promise.resolve();
    });
    const answers = async (path: string) => (await rawRequest(port, { path, method })).status;
    expect(await answers("/api/auth/links")).toBe(400);
    expect(await answers("/nothing")).toBe(400);
    expect(await answers("/sign-in")).toBe(405);
    expect(await answers("/oauth/register")).toBe(405);
    expect(await answers("/.well-known/oauth-authorization-server")).toBe(405);
    expect(await answers("/v1/emails")).toBe(401);
    expect(reached).toBe(false);
  },
);

test("dots inside names are no dot segments", async () => {
  const { port } = await start(hello);
  for (const path of ["/_next/static/chunks/a..b.js", "/.well-known/x", "/...", "/?next=/../x"]) {
    expect(await rawRequest(port, { path })).toEqual({ status: 200, text: "a page" });
  }
});

test("Next is told the client's address whatever the path, also of an absolute target", async () => {
  const seen: unknown[] = [];
  const { port } = await start((incoming, response) => {
    seen.push([incoming.url, incoming.headers["x-forwarded-for"]]);
    response.end();
    return Promise.resolve();
  });
  const headers = { "x-forwarded-for": "203.0.113.9" };
  for (const path of ["/_next/static/a.js", "/_next/image?url=x", "http://localhost/sign-in?a=1"]) {
    await rawRequest(port, { path, headers });
  }
  expect(seen).toEqual([
    ["/_next/static/a.js", "127.0.0.1"],
    ["/_next/image?url=x", "127.0.0.1"],
    ["/sign-in?a=1", "127.0.0.1"],
  ]);
});

describe("a body for Next", () => {
  const path = "/api/auth/callback/password";
  /** Reads bodies whole, as next-auth does. */
  const reads =
    (seen: number[]): PageHandler =>
    async (incoming, response) => {
      seen.push((await buffer(incoming)).length);
      response.end("read");
    };
  const megabytes = function* (count: number) {
    for (let index = 0; index < count; index++) yield Buffer.alloc(1024 * 1024, "x");
  };

  test("is passed on up to 16 kB", async () => {
    const seen: number[] = [];
    const { port } = await start(reads(seen));
    const body = [Buffer.alloc(16 * 1024)];
    expect(await rawRequest(port, { path, method: "POST" }, body)).toEqual({
      status: 200,
      text: "read",
    });
    expect(seen).toEqual([16 * 1024]);
  });

  test("is refused by its declared length, before Next hears of it", async () => {
    const seen: number[] = [];
    const { port } = await start(reads(seen));
    const headers = { "content-length": String(300 * 1024 * 1024) };
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const outgoing = request({ port, host: "127.0.0.1", path, method: "POST", headers }, resolve);
    outgoing.on("error", () => {});
    outgoing.flushHeaders();
    expect((await promise).statusCode).toBe(413);
    outgoing.destroy();
    expect(seen).toEqual([]);
  });

  test("is refused while it streams when its length is not declared", async () => {
    const seen: number[] = [];
    const { port } = await start(reads(seen));
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const outgoing = request({ port, host: "127.0.0.1", path, method: "POST" }, resolve);
    // The server closes the connection under the rest of the body.
    outgoing.on("error", () => {});
    Readable.from(megabytes(300)).pipe(outgoing);
    const response = await promise;
    expect(response.statusCode).toBe(413);
    expect(JSON.parse(await text(response))).toMatchObject({
      error: { code: "PAYLOAD_TOO_LARGE" },
    });
    expect(response.headers.connection).toBe("close");
    expect(seen).toEqual([]);
  });
});

test("a page that fails is a 500, and the server goes on", async () => {
  let fail = true;
  const { url } = await start(async (_, response) => {
    if (fail) throw new Error("a fault of ours");
    response.end("fine");
  });
  const response = await fetch(url);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("fault");
  fail = false;
  expect((await fetch(url)).status).toBe(200);
});

test("stopping lets a request under way end, and takes no new connection", async () => {
  const stopping = new AbortController();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const { server, port, url } = await start(async (_, response) => {
    enter();
    await released;
    response.end("the end");
  }, stopping.signal);
  const answer = fetch(url);
  await entered;
  stopping.abort();
  const closed = close(server);
  await expect(fetch(url)).rejects.toThrow();
  release();
  expect(await (await answer).text()).toBe("the end");
  await closed;
  await expect(listen(server, port, "127.0.0.1")).resolves.toBe(port);
});

test("while it stops, kept-alive connections are told to go", async () => {
  const stopping = new AbortController();
  const { port } = await start(hello, stopping.signal);
  const connectionHeader = () =>
    new Promise<string | undefined>((resolve, reject) => {
      const outgoing = request({ port, host: "127.0.0.1", path: "/" }, (response) => {
        response.resume();
        resolve(response.headers.connection);
      });
      outgoing.once("error", reject).end();
    });
  expect(await connectionHeader()).toBe("keep-alive");
  stopping.abort();
  expect(await connectionHeader()).toBe("close");
});

test("headers that do not arrive are not waited for forever", async () => {
  const { server, port } = await start(hello);
  expect(server.headersTimeout).toBeLessThanOrEqual(20_000);
  server.headersTimeout = 50;
  const socket = connect(port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n");
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  await vi.waitUntil(() => answer.startsWith("HTTP/1.1 408"), { timeout: 12_000 });
  socket.destroy();
});

test.each(["//evil.example/x", "/%", "/%zz", "/v1/%00", "/v1//emails", "*"])(
  "an odd path is answered: %s",
  async (path) => {
    const { port } = await start(hello);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request({ port, host: "127.0.0.1", path }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.once("error", reject).end();
    });
    expect(status).toBeLessThan(500);
  },
);
