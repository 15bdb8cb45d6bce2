import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressFiles } from "@/bin/start/compress";
import { staticFiles } from "./static-files";

const script = `const tea = ${JSON.stringify("oolong ".repeat(1000))};`;
const small = "const tea = 1;";
let root: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "lettermill-static-"));
  const chunks = join(root, ".next", "static", "chunks");
  await mkdir(chunks, { recursive: true });
  await writeFile(join(chunks, "large.js"), script);
  await writeFile(join(chunks, "small.js"), small);
  await writeFile(join(chunks, "font.woff2"), script);
  await writeFile(join(root, ".next", "BUILD_ID"), "a build");
  await compressFiles(join(root, ".next", "static"));
  const answer = staticFiles(root);
  server = createServer((request, response) => {
    void answer(request, response, request.url!).then((answered) => {
      if (!answered) response.writeHead(404).end(request.url);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_next/static/chunks`;
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true });
});

const get = (name: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${origin}/${name}`, { method, headers });

test("a script comes as small as the browser takes it, to be kept for good", async () => {
  for (const [accepted, encoding] of [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["identity", null],
  ]) {
    const answer = await get("large.js", { "accept-encoding": accepted! });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(await answer.text()).toBe(script);
    if (!encoding) continue;
    expect(Number(answer.headers.get("content-length"))).toBeLessThan(200);
  }
});

test("what is small, or compressed as it is, comes as it lies there", async () => {
  for (const [name, content] of [
    ["small.js", small],
    ["font.woff2", script],
  ] as const) {
    const answer = await get(name, { "accept-encoding": "gzip, br" });
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(await answer.text()).toBe(content);
  }
});

test("methods other than GET and HEAD, and what is not there, are left to Next", async () => {
  const head = await get("large.js", { "accept-encoding": "gzip" }, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const [name, method] of [
    ["none.js", "GET"],
    ["../../BUILD_ID", "GET"],
    ["%2e%2e/%2e%2e/BUILD_ID", "GET"],
    ["..%2f..%2fBUILD_ID", "GET"],
    ["%zz.js", "GET"],
    ["", "GET"],
    ["large.js", "POST"],
  ] as const) {
    expect((await get(name, {}, method)).status, `${method} ${name}`).toBe(404);
  }
  expect(await (await get("none.js")).text()).toBe("/_next/static/chunks/none.js");
});

test("a part that makes no sense is refused", async () => {
  const part = await get("small.js", { range: "bytes=0-4" });
  expect([part.status, await part.text()]).toEqual([206, "const"]);
  expect((await get("small.js", { range: "bytes=9-2" })).status).toBe(416);
});
