import { Resolver } from "node:dns/promises";
import { env } from "@/lib/ground/env/env";

/** An answer, the certainty that there is none, or the lack of either (`reason`: DNS's word for it). */
export type DnsAnswer<Value> =
  { kind: "found"; values: Value[] } | { kind: "none" } | { kind: "failed"; reason: string };

export interface MailExchange {
  priority: number;
  /** Lower case, without a trailing dot. */
  exchange: string;
}

export interface DnsResolver {
  /** TXT records, each with its strings joined (RFC 7208, section 3.3). */
  txt(name: string): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MailExchange>>;
  /** IPv4 addresses, then IPv6 ones. `failed` where either question had no answer and no certainty. */
  addresses(name: string): Promise<DnsAnswer<string>>;
}

/** The name exists not at all, or not with this type, or cannot exist. All else may be another tomorrow. */
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
    // One resolver a question: cancelling the question cancels no other.
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
