import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Database } from "@/db/client";
import { createMcpApp } from "@/lib/doors/http/mcp/app";
import { env } from "@/lib/ground/env/env";

/** The official client at a tool server in this process, with an API key. */
export async function connectTools(db: () => Database, apiKey: string): Promise<Client> {
  const app = createMcpApp(db);
  const address = new URL("/mcp", env().APP_URL);
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${apiKey}`, host: address.host };
  await client.connect(
    new StreamableHTTPClientTransport(address, {
      fetch: (url, init) => Promise.resolve(app.fetch(new Request(url, init))),
      requestInit: { headers },
    }),
  );
  return client;
}
