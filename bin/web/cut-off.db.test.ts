import { mkdtempSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contactImports, contacts, files } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { fileStore } from "@/lib/domain/files/store";
import { env, reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie } from "@/lib/testing";
import { platformToken } from "@/lib/testing/platform";
import { until } from "@/lib/testing/until";
import { close, listen } from "./listen";
import { createWebServer } from "./server";

/*
 * Requests whose body ends too early, byte by byte over a socket, against the server that `npm run web`
 * starts: vitest fails the run for an exception that nobody caught.
 */
const database = useTestDatabase();
/** Half a second for all of a body, and any pace within it. */
const bodyPace = { freeMilliseconds: 500, leastPerSecond: 1, wholeMilliseconds: 500 };
let server: Server;
let port: number;
let paths: { bearer: Headers; session: Headers; dashboard: string; platform: string };
type Headers = Record<string, string>;

const options = {
  pages: (_: unknown, response: ServerResponse) => {
    response.end("a page");
    return Promise.resolve();
  },
  dev: false,
  signal: new AbortController().signal,
};

beforeAll(async () => {
  process.env["DATA_DIR"] = mkdtempSync(join(tmpdir(), "lettermill-cut-off-"));
  reloadEnv();
  const project = await makeProject(database.db);
  const cookie = await sessionCookie(database.db, project.userId);
  paths = {
    bearer: { authorization: `Bearer ${project.apiKey}` },
    session: { cookie, origin: env().APP_URL },
    dashboard: `/api/dashboard/${encodeId("project", project.projectId)}`,
    platform: `/api/v1/file/upload?api_token=${await platformToken(project)}`,
  };
  server = createWebServer({ ...options, bodyPace });
  port = await listen(server, 0, "127.0.0.1");
});
afterAll(() => close(server));

interface Cut {
  path: string;
  headers: Headers;
  /** What arrives of the body. */
  body: string;
}

/** How the body's length is announced: as what arrives, as more than that, or by chunks of which the last is missing. */
type Framing = "as it is" | "longer" | "chunked";

/**
 * Sends a request as it is and ends the sending side where more was announced; resolves to all that comes
 * back. `vanish`: the connection is reset instead.
 */
function send({ path, headers, body }: Cut, framing: Framing, { vanish = false } = {}) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => (answer += text));
    socket.once("error", reject);
    socket.once("close", () => resolve(answer));
    socket.once("end", () => socket.end());
    const length = Buffer.byteLength(body);
    const lines = Object.entries({
      host: `127.0.0.1:${port}`,
      connection: "close",
      ...(framing === "chunked"
        ? { "transfer-encoding": "chunked" }
        : { "content-length": String(framing === "longer" ? length + 1000 : length) }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    const content = framing === "chunked" ? `${length.toString(16)}\r\n${body}\r\n` : body;
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${content}`, () => {
      if (vanish) socket.resetAndDestroy();
      else if (framing !== "as it is") socket.end();
    });
  });
}

const form = "multipart/form-data; boundary=x";
const part = (type: string, content: string) =>
  `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: ${type}\r\n\r\n${content}`;
const csvPart = part("text/csv", `email\r\n${"ada@example.com\r\n".repeat(5000)}`);
const picturePart = part("image/png", "\x89PNG".padEnd(70_000, "x"));

const forms: [name: string, of: () => Cut][] = [
  [
    "a form with an import",
    () => ({
      path: "/v1/contacts/import",
      headers: { ...paths.bearer, "content-type": form },
      body: csvPart,
    }),
  ],
  [
    "a form with an import, in the dashboard",
    () => ({
      path: `${paths.dashboard}/contacts/import`,
      headers: { ...paths.session, "content-type": form },
      body: csvPart,
    }),
  ],
  [
    "a form with a picture, in the dashboard",
    () => ({
      path: `${paths.dashboard}/files`,
      headers: { ...paths.session, "content-type": form },
      body: picturePart,
    }),
  ],
  [
    "a form with a picture, on the platform",
    () => ({ path: paths.platform, headers: { "content-type": form }, body: picturePart }),
  ],
];

const plain: typeof forms = [
  [
    "an import",
    () => ({
      path: "/v1/contacts/import",
      headers: { ...paths.bearer, "content-type": "text/csv" },
      body: "email\r\nada@example.com\r\n",
    }),
  ],
  [
    "a picture, in the dashboard",
    () => ({
      path: `${paths.dashboard}/files?filename=a.png`,
      headers: { ...paths.session, "content-type": "application/octet-stream" },
      body: "\x89PNG".padEnd(70_000, "x"),
    }),
  ],
  [
    "JSON",
    () => ({
      path: "/v1/contacts",
      headers: { ...paths.bearer, "content-type": "application/json" },
      body: '{"email":"ada@example.com"',
    }),
  ],
  [
    "JSON, in the dashboard",
    () => ({
      path: `${paths.dashboard}/contacts`,
      headers: { ...paths.session, "content-type": "application/json" },
      body: '{"email":"ada@example.com"',
    }),
  ],
  [
    "JSON, on the platform",
    () => ({
      path: paths.platform,
      headers: { "content-type": "application/json" },
      body: '{"files":[{"url":"https://example.com/',
    }),
  ],
];

async function nothingLeft(): Promise<void> {
  await until(
    async () => {
      const tables = [contacts, contactImports, files];
      const counts = await Promise.all(tables.map((table) => database.db.$count(table)));
      const staged = await readdir(fileStore().stagingFolder).catch(() => []);
      return counts.every((count) => count === 0) && staged.length === 0;
    },
    { what: "no row and no file of the request" },
  );
}

describe("a body that ends too early", () => {
  test.each(forms)("%s that ends inside the file is 400 and says so", async (_name, cut) => {
    const answer = await send(cut(), "as it is");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("incomplete");
    await nothingLeft();
  });

  describe.each<Framing>(["longer", "chunked"])("announced as %s", (framing) => {
    test.each([...forms, ...plain])("%s is 400 and leaves nothing", async (_name, cut) => {
      expect(await send(cut(), framing)).toMatch(/^HTTP\/1\.1 400 /);
      await nothingLeft();
    });

    test.each([...forms, ...plain])(
      "%s leaves nothing when its sender vanishes",
      async (_name, cut) => {
        await send(cut(), framing, { vanish: true });
        await nothingLeft();
        const alive = await fetch(`http://127.0.0.1:${port}/v1/openapi.json`);
        await alive.body?.cancel();
        expect(alive.status).toBe(200);
      },
    );
  });
});

/** Sends the head and a first part, and the rest once it is told to finish; resolves to all that comes back. */
function trickle({ path, headers, body }: Cut, toPort = port) {
  const socket = connect({ port: toPort, host: "127.0.0.1" });
  const head = Object.entries({ ...headers, host: "localhost", "transfer-encoding": "chunked" });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const half = Math.ceil(body.length / 2);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines}\r\n${chunk(body.slice(0, half))}`);
  let answer = "";
  const answered = new Promise<string>((resolve) => {
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
      // What keeps the connection open says how long the answer is; the others close it.
      if (answer.includes("imp_")) socket.end();
    });
    socket.on("error", () => {}).on("close", () => resolve(answer));
  });
  return {
    answered,
    more: (text: string) => socket.write(chunk(text)),
    finish: () => socket.write(`${chunk(body.slice(half))}0\r\n\r\n`),
  };
}

describe("a body that takes too long", () => {
  const mail = JSON.stringify({
    to: "a@sandbox.test",
    from: "a@sandbox.test",
    subject: "x",
    body: "y",
  });

  test("is 408, whichever operation it is for, and nothing of it is done", async () => {
    const json = { "content-type": "application/json" };
    for (const cut of [
      { path: "/v1/send", headers: { ...paths.bearer, ...json }, body: mail },
      { path: "/mcp", headers: { ...paths.bearer, ...json }, body: "{}" },
      { path: paths.platform, headers: json, body: '{"files":[]}' },
    ]) {
      expect(await trickle(cut).answered).toMatch(/^HTTP\/1\.1 408 /);
    }
    await nothingLeft();
  });

  test("is no matter to an upload, which has an hour, nor to Node's own limit", async () => {
    const headers = { ...paths.bearer, "content-type": "text/csv" };
    const slow = { path: "/v1/send", headers: paths.bearer, body: mail };
    const upload = trickle({ path: "/contacts/import", headers, body: "email\nslow@example.com" });
    // By the time this one is refused, the upload is as old.
    expect(await trickle(slow).answered).toMatch(/^HTTP\/1\.1 408 /);
    upload.finish();
    expect(await upload.answered).toMatch(/^HTTP\/1\.1 202 /);
    expect(server.requestTimeout).toBeGreaterThan(60 * 60_000);
  });
});

describe("a body that trickles in", () => {
  const strict = createWebServer({
    ...options,
    bodyPace: { freeMilliseconds: 400, leastPerSecond: 2_000, wholeMilliseconds: 60_000 },
  });
  let strictPort = 0;
  beforeAll(async () => {
    strictPort = await listen(strict, 0, "127.0.0.1");
  });
  afterAll(() => close(strict));
  const json = { "content-type": "application/json" };
  const urlencoded = { "content-type": "application/x-www-form-urlencoded" };

  /** Goes on with so many blanks every 50 ms for two seconds, then ends the body; resolves to the answer. */
  async function goOn(cut: Cut, blanks: number) {
    const began = performance.now();
    const { answered, more, finish } = trickle(cut, strictPort);
    const timer = setInterval(() => more(" ".repeat(blanks)), 50);
    const past = () => performance.now() - began;
    let isOver = false;
    const end = until(() => isOver || past() > 2_000).then(() => {
      clearInterval(timer);
      finish();
    });
    const answer = await answered;
    isOver = true;
    await end;
    return answer;
  }

  test.each<[string, () => Cut]>([
    ["a send", () => ({ path: "/v1/send", headers: { ...paths.bearer, ...json }, body: "{  }" })],
    [
      "a change in the dashboard",
      () => ({
        path: `${paths.dashboard}/contacts`,
        headers: { ...paths.session, ...json },
        body: "{  }",
      }),
    ],
    ["a request on the platform", () => ({ path: paths.platform, headers: json, body: "{  }" })],
    [
      "a form on the platform",
      () => ({ path: paths.platform, headers: { "content-type": form }, body: "--x " }),
    ],
    [
      "a send with Resend's client",
      () => ({ path: "/resend/emails", headers: { ...paths.bearer, ...json }, body: "{  }" }),
    ],
    ["a tool call", () => ({ path: "/mcp", headers: { ...paths.bearer, ...json }, body: "{  }" })],
    ["a sign-up form", () => ({ path: "/f/frm_1", headers: urlencoded, body: "a=  " })],
    ["a reader's form", () => ({ path: "/t/preferences/x", headers: urlencoded, body: "a=  " })],
    ["an opt-out", () => ({ path: "/t/u/x", headers: urlencoded, body: "a=  " })],
    ["a token request", () => ({ path: "/oauth/token", headers: urlencoded, body: "a=  " })],
  ])("%s is 408 and says so", async (_what, cut) => {
    expect(await goOn(cut(), 1)).toMatch(/^HTTP\/1\.1 408 .*too slowly/s);
  });

  test("and keeps the pace is answered", async () => {
    const cut = { path: "/v1/send", headers: { ...paths.bearer, ...json }, body: "{  }" };
    const answer = await goOn({ ...cut, headers: { ...cut.headers, connection: "close" } }, 400);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*VALIDATION_ERROR/s);
  });

  test("is no matter to an upload", async () => {
    const headers = { ...paths.bearer, "content-type": "text/csv" };
    const cut = { path: "/contacts/import", headers, body: "email\nslow@example.com" };
    const answer = await goOn(cut, 1);
    expect(answer).toMatch(/^HTTP\/1\.1 202 /);
  });
});

describe("a body whose length is not declared", () => {
  // What waits is not read meanwhile, which takes longer than the other server allows.
  const patient = createWebServer(options);
  let patientPort = 0;
  beforeAll(async () => {
    patientPort = await listen(patient, 0, "127.0.0.1");
  });
  afterAll(() => close(patient));

  /** A send whose body is no JSON; seconds until it is answered. */
  async function seconds(apiKey: string, bytes: number, declared: boolean): Promise<number> {
    const body = new Uint8Array(bytes).fill(0x20);
    const started = performance.now();
    const response = await fetch(`http://127.0.0.1:${patientPort}/v1/send`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: declared ? body : new Blob([body]).stream(),
      // Node wants it beside a stream.
      ...{ duplex: "half" },
    });
    expect(response.status).toBe(400);
    return (performance.now() - started) / 1_000;
  }

  test("counts as what has arrived: small ones do not wait, large ones hold up the next", async () => {
    const [small, large] = [await makeProject(database.db), await makeProject(database.db)];
    let longest = 0;
    for (let n = 0; n < 5; n++) longest = Math.max(longest, await seconds(small.apiKey, 20, false));
    // Five of 40 MB, as large as they might have been, would take ten seconds.
    expect(longest).toBeLessThan(1);
    // 70,000,000 bytes, of which 48 MB pass at once and the rest at 16 MB a second, however fast they come.
    const started = performance.now();
    for (let n = 0; n < 2; n++) await seconds(large.apiKey, 30_000_000, false);
    await seconds(large.apiKey, 10_000_000, true);
    const least = (70_000_000 - 48 * 1024 * 1024) / (16 * 1024 * 1024);
    expect((performance.now() - started) / 1_000).toBeGreaterThan(least);
  });
});
