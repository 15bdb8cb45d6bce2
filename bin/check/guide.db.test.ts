import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "@/bin/start/root";
import { close, listen } from "@/bin/web/listen";
import { startWebServer } from "@/bin/web/test-server";
import { useTestDatabase } from "@/db/testing";
import { relayCertificate } from "@/lib/doors/smtp/certificate";
import { startRelay } from "@/lib/doors/smtp/relay/relay-server";
import type { Listening } from "@/lib/doors/smtp/server";
import { signatureHeaders } from "@/lib/engine/webhooks/sign";
import { makeProject } from "@/lib/testing";

/* Every example of docs/guide is run as it stands there, against the product's own servers. */

const database = useTestDatabase();
const guide = join(root, "docs/guide");
const scratch = mkdtempSync(join(tmpdir(), "lettermill-guide-"));
let server: Server;
let relay: Listening;
let plunk: Server;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  const { apiKey } = await makeProject(database.db);
  const web = await startWebServer();
  server = web.server;
  relay = await startRelay({
    db: database.db,
    host: "127.0.0.1",
    port: 0,
    hostname: "localhost",
    certificate: await relayCertificate(database.db),
    plaintextAuth: false,
  });
  // Plunk's API as its documentation has it: pages of contacts, each with the cursor of the next.
  plunk = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://plunk");
    const isKnown = request.headers.authorization === "Bearer sk_plunk" && pathname === "/contacts";
    const first = searchParams.get("cursor") === null;
    const people = first
      ? [{ email: "moved@example.com", subscribed: true, data: { firstName: "Ada", plan: "pro" } }]
      : [{ email: "left@example.com", subscribed: false, data: null }];
    const page = { data: people, total: 2, hasMore: first, ...(first ? { cursor: "id1" } : {}) };
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isKnown ? page : { error: "Unauthorized" }));
  });
  const plunkPort = await listen(plunk, 0, "127.0.0.1");
  environment = {
    ...process.env,
    LETTERMILL_URL: web.origin,
    LETTERMILL_KEY: apiKey,
    LETTERMILL_SMTP: `127.0.0.1:${relay.port}`,
    PLUNK_URL: `http://127.0.0.1:${plunkPort}`,
    PLUNK_KEY: "sk_plunk",
  };
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await relay.close();
  await close(server);
  await close(plunk);
});

interface Example {
  name: string;
  language: string;
  code: string;
}
const examples = readdirSync(guide).flatMap((file): Example[] =>
  [...readFileSync(join(guide, file), "utf8").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", code = ""], index) => ({ name: `${file} ${index + 1}`, language, code }),
  ),
);

const interpreters: Record<string, { extension: string; command: string[] }> = {
  sh: { extension: "sh", command: ["/bin/sh", "-e"] },
  ts: { extension: "mts", command: [process.execPath] },
  python: { extension: "py", command: ["python3"] },
  php: { extension: "php", command: ["php"] },
};

const present = (program: string) => spawnSync(program, ["--version"]).status === 0;
/** Not on every machine; the others are needed by the product itself, or by its tests. */
const missing = new Set(["python3", "php", "curl"].filter((program) => !present(program)));
const runsHere = ({ language, code }: Example) =>
  !missing.has(interpreters[language]?.command[0] ?? "") &&
  !(missing.has("curl") && code.includes("curl"));

async function runExample(
  { language, code }: Example,
  more = "",
): Promise<{ code: number | null; said: string }> {
  const interpreter = interpreters[language];
  if (!interpreter) throw new Error(`Nobody here runs ${language}.`);
  const file = join(scratch, `example.${interpreter.extension}`);
  writeFileSync(file, `${code}\n${more}`);
  const [program = "", ...args] = interpreter.command;
  // Some write files.
  const child = spawn(program, [...args, file], { env: environment, cwd: scratch });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  }
  const ended = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code: ended, said };
}

const runnable = examples.filter(({ language }) => language !== "text");

test("each guide has examples, in every language it promises", () => {
  expect(new Set(runnable.map(({ language }) => language))).toEqual(
    new Set(Object.keys(interpreters)),
  );
  expect(runnable.length).toBeGreaterThanOrEqual(14);
});

describe("an example runs as it stands in", () => {
  for (const example of runnable) {
    test.skipIf(!runsHere(example))(
      example.name,
      async () => {
        const { code, said } = await runExample(example);
        expect(said + `\ncode ${code}`).toMatch(/\ncode 0$/);
        expect(said).not.toMatch(/"error"|undefined/);
      },
      60_000,
    );
  }
});

test("who has moved from Plunk is here, and is subscribed only if they were there", async () => {
  const ask = async (email: string) => {
    const headers = { authorization: `Bearer ${environment["LETTERMILL_KEY"]}` };
    const answer = await fetch(`${environment["LETTERMILL_URL"]}/v1/contacts/${email}`, {
      headers,
    });
    return (await answer.json()) as unknown;
  };
  const moving = runnable.find(({ code }) => code.includes("PLUNK_URL")) as Example;
  expect((await runExample(moving)).said).toBe("2 people\n");
  expect(await ask("moved@example.com")).toMatchObject({
    ...{ firstName: "Ada", subscribed: true, data: { plan: "pro" } },
  });
  expect(await ask("left@example.com")).toMatchObject({ subscribed: false });
});

describe("the verification of webhooks", () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const body = JSON.stringify({ type: "email.delivered", data: { id: "em_x", subject: "Grüße" } });
  const now = Math.floor(Date.now() / 1000);
  const genuine = signatureHeaders({ id: "msg_1", timestamp: now, body, secret });
  const cases: [string, Record<string, string>, string, boolean][] = [
    ["what we sign", genuine, body, true],
    ["another body", genuine, `${body} `, false],
    [
      "another secret's",
      signatureHeaders({ id: "msg_1", timestamp: now, body, secret: "whsec_AAAA" }),
      body,
      false,
    ],
    [
      "what is old",
      signatureHeaders({ id: "msg_1", timestamp: now - 3_600, body, secret }),
      body,
      false,
    ],
    ["an empty signature", { ...genuine, "webhook-signature": "v1," }, body, false],
  ];
  const verifying = (language: string) =>
    runnable.find((example) => example.language === language && /is_?genuine/i.test(example.code));

  test.each(cases)("in TypeScript judges %s", async (_, headers, text, expected) => {
    const call = `console.log(isGenuine(${JSON.stringify(headers)}, ${JSON.stringify(text)}, ${JSON.stringify(secret)}));`;
    const { said } = await runExample(verifying("ts") as Example, call);
    expect(said.trim()).toBe(String(expected));
  });

  test.skipIf(missing.has("python3")).each(cases)(
    "in Python judges %s",
    async (_, headers, text, expected) => {
      const call = `print(is_genuine(${JSON.stringify(headers)}, ${JSON.stringify(text)}.encode(), ${JSON.stringify(secret)}))`;
      const { said } = await runExample(verifying("python") as Example, call);
      expect(said.trim().toLowerCase()).toBe(String(expected));
    },
  );

  test.skipIf(missing.has("php")).each(cases)(
    "in PHP judges %s",
    async (_, headers, text, expected) => {
      const given = [headers, text, secret].map(
        (value) => `json_decode('${JSON.stringify(value).replace(/[\\']/g, "\\$&")}', true)`,
      );
      const call = `echo json_encode(is_genuine(${given.join(", ")}));`;
      const { said } = await runExample(verifying("php") as Example, call);
      expect(said.trim()).toBe(String(expected));
    },
  );
});
