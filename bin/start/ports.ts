import { createServer } from "node:net";
import { Fault } from "./fault";

/** A Fault for a server that could not listen; other errors unchanged. */
export function listenFault(error: unknown, host: string, port: number, setting: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new Fault(
        `Port ${port} on ${host} is taken by another program: stop it, or set ${setting} to a free port.`,
      );
    case "EACCES":
      return new Fault(
        `Port ${port} is reserved for root: set ${setting} to one above 1023, or start as root.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new Fault(`HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}

/** Makes sure that a port can be listened on; returns it, or a free one for 0. Throws a Fault. */
export async function usablePort(port: number, host: string, setting: string): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    throw listenFault(error, host, port, setting);
  }
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === "object" ? address.port : port;
}
