import type { Server } from "node:http";
import { listenFault } from "@/bin/start/ports";

/** How long requests in progress may take to finish when the server stops. */
const drainMilliseconds = 10_000;

/**
 * Starts listening and returns the port. Throws a Fault when the port cannot be bound. `shared`: other
 * processes of this user listen there too, and the system spreads connections evenly over them.
 */
export async function listen(
  server: Server,
  port: number,
  host: string,
  { shared = false }: { shared?: boolean } = {},
): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host, backlog: 1024, reusePort: shared }, resolve);
    });
  } catch (error) {
    throw listenFault(error, host, port, "PORT");
  }
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : port;
}

/** Takes no more connections, gives requests in progress 10 s to finish, then closes what is left. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Clients keep their connections after the last answer, which would keep the server from closing.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), drainMilliseconds);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
