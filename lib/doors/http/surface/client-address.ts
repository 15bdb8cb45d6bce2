import { BlockList, isIP } from "node:net";
import type { IncomingMessage } from "node:http";
import { env } from "@/lib/ground/env/env";

/** What @hono/node-server passes along with a request; absent where Next mounts the surface. */
export interface NodeBindings {
  incoming?: IncomingMessage;
  /** The project (uuid) whose domain's host the request names: no other project's is served. */
  hostProjectId?: string;
}

let trusted: { source: string; list: BlockList } | undefined;

function trustedProxies(): BlockList {
  const source = env().TRUSTED_PROXIES.join();
  if (trusted?.source !== source) {
    const list = new BlockList();
    for (const entry of env().TRUSTED_PROXIES) {
      const [address = "", bits] = entry.split("/");
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    }
    trusted = { source, list };
  }
  return trusted.list;
}

/** Whether an address is one of TRUSTED_PROXIES. */
export function isTrusted(address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  const family = isIP(plain);
  return family !== 0 && trustedProxies().check(plain, family === 6 ? "ipv6" : "ipv4");
}

/**
 * The caller's address: the socket's, or, when that is one of TRUSTED_PROXIES, the nearest address in
 * X-Forwarded-For that is not. Where Next mounts the surface, the platform's last X-Forwarded-For entry.
 */
export function clientAddress(request: Request, bindings?: NodeBindings): string {
  const forwarded = (request.headers.get("x-forwarded-for") ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  const socket = bindings?.incoming?.socket.remoteAddress;
  if (socket === undefined) return forwarded.at(-1) ?? "unknown";
  if (!isTrusted(socket)) return socket;
  return forwarded.findLast((address) => !isTrusted(address)) ?? socket;
}
