import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { sql } from "drizzle-orm";
import { freePort } from "@/db/embedded/free-port";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import type { BenchRow } from "./row";
import { startStand, untilReady } from "./stand";

const warmUps = 100;
const requests = 500;
const clients = 32;
const callsOfEach = 20;

const initialize = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};

/** The tool server: how soon it answers assistants' first requests, and many assistants at once. */
export async function run(): Promise<BenchRow[]> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const stand = await startStand({ APP_URL: url });
  try {
    const { apiKey } = await bootstrap(stand.db, { email: "owner@example.com" });
    await stand.db.execute(sql`
      update projects set sends_per_minute = 100000000, requests_per_ten_seconds = 100000000`);
    await untilReady(stand.run("bench/web.ts", [], { PORT: String(port), NODE_ENV: "production" }));
    const headers = { authorization: `Bearer ${apiKey}` };

    const median = async (message: object): Promise<number> => {
      const times: number[] = [];
      for (let n = 0; n < warmUps + requests; n++) {
        const began = performance.now();
        const answer = await fetch(`${url}/mcp`, {
          method: "POST",
          headers: {
            ...headers,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
          body: JSON.stringify({ jsonrpc: "2.0", id: n, ...message }),
        });
        const text = await answer.text();
        if (!text.includes('"result"')) throw new Error(`${answer.status}: ${text}`);
        if (n >= warmUps) times.push(performance.now() - began);
      }
      return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity;
    };

    const oneClient = async (_: unknown, index: number): Promise<number> => {
      const client = new Client({ name: `bench ${index}`, version: "1" });
      const requestInit = { headers };
      await client.connect(
        new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit }),
      );
      let mistakes = (await client.listTools()).tools.length === 17 ? 0 : 1;
      for (let n = 0; n < callsOfEach; n++) {
        const email = `person${index}-${n}@example.com`;
        const result = await client.callTool({ name: "create_contact", arguments: { email } });
        const { email: answered } = (result.structuredContent ?? {}) as { email?: string };
        if (result.isError || answered !== email) mistakes++;
      }
      await client.close();
      return mistakes;
    };

    const [first, listing] = [await median(initialize), await median({ method: "tools/list" })];
    const began = performance.now();
    const mistakes = await Promise.all(Array.from({ length: clients }, oneClient));
    const seconds = (performance.now() - began) / 1000;
    const row = (
      what: string,
      unit: string,
      figure: number,
      goal?: BenchRow["goal"],
    ): BenchRow => ({
      ...{ what: `tools, ${what}`, unit, figure, floor: null, ratio: null },
      ...(goal && { goal }),
    });
    return [
      row("initialize, the median", "ms", first, { most: 5 }),
      row("tools/list, the median", "ms", listing, { most: 5 }),
      row(
        `mistakes of ${clients} clients at once, ${callsOfEach} calls each`,
        "mistakes",
        mistakes.reduce((sum, count) => sum + count, 0),
        { most: 0 },
      ),
      row("calls of the same clients", "calls/s", (clients * callsOfEach) / seconds),
    ];
  } finally {
    await stand.stop();
  }
}
