import { Resolver } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import { env } from "@/lib/ground/env/env";

/** An answer, the certainty that there is none, or the lack of either (`reason`: DNS's word for it). */
export type DnsAnswer<Value> =
  | { kind: "found"; values: Value[] }
  | { kind: "none" }
  | { kind: "failed"; reason: string };

export interface MailExchange {
  priority: number;
  /** Lower case, without a trailing dot. */
  exchange: string;
}

export interface DnsResolver {
  /** TXT records, each with its strings joined (RFC 7208, section 3.3). */
  txt(name: string): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MailExchange>>;
  /** Where an alias leads: lower case, without a trailing dot. */
  cname(name: string): Promise<DnsAnswer<string>>;
  /** IPv4 addresses, then IPv6 ones. `failed` where either question had no answer and no certainty. */
  addresses(name: string): Promise<DnsAnswer<string>>;
}

/** The name does not exist, or not with this type, or cannot exist. Any other answer may change. */
const certainlyNone = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

/** c-ares waits this long for a server's first answer and longer for the second. */
const defaultTimeoutMilliseconds = 2_500;
const tries = 2;

/**
 * Asks DNS_SERVERS, else the system's name servers; over TCP where an answer does not fit into UDP. A
 * look-up ends within four times `timeoutMilliseconds`, whatever the servers do, and never throws.
 */
export function createResolver({
  timeoutMilliseconds = defaultTimeoutMilliseconds,
}: { timeoutMilliseconds?: number } = {}): DnsResolver {
  const servers = env().DNS_SERVERS;

  async function ask<Answer, Value>(
    query: (resolver: Resolver) => Promise<Answer[]>,
    read: (answer: Answer) => Value,
  ): Promise<DnsAnswer<Value>> {
    // One resolver per question: cancelling one question cancels no other.
    const resolver = new Resolver({ timeout: timeoutMilliseconds, tries });
    if (servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMilliseconds * 4);
    try {
      const values = (await query(resolver)).map(read);
      return values.length > 0 ? { kind: "found", values } : { kind: "none" };
    } catch (error) {
      const reason = (error as { code?: unknown }).code;
      if (typeof reason !== "string") throw error;
      return certainlyNone.has(reason) ? { kind: "none" } : { kind: "failed", reason };
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    txt: (name) =>
      ask(
        (resolver) => resolver.resolveTxt(name),
        (strings) => strings.join(""),
      ),
    mx: (name) =>
      ask(
        (resolver) => resolver.resolveMx(name),
        ({ priority, exchange }) => ({
          priority,
          exchange: exchange.toLowerCase().replace(/\.$/, ""),
        }),
      ),
    cname: (name) =>
      ask(
        (resolver) => resolver.resolveCname(name),
        (target) => target.toLowerCase().replace(/\.$/, ""),
      ),
    async addresses(name) {
      const answers = await Promise.all([
        ask(
          (resolver) => resolver.resolve4(name),
          (address) => address,
        ),
        ask(
          (resolver) => resolver.resolve6(name),
          (address) => address,
        ),
      ]);
      const failed = answers.find((answer) => answer.kind === "failed");
      if (failed) return failed;
      const values = answers.flatMap((answer) => (answer.kind === "found" ? answer.values : []));
      return values.length > 0 ? { kind: "found", values } : { kind: "none" };
    },
  };
}

/** A question as libraries ask it (`TXT`, `MX` ...): resolves to records, throws DNS's error. */
export type AskDns = (name: string, type: string) => Promise<string[][] | string[]>;

const remembered = 10_000;
const rememberedMilliseconds = 60_000;

const rememberingResolvers = new Map<string, AskDns>();

/**
 * Asks `servers`, else the system's name servers, for a library that checks mail. Answers, including that
 * there is none, are remembered for a minute: mail comes in bursts from few senders.
 */
export function rememberingResolver(servers: readonly string[]): AskDns {
  const existing = rememberingResolvers.get(servers.join());
  if (existing) return existing;
  const created = createRememberingResolver(servers);
  rememberingResolvers.set(servers.join(), created);
  return created;
}

function createRememberingResolver(servers: readonly string[]): AskDns {
  const answers = new LRUCache<string, Promise<string[][] | string[]>>({
    max: remembered,
    ttl: rememberedMilliseconds,
  });
  return (name, type) => {
    const key = `${type} ${name.toLowerCase()}`;
    const cached = answers.get(key);
    if (cached) return cached;
    const resolver = new Resolver({ timeout: defaultTimeoutMilliseconds, tries });
    if (servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), defaultTimeoutMilliseconds * 4);
    const answer = resolver
      .resolve(name, type)
      .then((records) => records as string[][] | string[])
      .finally(() => clearTimeout(timer));
    answers.set(key, answer);
    answer.catch((error: unknown) => {
      const { code } = error as { code?: unknown };
      if (typeof code !== "string" || !certainlyNone.has(code)) answers.delete(key);
    });
    return answer;
  };
}
