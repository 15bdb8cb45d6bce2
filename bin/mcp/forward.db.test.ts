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

describe("what is wrong is said in a sentence", () => {
  test("a key that is not known", async () => {
    const connecting = connect({ SERVICE_API_KEY: "sk_live_wrong", SERVICE_API_URL: base });
    await expect(connecting).rejects.toThrow(/does not know the key in SERVICE_API_KEY/);
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
