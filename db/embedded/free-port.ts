import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the range that Linux, macOS and Windows take for outgoing connections unless told otherwise. */
const listeningPorts = { first: 10_000, last: 32_767 } as const;

async function canBeBound(port: number): Promise<boolean> {
  const server = createServer();
  const bound = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (bound) await new Promise((resolve) => server.close(resolve));
  return bound;
}

/** Given to somebody of this process, who may not listen there yet. */
const given = new Set<number>();

/**
 * A loopback port that was free a moment ago, never the same twice and none of `reserved`, where somebody is going to
 * listen. The system's own choice would come from the range of outgoing connections, one of which could take it
 * before whoever asked listens there.
 */
export async function freePort(reserved: readonly (number | undefined)[] = []): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(listeningPorts.first, listeningPorts.last + 1);
    if (given.has(port) || reserved.includes(port) || !(await canBeBound(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error("No free port was found.");
}
