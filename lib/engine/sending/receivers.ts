import { LRUCache } from "lru-cache";
import type { SlowReceiver } from "@/db/schema";
import { createResolver, type DnsResolver } from "@/lib/ground/dns/resolver";
import { lookUpReceiver } from "@/lib/domain/receivers/operator";
import { domainOf } from "@/lib/mail/address";
import { Throttle } from "./throttle";
import { Turns } from "@/lib/ground/queue/turns";

const keptReceivers = 10_000;
const keptMilliseconds = 3_600_000;
/** Of what is told of slow receivers. */
const mostTold = 50;

/**
 * The receivers behind the mail server: those who ask for less mail get less, and nobody else. Domains
 * whose mail one operator takes are one receiver, by their MX records; those are looked up only once some
 * receiver has asked for less.
 */
export class Receivers {
  readonly #resolver: DnsResolver;
  readonly #operators = new LRUCache<string, string>({ max: keptReceivers, ttl: keptMilliseconds });
  readonly #asked = new Set<string>();
  /** Of those who have refused mail lately. */
  readonly #throttles = new LRUCache<string, Throttle>({
    max: keptReceivers,
    ttl: keptMilliseconds,
    updateAgeOnGet: true,
  });
  /** Those who are given less. */
  readonly #limited = new Set<string>();
  readonly #turns = new Map<string, Turns>();
  /** Who refused since the server last took something. */
  readonly #refusing = new Set<string>();

  constructor(resolver: DnsResolver = createResolver()) {
    this.#resolver = resolver;
  }

  /** Seconds until an email may be tried again; 0: now, and it counts as begun. */
  begin(recipient: string): { waitSeconds: number; probe: boolean } {
    const throttle = this.#limited.size > 0 && this.#throttles.get(this.#of(recipient));
    if (!throttle) return { waitSeconds: 0, probe: false };
    if (throttle.allowance() >= 1) return { waitSeconds: 0, probe: throttle.begin() };
    return { waitSeconds: this.waitSeconds(recipient), probe: false };
  }

  /** Seconds until the next turn that nobody has, which is taken. */
  waitSeconds(recipient: string): number {
    const receiver = this.#of(recipient);
    const turns = this.#turns.get(receiver) ?? new Turns();
    this.#turns.set(receiver, turns);
    return turns.next(this.#throttles.get(receiver)?.state?.rate);
  }

  /** The server took an email. */
  accepted(recipient: string): void {
    if (this.#refusing.size > 0) this.#refusing.clear();
    if (this.#throttles.size === 0) return;
    const receiver = this.#of(recipient);
    const throttle = this.#throttles.get(receiver);
    if (!throttle) return;
    throttle.accepted();
    if (throttle.state) return;
    this.#throttles.delete(receiver);
    this.#limited.delete(receiver);
    this.#turns.delete(receiver);
  }

  /**
   * A refusal that asks for less. `receiver`: whether that receiver is slow, and not one recipient;
   * `several`: whether it is not the only one that refuses, so that it may be the server itself.
   */
  refused(recipient: string, words: string): { receiver: boolean; several: boolean } {
    const receiver = this.#of(recipient);
    this.#refusing.add(receiver);
    const throttle = this.#throttles.get(receiver) ?? new Throttle(receiver);
    this.#throttles.set(receiver, throttle);
    const slow = throttle.refused(words);
    if (slow) this.#limited.add(receiver);
    return { receiver: slow, several: this.#refusing.size > 1 };
  }

  /** Those who are given less now, the slowest first. */
  slow(): SlowReceiver[] {
    const slow = [...this.#limited].flatMap((name) => {
      const state = this.#throttles.peek(name)?.state;
      if (!state) return [];
      const since = new Date(state.since).toISOString();
      return [{ name, domains: this.#domainsOf(name), since, rate: state.rate }];
    });
    return slow.sort((left, right) => left.rate - right.rate).slice(0, mostTold);
  }

  #domainsOf(receiver: string): string[] {
    const domains = [...this.#operators.entries()]
      .filter(([, operator]) => operator === receiver)
      .map(([domain]) => domain);
    return [...new Set([receiver, ...domains.slice(0, mostTold)])];
  }

  #of(recipient: string): string {
    const domain = domainOf(recipient);
    const operator = this.#operators.get(domain);
    if (operator === undefined) void this.#lookUp(domain);
    // Until it is known, a domain is a receiver of its own.
    return operator ?? domain;
  }

  async #lookUp(domain: string): Promise<void> {
    if (this.#asked.has(domain)) return;
    this.#asked.add(domain);
    const receiver = await lookUpReceiver(this.#resolver, domain);
    this.#asked.delete(domain);
    this.#operators.set(domain, receiver ?? domain);
  }
}
