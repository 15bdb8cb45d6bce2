import { BlockList, isIP } from "node:net";

// IANA's special-purpose registries; 168.63.129.16 is Azure's host, reachable from each of its machines.
const reserved4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;
/** In global unicast: Teredo and the like, documentation, 6to4 (which holds an IPv4 address). */
const reserved6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const reserved = new BlockList();
for (const [network, bits] of reserved4) reserved.addSubnet(network, bits, "ipv4");
for (const [network, bits] of reserved6) reserved.addSubnet(network, bits, "ipv6");

// Everything that is globally routed today. Mapped, NAT64, ULA, link-local and loopback lie outside.
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

/** Whether an IP address (without brackets) belongs to the public internet. False for anything else. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, "ipv4");
    case 6:
      // A zone (fe80::1%eth0) names an interface: never public.
      if (address.includes("%")) return false;
      return global6.check(address, "ipv6") && !reserved.check(address, "ipv6");
    default:
      return false;
  }
}
