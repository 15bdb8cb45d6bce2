import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { text as readText } from "node:stream/consumers";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reloadEnv } from "@/lib/ground/env/env";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { guardedFetch, keepConnections, type GuardedRequest } from "./guarded-fetch";

let dns: DnsServer;
let answer: RequestListener;
const received: IncomingMessage[] = [];
let connections = 0;
const server = createServer((request, response) => {
  received.push(request);
  answer(request, response);
}).on("connection", () => connections++);
let port = 0;
const originalEnv = { ...process.env };

function settings(changes: Record<string, string>): void {
  Object.assign(process.env, changes);
  reloadEnv();
}

beforeAll(async () => {
  dns = await startDnsServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  server.closeAllConnections();
  await Promise.all([dns.stop(), new Promise((resolve) => server.close(resolve))]);
});
beforeEach(() => {
  received.length = 0;
  connections = 0;
  dns.questions.length = 0;
  answer = (_request, response) => response.end("fine");
  settings({ DNS_SERVERS: dns.address, ALLOW_PRIVATE_ADDRESSES: "1" });
});
afterEach(() => {
  dns.clear();
  process.env["DNS_SERVERS"] = originalEnv["DNS_SERVERS"] ?? "";
  delete process.env["ALLOW_PRIVATE_ADDRESSES"];
  reloadEnv();
});

const limits = { timeoutMilliseconds: 5_000, largestBytes: 1_000 };

async function read(url: string, options: Partial<GuardedRequest> = {}) {
  const response = await guardedFetch(url, { ...limits, ...options });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return { ...response, text: Buffer.concat(chunks).toString() };
}

describe("where private addresses are not permitted", () => {
  beforeEach(() => settings({ ALLOW_PRIVATE_ADDRESSES: "0" }));

  test.each([
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0x7f.0.0.1",
    "http://0177.0.0.1",
    "http://127.0.0.1.",
    "http://①②⑦.0.0.1",
    "http://0.0.0.0",
    "http://localhost",
    "http://LOCALHOST.",
    "http://app.localhost",
    "http://[::1]",
    "http://[::]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[2002:7f00:1::]",
    "http://[64:ff9b::7f00:1]",
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1",
    "http://[fd00:ec2::254]",
  ])("%s is refused before a connection is opened", async (base) => {
    const url = new URL(base);
    url.port = String(port);
    await expect(read(url.href)).rejects.toMatchObject({ fault: "refused" });
    expect(connections).toBe(0);
  });

  test.each([
    ["a private address", ["127.0.0.1"]],
    ["a private IPv6 address", ["::1"]],
    ["a mapped one", ["::ffff:127.0.0.1"]],
    ["a public and a private one", ["8.8.8.8", "127.0.0.1"]],
    ["no address", []],
  ])("a name with %s is refused in the same words", async (_what, addresses) => {
    dns.addresses("inner.example.com", ...addresses);
    await expect(read(`http://inner.example.com:${port}/`)).rejects.toMatchObject({
      fault: "refused",
      message: "The address does not lead to a public server.",
    });
    expect(connections).toBe(0);
  });

  test("plain http is refused where https is asked for", async () => {
    dns.addresses("hooks.example.com", "8.8.8.8");
    await expect(read("http://hooks.example.com/", { secure: true })).rejects.toMatchObject({
      fault: "refused",
      message: "Only https addresses are called.",
    });
  });
});

test.each(["file:///etc/passwd", "ftp://example.com/", "data:,x", "gopher://x/", "nonsense", ""])(
  "%s is no address to call",
  async (url) => {
    await expect(read(url)).rejects.toMatchObject({ fault: "refused" });
  },
);

test("a name is looked up once, and the address that was checked is dialled", async () => {
  dns.addresses("files.example.com", "127.0.0.1");
  const { status, text } = await read(`http://files.example.com:${port}/a?b=1`);
  expect([status, text]).toEqual([200, "fine"]);
  expect(received[0]?.headers.host).toBe(`files.example.com:${port}`);
  expect(received[0]?.url).toBe("/a?b=1");
  expect(dns.questions.toSorted()).toEqual(["A files.example.com", "AAAA files.example.com"]);
});

test("a body and headers are sent as given", async () => {
  const bodies: string[] = [];
  answer = (request, response) => {
    void readText(request).then((text) => {
      bodies.push(text);
      response.writeHead(202).end();
    });
  };
  const { status } = await read(`http://127.0.0.1:${port}/`, {
    method: "POST",
    headers: { "webhook-id": "msg_1", "content-type": "application/json" },
    body: '{"é":1}',
  });
  expect(status).toBe(202);
  expect(bodies).toEqual(['{"é":1}']);
  expect(received[0]?.headers).toMatchObject({ "webhook-id": "msg_1", "content-length": "8" });
});

test("a redirect is an answer and is not followed", async () => {
  answer = (_request, response) => response.writeHead(302, { location: "/elsewhere" }).end();
  const { status, headers } = await read(`http://127.0.0.1:${port}/`);
  expect([status, headers.location]).toEqual([302, "/elsewhere"]);
  expect(received).toHaveLength(1);
});

test("a body past the limit ends the connection, announced or not", async () => {
  const closed: Promise<unknown>[] = [];
  answer = (request, response) => {
    closed.push(new Promise((resolve) => request.socket.once("close", resolve)));
    if (request.url === "/announced") response.setHeader("content-length", 5_000_000);
    response.on("error", () => undefined);
    const more = () => {
      while (response.write(Buffer.alloc(500))) if (response.destroyed) return;
      response.once("drain", more);
    };
    more();
  };
  for (const path of ["announced", "endless"]) {
    await expect(read(`http://127.0.0.1:${port}/${path}`)).rejects.toMatchObject({
      fault: "too_large",
    });
  }
  await Promise.all(closed);
});

test("a body of exactly the limit is read", async () => {
  answer = (_request, response) => response.end(Buffer.alloc(1_000, "x"));
  expect((await read(`http://127.0.0.1:${port}/`)).text).toHaveLength(1_000);
});

test.each(["silence", "headers that never end", "a slow drip"])(
  "%s ends at the time limit",
  async (how) => {
    const drips = new Set<NodeJS.Timeout>();
    const sockets = new Set<Socket>();
    const slow = createTcpServer((socket) => {
      sockets.add(socket.on("error", () => undefined));
      if (how === "silence") return;
      socket.write("HTTP/1.1 200 OK\r\n");
      if (how === "a slow drip") socket.write("Content-Length: 900\r\n\r\n");
      const text = how === "a slow drip" ? "x" : "X-More: 1\r\n";
      drips.add(setInterval(() => socket.write(text), 20));
    });
    await once(slow.listen(0, "127.0.0.1"), "listening");
    const address = slow.address() as AddressInfo;
    await expect(
      read(`http://127.0.0.1:${address.port}/`, { timeoutMilliseconds: 200 }),
    ).rejects.toMatchObject({ fault: "timeout" });
    for (const drip of drips) clearInterval(drip);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => slow.close(resolve));
  },
);

test("a name server that does not answer counts against the time, too", async () => {
  dns.misbehave("slow.example.com", "silent");
  await expect(
    read("http://slow.example.com/", { timeoutMilliseconds: 200 }),
  ).rejects.toMatchObject({ fault: "timeout" });
  dns.misbehave("slow.example.com", null);
});

test("a temporary DNS failure is no refusal", async () => {
  dns.misbehave("ill.example.com", "SERVFAIL");
  await expect(read("http://ill.example.com/")).rejects.toMatchObject({ fault: "unreachable" });
  dns.misbehave("ill.example.com", null);
});

test("a body that is cut off is not whole", async () => {
  answer = (request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("half", () => request.socket.destroy());
  };
  await expect(read(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ fault: "broken" });
});

test("a closed port and a cancelled call say so without addresses", async () => {
  const free = createTcpServer();
  await once(free.listen(0, "127.0.0.1"), "listening");
  const closed = (free.address() as AddressInfo).port;
  await new Promise((resolve) => free.close(resolve));
  await expect(read(`http://127.0.0.1:${closed}/`)).rejects.toMatchObject({
    fault: "unreachable",
    message: "The server could not be reached.",
  });
  const abort = new AbortController();
  answer = () => abort.abort();
  await expect(read(`http://127.0.0.1:${port}/`, { signal: abort.signal })).rejects.toMatchObject({
    fault: "broken",
    message: "The call was cancelled.",
  });
});

describe("kept connections", () => {
  const kept = keepConnections();
  afterAll(() => kept.close());

  test("serve the next call to the same host, look-up included", async () => {
    dns.addresses("kept.example.com", "127.0.0.1");
    for (let call = 0; call < 3; call++) {
      const { text } = await read(`http://kept.example.com:${port}/`, { connections: kept });
      expect(text).toBe("fine");
    }
    expect(connections).toBe(1);
    const asked = dns.questions.length;
    await read(`http://kept.example.com:${port}/`, { connections: kept });
    expect(dns.questions).toHaveLength(asked);
  });

  test("one that the server has closed is replaced without a fault", async () => {
    answer = (request, response) => {
      // Announces that it stays, and goes.
      response.once("finish", () => setImmediate(() => request.socket.resetAndDestroy()));
      response.end("gone");
    };
    for (let call = 0; call < 5; call++) {
      const { text } = await read(`http://127.0.0.1:${port}/`, { connections: kept });
      expect(text).toBe("gone");
    }
  });

  test("lead to public servers only, by name and by address", async () => {
    settings({ ALLOW_PRIVATE_ADDRESSES: "0" });
    dns.addresses("inner.example.com", "127.0.0.1");
    for (const host of ["inner.example.com", "127.0.0.1", "[::1]", "localhost"]) {
      await expect(read(`http://${host}:${port}/`, { connections: kept })).rejects.toMatchObject({
        fault: "refused",
      });
    }
    expect(connections).toBe(0);
  });
});
