import { LRUCache } from "lru-cache";
import { parsePolicy } from "mailauth/lib/mta-sts.js";
import type { DnsResolver } from "@/lib/ground/dns/resolver";
import { guardedFetch } from "@/lib/ground/net/guarded-fetch";

const keptPolicies = 10_000;
const fetchMilliseconds = 15_000;
const largestBytes = 64 * 1024;
/** A policy that was just sought and not found is not sought again with every mail. */
const absentMilliseconds = 300_000;

/** What a domain demands of those who deliver mail to it (RFC 8461). */
export interface StsPolicy {
  mode: "enforce" | "testing" | "none";
  /** Host names; `*.` stands for one label. */
  mx: readonly string[];
}

interface Kept extends StsPolicy {
  id: string;
}

/** Whether the policy names the host (section 4.1: a wildcard is the left-most label alone). */
export function matchesPolicy({ mx }: StsPolicy, host: string): boolean {
  const parent = host.slice(host.indexOf(".") + 1);
  return mx.some((name) => (name.startsWith("*.") ? name.slice(2) === parent : name === host));
}

/**
 * The policies of domains, fetched over https and kept as long as they say. A known one holds until then,
 * whatever happens to its record or its web server; one that cannot be fetched counts as none (section 3.3).
 */
export class StsPolicies {
  readonly #resolver: DnsResolver;
  readonly #port: number;
  readonly #policies = new LRUCache<string, Kept>({ max: keptPolicies });
  /** The id whose policy could not be fetched. */
  readonly #absent = new LRUCache<string, string>({ max: keptPolicies, ttl: absentMilliseconds });

  /** `port`: where tests have their web server. */
  constructor(resolver: DnsResolver, port = 443) {
    this.#resolver = resolver;
    this.#port = port;
  }

  /** null: none is known. Never throws. */
  async find(domain: string): Promise<StsPolicy | null> {
    const kept = this.#policies.get(domain) ?? null;
    const id = await this.#idOf(domain);
    if (id === null || kept?.id === id || this.#absent.get(domain) === id) return kept;
    try {
      const { maxAge, mode, mx } = await this.#fetch(domain);
      const policy = { id, mode, mx };
      this.#policies.set(domain, policy, { ttl: Math.max(1, maxAge) * 1000 });
      return policy;
    } catch {
      this.#absent.set(domain, id);
      return kept;
    }
  }

  /** What the domain's record calls its policy; null: it has none, or none that can be read. */
  async #idOf(domain: string): Promise<string | null> {
    const answer = await this.#resolver.txt(`_mta-sts.${domain}`);
    if (answer.kind !== "found") return null;
    const records = answer.values.filter((value) => /^v=STSv1[;\s]/.test(value));
    const [record] = records;
    if (record === undefined || records.length > 1) return null;
    return /;\s*id=([a-zA-Z0-9]{1,32})(?=[;\s]|$)/.exec(record)?.[1] ?? null;
  }

  async #fetch(domain: string) {
    const place = this.#port === 443 ? "" : `:${this.#port}`;
    const response = await guardedFetch(
      `https://mta-sts.${domain}${place}/.well-known/mta-sts.txt`,
      { timeoutMilliseconds: fetchMilliseconds, largestBytes, secure: true },
    );
    if (response.status !== 200) {
      response.discard();
      throw new Error(`The policy's server answered ${response.status}.`);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const { mode, mx = [], maxAge } = parsePolicy(Buffer.concat(chunks));
    return { mode, mx, maxAge: maxAge ?? 0 };
  }
}
