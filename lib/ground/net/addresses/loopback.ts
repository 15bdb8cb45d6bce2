import { isIP } from "node:net";

/** Whether a host name or an address, IPv6 with or without brackets, is this machine's own. */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (bare === "localhost" || bare.endsWith(".localhost") || bare === "::1") return true;
  // A socket that listens on IPv4 and IPv6 at once gives IPv4 addresses in their mapped form.
  const address = bare.replace(/^::ffff:/, "");
  return isIP(address) === 4 && address.startsWith("127.");
}
