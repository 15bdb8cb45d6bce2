import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { replaceEndpoint, type ProviderEndpoint } from "@/lib/ground/net/provider-endpoints";

export interface ProviderCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface ProviderAnswer {
  status: number;
  headers?: Record<string, string>;
  json?: unknown;
  /** Instead of JSON. */
  text?: string;
}

export interface ProviderServer {
  calls: ProviderCall[];
  /** undefined: the connection is cut without an answer. */
  answer: (call: ProviderCall) => ProviderAnswer | undefined;
  stop(): Promise<void>;
}

/** A real HTTP server on loopback that stands in for a provider's API. */
export async function startProviderServer(
  endpoint: ProviderEndpoint,
  answer: ProviderServer["answer"],
): Promise<ProviderServer> {
  const provider: ProviderServer = { calls: [], answer, stop: () => Promise.resolve() };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const call = { method, path, headers, body: Buffer.concat(chunks) };
      provider.calls.push(call);
      const answered = provider.answer(call);
      if (!answered) return request.socket.destroy();
      response.writeHead(answered.status, {
        "content-type": "application/json",
        ...answered.headers,
      });
      const { json, text = json === undefined ? "" : JSON.stringify(json) } = answered;
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  replaceEndpoint(endpoint, `http://127.0.0.1:${port}`);
  provider.stop = async () => {
    replaceEndpoint(endpoint, null);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return provider;
}
