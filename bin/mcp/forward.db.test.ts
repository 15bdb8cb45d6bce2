import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "@/bin/start/root";
import { useTestDatabase } from "@/db/testing";
import { createMcpApp } from "@/lib/doors/http/mcp/app";
import { makeProject, type TestProject } from "@/lib/testing";

const database = useTestDatabase();
const app = createMcpApp(() => database.db);
let server: Server;
let base: string;
let project: TestProject;

beforeAll(async () => {
  project = await makeProject(database.db);
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    overrideGlobalObjects: false,
  });
  server = createServer((request, response) => void listener(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const program = ["--import", "tsx", "bin/mcp.ts"];

async function connect(env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: program,
      cwd: root,
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stderr: "ignore",
    }),
  );
  return client;
}

test("an assistant that starts the program lists and calls tools", async () => {
  const client = await connect({ SERVICE_API_KEY: project.apiKey, SERVICE_API_URL: base });
  expect((await client.listTools()).tools).toHaveLength(17);
  const created = await client.callTool({
    name: "create_contact",
    arguments: { email: "stdio@example.com" },
  });
  expect(created.structuredContent).toMatchObject({ email: "stdio@example.com" });
  await client.close();
});

const ask = (id: number, method: string, params: object) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const initialize = ask(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

/** What the program answers when all that it is asked is there at once, and nothing after it. */
async function askAndEnd(env: Record<string, string>, lines: string[]) {
  const child = spawn(process.execPath, program, { cwd: root, env: { ...process.env, ...env } });
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  const [out, said, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  const answers = out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: number; result?: object; error?: object });
  return {
    answers: answers.toSorted((one, other) => one.id - other.id),
    said,
    code: code as number,
  };
}

test("what was asked before the input ended is answered", async () => {
  const call = (id: number) =>
    ask(id, "tools/call", {
      name: "create_contact",
      arguments: { email: `piped-${id}@example.com` },
    });
  const settings = { SERVICE_API_KEY: project.apiKey, SERVICE_API_URL: base };
  const { answers, said, code } = await askAndEnd(settings, [initialize, call(2), call(3)]);
  expect(answers.map(({ id, result }) => [id, Boolean(result)])).toEqual([
    [1, true],
    [2, true],
    [3, true],
  ]);
  expect({ said, code }).toEqual({ said: "", code: 0 });
});

describe("what is wrong is said in a sentence", () => {
  test("a key that is not known", async () => {
    const connecting = connect({ SERVICE_API_KEY: "sk_live_wrong", SERVICE_API_URL: base });
    await expect(connecting).rejects.toThrow(/does not know the key in SERVICE_API_KEY/);
  });

  test("a key that is not known, to who asks and ends", async () => {
    const settings = { SERVICE_API_KEY: "sk_live_wrong", SERVICE_API_URL: base };
    const { answers, said, code } = await askAndEnd(settings, [initialize]);
    const message = expect.stringContaining("does not know the key") as string;
    expect(answers).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32603, message } }]);
    expect(said).toContain("does not know the key in SERVICE_API_KEY");
    expect(code).toBe(0);
  });

  test("nobody at the address", async () => {
    const connecting = connect({
      SERVICE_API_KEY: project.apiKey,
      SERVICE_API_URL: "http://127.0.0.1:9",
    });
    await expect(connecting).rejects.toThrow(/cannot be reached: check SERVICE_API_URL/);
  });

  test.each([
    [{}, "SERVICE_API_KEY is missing"],
    [{ SERVICE_API_KEY: "sk_live_x", SERVICE_API_URL: "nonsense" }, "SERVICE_API_URL is not"],
  ])("%j", async (settings, sentence) => {
    const child = spawn(process.execPath, program, {
      cwd: root,
      env: { ...process.env, ...settings },
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect(code).toBe(1);
    expect(said).toContain(sentence);
  });
});
