import { Resolver } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import { env } from "@/lib/ground/env/env";

const timeoutMilliseconds = 800;
/** How long the caller waits; slower answers are there next time. */
const patienceMilliseconds = 1_000;
const remembered = 10_000;
const rememberedMilliseconds = 6 * 3_600_000;

// "": there is none, or none was found.
const names = new LRUCache<string, string>({ max: remembered, ttl: rememberedMilliseconds });

async function lookUp(address: string): Promise<void> {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries: 2 });
  const servers = env().DNS_SERVERS;
  if (servers.length > 0) resolver.setServers(servers);
  const answers = await resolver.reverse(address).catch(() => []);
  names.set(address, (answers[0] ?? "").toLowerCase().replace(/\.$/, "").slice(0, 255));
}

/**
 * What the owners of addresses call them (PTR), as far as that is known within a second. A name
 * proves nothing: the owner of an address can write any. Never throws.
 */
export async function reverseNames(addresses: readonly string[]): Promise<Map<string, string>> {
  const asked = addresses.filter((address) => !names.has(address));
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMilliseconds);
  });
  await Promise.race([Promise.all(asked.map(lookUp)), tooLate]);
  clearTimeout(timer);
  return new Map(
    addresses.flatMap((address) => {
      const name = names.get(address);
      return name ? [[address, name] as const] : [];
    }),
  );
}
