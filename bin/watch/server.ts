import { createServer, type Server } from "node:http";
import { env } from "@/lib/ground/env/env";
import { metrics } from "@/lib/ground/metrics/metrics";
import { listenFault } from "@/bin/start/ports";
import { registerBacklogGauges, registerProcessGauges } from "./gauges";
import { answerHealth } from "./health";

/**
 * The port for monitoring a program: `/healthz`, `/readyz` and `/metrics`. It asks for no credential, so it
 * is a separate port, on loopback unless METRICS_HOST says otherwise.
 */
function createWatchServer(): Server {
  return createServer((request, response) => {
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    const answer = async () => {
      if (await answerHealth(request, response, path)) return;
      if (path !== "/metrics") {
        response.writeHead(404, { "content-type": "text/plain" });
        response.end("There are /healthz, /readyz and /metrics here.\n");
      } else if (request.method !== "GET" && request.method !== "HEAD") {
        response.writeHead(405, { allow: "GET, HEAD" }).end();
      } else {
        const text = await metrics.registry.metrics();
        response.writeHead(200, {
          "content-type": metrics.registry.contentType,
          "cache-control": "no-store",
        });
        response.end(request.method === "HEAD" ? undefined : text);
      }
    };
    answer().catch(() => {
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    });
  });
}

interface Watch {
  /** Where it listens: host and port. */
  at: string;
  stop(): Promise<void>;
}

/** Opens METRICS_PORT for a program; null where none is set. Throws a Fault when it cannot be bound. */
export async function startWatch(program: string): Promise<Watch | null> {
  const { METRICS_PORT: port, METRICS_HOST: host } = env();
  if (port === undefined) return null;
  registerProcessGauges(program);
  if (program === "worker") registerBacklogGauges();
  const server = createWatchServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    throw listenFault(error, host, port, "METRICS_PORT");
  }
  const address = server.address();
  const bound = address !== null && typeof address === "object" ? address.port : port;
  return {
    at: `${host}:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
