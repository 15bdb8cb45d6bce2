import { z } from "zod";

const longestAddress = 254;
const longestLocalPart = 64;
// RFC 5321's dot-string, with letters beyond ASCII (RFC 6531); quoted local parts are refused.
const localPart =
  /^[^\s@"(),:;<>[\]\\.\u0000-\u001f\u007f]+(\.[^\s@"(),:;<>[\]\\.\u0000-\u001f\u007f]+)*$/u;
const hostname =
  /^(?=.{1,253}$)([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A domain as an A-label in lower case; null when it is not one, as an IP address is not. */
export function toALabel(domain: string): string | null {
  // URLs have escapes in their hosts, domains have not: another one's mail would go to what they stand for.
  if (domain.includes("%")) return null;
  try {
    const host = new URL(`http://${domain}`).host.toLowerCase();
    return hostname.test(host) && !/^\d+(\.\d+){3}$/.test(host) ? host : null;
  } catch {
    return null;
  }
}

/** The address trimmed, its domain as an A-label; null when it is not an address. */
export function normalizeAddress(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  const local = trimmed.slice(0, at);
  // Otherwise the domain would silently be cut off at a character that ends a URL's host.
  if (at < 1 || /[/?#:\\\s]/.test(trimmed.slice(at))) return null;
  const domain = toALabel(trimmed.slice(at + 1));
  if (!domain || !localPart.test(local)) return null;
  if (new TextEncoder().encode(local).length > longestLocalPart) return null;
  const address = `${local}@${domain}`;
  return address.length <= longestAddress ? address : null;
}

/** The part after the last @, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/**
 * The address as the database's lower() has it, to compare addresses that it is not asked about. Postgres's builtin
 * locales lower code point by code point: no Σ becomes a final ς, and İ becomes i, where JavaScript adds a dot to it.
 * A server with another locale may differ, so a statement's rows are never told apart by this.
 */
export function foldAddress(address: string): string {
  return Array.from(address, (letter) => Array.from(letter.toLowerCase())[0] ?? "").join("");
}

/** A person as mail writes them: `Ada <ada@example.com>`, `"Byron, Ada" <...>` or a bare address. */
export function parseMailbox(text: string): { email: string; name: string } | null {
  const trimmed = text.trim();
  const open = trimmed.endsWith(">") ? trimmed.lastIndexOf("<") : -1;
  const email = normalizeAddress(open === -1 ? text : trimmed.slice(open + 1, -1));
  const name = nameOf(open === -1 ? "" : trimmed.slice(0, open).trim());
  return email === null || name === null ? null : { email, name };
}

/** The name before an address, its quotes taken off; null when it is not one. */
function nameOf(phrase: string): string | null {
  if (!phrase.startsWith('"')) return /["<>@]/.test(phrase) ? null : phrase;
  const quoted = /^"((?:[^"\\]|\\.)*)"$/u.exec(phrase)?.[1];
  return quoted?.replace(/\\(.)/g, "$1").trim() ?? null;
}

/** What a schema says about text that is not an address; an empty field has its own message. */
export const notAnAddress = {
  error: ({ input }: { input?: unknown }) =>
    input === "" ? "is empty" : "is not an email address",
};

/** An address on its own. */
export const emailAddress = z
  .string()
  .max(320)
  .refine((text) => normalizeAddress(text) !== null, notAnAddress)
  .meta({ format: "email" });
