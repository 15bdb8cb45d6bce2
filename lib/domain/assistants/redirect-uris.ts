import { isLoopback } from "@/lib/ground/net/addresses/loopback";

const longest = 1000;
/** Schemes of programs that people connect, besides those in the form of RFC 8252 (`com.example.app:`). */
const knownSchemes: ReadonlySet<string> = new Set(["cursor:", "vscode:", "vscode-insiders:"]);

/**
 * Whether a code may be sent to this address: https, http on the reader's own machine, or a program's own
 * scheme. A browser might run anything else (`javascript:`, `data:`) or send it in the clear.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > longest || !/^[\x21-\x7e]+$/.test(text)) return false;
  const url = URL.parse(text);
  // No fragment (RFC 6749, 3.1.2), and no name that looks like a host in front of another one.
  if (!url || text.includes("#") || text.includes("\\") || url.username || url.password) {
    return false;
  }
  if (url.protocol === "https:") return url.hostname !== "";
  if (url.protocol === "http:") return isLoopback(url.hostname);
  return knownSchemes.has(url.protocol) || /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(url.protocol);
}

/**
 * The same address, except for the port on the reader's own machine, which a program picks afresh each time (RFC
 * 8252, 7.3).
 */
function isSame(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const [left, right] = [URL.parse(registered), URL.parse(asked)];
  if (!left || !right || left.protocol !== "http:" || !isLoopback(left.hostname)) return false;
  left.port = right.port;
  return left.href === right.href;
}

/** Whether a client registered this address. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  return isRedirectUri(asked) && registered.some((one) => isSame(one, asked));
}

/** Who gets the code, as a person can check it: a host, or a program's scheme. */
export function redirectHost(uri: string): string {
  const url = new URL(uri);
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol.slice(0, -1);
}
