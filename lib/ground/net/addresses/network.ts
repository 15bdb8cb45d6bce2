import { isIP } from "node:net";

/** The eight groups of an IPv6 address in hex; an IPv4 address embedded in it is not told apart. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const first = head === "" ? [] : head.split(":");
  if (tail === undefined) return first;
  const last = tail === "" ? [] : tail.split(":");
  return [
    ...first,
    ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0"),
    ...last,
  ];
}

/**
 * Whom an address stands for when callers are counted: IPv4 by itself, IPv6 by its /64, which is what one
 * customer of a provider gets. Anything that is not an address stands for itself.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIP(plain) !== 6) return plain;
  const groups = groupsOf(plain.toLowerCase()).slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
