import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import {
  createResolver,
  type DnsAnswer,
  type DnsResolver,
  type MailExchange,
} from "@/lib/ground/dns/resolver";
import {
  createValidatingResolver,
  type ValidatedAnswer,
  type ValidatingResolver,
} from "@/lib/ground/dns/validating-resolver";
import { DaneHosts, forDomain, type TlsDemand } from "./dane";
import { matchesPolicy, StsPolicies, type StsPolicy } from "./sts-policies";

const keptDomains = 20_000;
/** More than any domain needs: each may cost look-ups of its own. */
const mostHosts = 20;
/** On top of what DNS servers keep themselves, nobody waits longer than this for a change. */
const keptMilliseconds = { hosts: 300_000, none: 300_000, unknown: 30_000 };

/** For a domain that has neither MX records nor an address. */
export const notThere = "5.1.2";
/** For servers that do not show over TLS that they are the right ones (RFC 3207; RFC 3463, section 3.8). */
export const unproved = { code: 454, enhancedCode: "4.7.5" };

/** A server that takes mail for a domain. */
export interface ReceivingHost {
  name: string;
  /** The lower this is, the sooner it is tried. */
  preference: number;
  /** What its own records (RFC 7672), else its domain's policy (RFC 8461), demand of TLS. */
  demand: TlsDemand;
}

/**
 * Where a domain's mail goes; `seconds`: for how long that may be believed. none: nowhere, for good. unknown: it cannot be found out now, or the
 * answers contradict each other.
 */
export type Route =
  | { kind: "hosts"; hosts: readonly ReceivingHost[]; seconds?: number }
  | { kind: "none"; enhancedCode: string; words: string }
  | { kind: "unknown"; enhancedCode: string; words: string };

/** Finds the servers that take mail for domains (RFC 5321, section 5.1), and what the domains demand of TLS. */
export class ReceivingHosts {
  readonly #resolver: DnsResolver;
  readonly #policies: StsPolicies;
  readonly #validating: ValidatingResolver | null;
  readonly #dane: DaneHosts | null;
  readonly #routes = new LRUCache<string, Route>({ max: keptDomains });
  readonly #underWay = new Map<string, Promise<Route>>();

  constructor(
    resolver: DnsResolver = createResolver(),
    policies = new StsPolicies(resolver),
    validating = createValidatingResolver(),
  ) {
    this.#resolver = resolver;
    this.#policies = policies;
    this.#validating = validating;
    this.#dane = validating && new DaneHosts(validating);
  }

  /** `domain`: in lower case, as an A-label. Never throws. */
  async find(domain: string): Promise<Route> {
    const known = this.#routes.get(domain) ?? this.#underWay.get(domain);
    if (known) return known;
    const looking = this.#lookUp(domain).then((route) => {
      const seconds = route.kind === "hosts" ? (route.seconds ?? Infinity) : Infinity;
      const ttl = Math.min(keptMilliseconds[route.kind], seconds * 1000);
      this.#routes.set(domain, route, { ttl });
      return route;
    });
    this.#underWay.set(domain, looking);
    return looking.finally(() => this.#underWay.delete(domain));
  }

  /** What is known without a look-up. */
  known(domain: string): Route | undefined {
    return this.#routes.get(domain);
  }

  async #lookUp(domain: string): Promise<Route> {
    if (domain.startsWith("[") || isIP(domain) !== 0) {
      return none("5.1.3", `Mail goes to domains, not to addresses such as ${domain}.`);
    }
    const [answer, policy] = await Promise.all([
      (this.#validating ?? this.#resolver).mx(domain),
      this.#policies.find(domain),
    ]);
    const plain = answer.kind === "none" ? await this.#withoutMx(domain) : routeOf(domain, answer);
    const route = isSecure(answer) ? await this.#withDemands(domain, plain) : plain;
    return route.kind === "hosts" && policy?.mode === "enforce"
      ? restricted(domain, route, policy)
      : route;
  }

  /** A domain without MX records takes its mail itself. */
  async #withoutMx(domain: string): Promise<Route> {
    const answer = await (this.#validating ?? this.#resolver).addresses(domain);
    if (answer.kind === "failed") return failed(domain, answer.reason);
    if (answer.kind === "none") {
      return none(
        notThere,
        `The domain ${domain} does not exist or takes no mail: it has no MX record and no address.`,
      );
    }
    return { kind: "hosts", hosts: [{ name: domain, preference: 0, demand: { kind: "any" } }] };
  }

  /** What the hosts' own zones demand, where it is sure that these are the hosts. */
  async #withDemands(domain: string, route: Route): Promise<Route> {
    if (route.kind !== "hosts" || !this.#dane) return route;
    const dane = this.#dane;
    const found = await Promise.all(
      route.hosts.map(async (host) => ({ host, ...(await dane.find(host.name)) })),
    );
    return {
      kind: "hosts",
      hosts: found.map(({ host, demand }) => ({ ...host, demand: forDomain(demand, domain) })),
      seconds: Math.min(...found.map(({ seconds }) => seconds)),
    };
  }
}

function isSecure(answer: DnsAnswer<MailExchange> | ValidatedAnswer<MailExchange>): boolean {
  return "secure" in answer && answer.secure;
}

function none(enhancedCode: string, words: string): Route {
  return { kind: "none", enhancedCode, words };
}

function failed(domain: string, reason: string): Route {
  const words = `The mail servers of ${domain} could not be looked up (${reason}).`;
  return { kind: "unknown", enhancedCode: "4.4.3", words };
}

function routeOf(
  domain: string,
  answer: Exclude<DnsAnswer<MailExchange>, { kind: "none" }>,
): Route {
  if (answer.kind === "failed") return failed(domain, answer.reason);
  const named = answer.values.filter(({ exchange }) => exchange !== "");
  // RFC 7505.
  if (named.length === 0) return none("5.1.10", `The domain ${domain} says that it takes no mail.`);
  const hosts = named
    .filter(({ exchange }) => isIP(exchange) === 0)
    .map(({ priority, exchange }) => ({
      name: exchange,
      preference: priority,
      demand: { kind: "any" } as const,
    }));
  if (hosts.length === 0) {
    return none("5.4.4", `The MX records of ${domain} name no server.`);
  }
  const sorted = shuffled(hosts).sort((a, b) => a.preference - b.preference);
  return { kind: "hosts", hosts: sorted.slice(0, mostHosts) };
}

/** Those of equal preference share the mail. */
function shuffled<Value>(values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

/**
 * Under an enforced policy, only servers that it names, and only with a certificate of theirs. A host that its own
 * records vouch for needs neither (RFC 8461, section 2).
 */
function restricted(domain: string, route: Route & { kind: "hosts" }, policy: StsPolicy): Route {
  const allowed = route.hosts.filter(
    ({ name, demand }) => demand.kind === "dane" || matchesPolicy(policy, name),
  );
  if (allowed.length === 0) {
    const words = `The MTA-STS policy of ${domain} names none of its mail servers.`;
    return { kind: "unknown", enhancedCode: unproved.enhancedCode, words };
  }
  return { ...route, hosts: allowed.map((host) => ({ ...host, demand: verified(host.demand) })) };
}

/** At least a valid certificate. */
export function verified(demand: TlsDemand): TlsDemand {
  return demand.kind === "any" || demand.kind === "encrypted" ? { kind: "certificate" } : demand;
}
