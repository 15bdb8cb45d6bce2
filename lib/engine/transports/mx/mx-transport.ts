import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/ground/log";
import { domainOf } from "@/lib/mail/address";
import type { TlsDemand } from "@/lib/mail/receiving-hosts/dane";
import {
  notThere,
  ReceivingHosts,
  verified,
  type ReceivingHost,
  type Route,
} from "@/lib/mail/receiving-hosts/receiving-hosts";
import type { Envelope, HandOver, Outcome, Probe, Transport } from "@/lib/mail/transport";
import { Unavailable } from "@/lib/engine/transports/smtp-client/client-connection";
import { openHost, type HostServer } from "./host-sessions";
import { HostPaces } from "./host-pace";
import { Hosts } from "./hosts";
import { machineWords } from "./identity";
import {
  closedWords,
  doubted,
  undeliverable,
  unknownWords,
  unreached,
  type HostFault,
} from "./outcomes";
import { receiverPort } from "@/lib/mail/receiving-hosts/port";

/** Further hosts of a domain are not tried: by then its mail has waited long enough. */
const mostHostsTried = 5;
/** This many hosts out of reach in a row are this machine's trouble, not theirs. */
const tooManyUnreached = 8;
const pauseSeconds = [1, 2, 5, 10, 30, 60];
const probeSeconds = 15;
/** Receivers that are always there: if they cannot be reached, nobody can. */
const knownDomains = ["gmail.com", "outlook.com", "yahoo.com"];

export interface MxOptions {
  /** What we call ourselves (EHLO). */
  hostname: string;
  /** Sessions with one host at once. */
  connections?: number;
  /** Messages that each host is given in a minute at most; null: as many as it takes. */
  messagesPerMinute?: number | null;
  /** required: mail leaves only over TLS with a valid certificate. */
  tls?: "opportunistic" | "required";
  /** Where tests have their servers. */
  port?: number;
  receivingHosts?: ReceivingHosts;
  /** Domains whose servers are tried to find out whether anybody can be reached. */
  knownDomains?: readonly string[];
}

/**
 * Hands mail to the servers of its receivers. Each host has its own sessions and its own trouble: mail for others
 * does not wait for one that is slow or away.
 */
export class MxTransport implements Transport {
  readonly kind = "mx";
  readonly #options: Required<Omit<MxOptions, "receivingHosts">>;
  readonly #receivingHosts: ReceivingHosts;
  readonly #hosts: Hosts;
  readonly #paces: HostPaces;
  readonly #unreached = new Set<string>();
  #lastReached: string | null = null;
  #trying: Promise<void> | null = null;
  #closed = false;
  trouble: Transport["trouble"] = null;

  constructor({ receivingHosts, ...options }: MxOptions) {
    this.#options = {
      connections: 5,
      messagesPerMinute: null,
      tls: "opportunistic",
      port: receiverPort(),
      knownDomains,
      ...options,
    };
    this.#receivingHosts = receivingHosts ?? new ReceivingHosts();
    this.#paces = new HostPaces(this.#options.messagesPerMinute);
    this.#hosts = new Hosts(
      this.#options.connections,
      (host, demand) => this.#server(host, demand),
      (host) => this.#noteReached(host),
    );
  }

  /** Hosts whose sessions are kept. */
  get keptHosts(): number {
    return this.#hosts.size;
  }

  waitSeconds(recipient: string, lane: HandOver["lane"]): number {
    const route = this.#receivingHosts.known(domainOf(recipient));
    if (route?.kind !== "hosts") return 0;
    const first = this.#inTurn(route.hosts).find((host) => !this.#faultOf(host));
    if (!first) return 0;
    const seconds = this.#paces.waitSeconds(first.name, lane);
    if (seconds > 0) return seconds;
    return this.#hosts.peek(first.name, this.#demandOf(first))?.waitSeconds() ?? 0;
  }

  get available(): boolean {
    return this.trouble === null;
  }

  async ready(signal: AbortSignal): Promise<void> {
    if (this.available) return;
    await (this.#trying ??= this.#tryUntilReached(signal).finally(() => {
      this.#trying = null;
    }));
  }

  async deliver(envelope: Envelope, raw: Buffer, how: HandOver): Promise<Outcome> {
    const domain = domainOf(envelope.to);
    const route = await this.#receivingHosts.find(domain);
    if (this.#closed) return { kind: "unavailable", reason: "No more mail is sent." };
    if (route.kind !== "hosts") {
      return undeliverable(domain, (await this.#believes(route)) ? route : doubted(route));
    }
    // A host that takes mail for its own recipients need not send notifications.
    const { from, to } = envelope;
    const faults: HostFault[] = [];
    for (const host of this.#inTurn(route.hosts).slice(0, mostHostsTried)) {
      const outcome = await this.#deliverTo(host, { from, to }, raw, how);
      if (!(outcome instanceof Unavailable)) return outcome;
      if (this.#closed) return { kind: "unavailable", reason: outcome.message };
      faults.push({ host: host.name, fault: outcome });
    }
    return this.trouble
      ? { kind: "unavailable", reason: this.trouble.words }
      : unreached(domain, faults);
  }

  async probe(): Promise<Probe> {
    const faults: HostFault[] = [];
    let found = false;
    for (const domain of this.#options.knownDomains) {
      const route = await this.#receivingHosts.find(domain);
      if (route.kind !== "hosts") {
        faults.push({ host: domain, fault: new Unavailable(route.words) });
        continue;
      }
      found = true;
      for (const { name } of route.hosts.slice(0, 1)) {
        const welcome = await this.#greet(name);
        if (!(welcome instanceof Unavailable)) {
          const words = `${name}: ${welcome}\n${await machineWords()}`;
          return { ok: true, words, loginRefused: false };
        }
        faults.push({ host: name, fault: welcome });
      }
    }
    const words = found ? closedWords(this.#options.port, faults) : unknownWords(faults);
    return { ok: false, words: `${words}\n${await machineWords()}`, loginRefused: false };
  }

  close(): void {
    this.#closed = true;
    this.#hosts.close();
  }

  #demandOf({ demand }: ReceivingHost): TlsDemand {
    return this.#options.tls === "required" ? verified(demand) : demand;
  }

  /** Why the host is not tried now; null: it is. */
  #faultOf(host: ReceivingHost): Unavailable | null {
    const demand = this.#demandOf(host);
    return demand.kind === "unknown"
      ? new Unavailable(demand.words, false, { tlsFailed: true })
      : this.#hosts.fault(host.name, demand);
  }

  #server(host: string, demand: TlsDemand): HostServer {
    const { port, hostname, connections } = this.#options;
    return { host, port, hostname, connections, demand };
  }

  /**
   * Name servers that are cut off may say of every domain that it does not exist: no mail should bounce for that. They
   * are believed while they know a large provider.
   */
  async #believes(route: Exclude<Route, { kind: "hosts" }>): Promise<boolean> {
    const { knownDomains: known } = this.#options;
    if (route.enhancedCode !== notThere || known.length === 0) return true;
    const routes = await Promise.all(known.map((domain) => this.#receivingHosts.find(domain)));
    return routes.some(({ kind }) => kind === "hosts");
  }

  /** By preference; among equals, the one with the least to do. */
  #inTurn(hosts: readonly ReceivingHost[]): ReceivingHost[] {
    const load = (host: ReceivingHost) =>
      this.#hosts.peek(host.name, this.#demandOf(host))?.underWay ?? 0;
    return hosts.toSorted((a, b) => a.preference - b.preference || load(a) - load(b));
  }

  /** What came of it; Unavailable: the next host may have it. */
  async #deliverTo(
    host: ReceivingHost,
    envelope: Envelope,
    raw: Buffer,
    how: HandOver,
  ): Promise<Outcome | Unavailable> {
    const known = this.#faultOf(host);
    if (known) return known;
    const { name } = host;
    const demand = this.#demandOf(host);
    try {
      const outcome = await this.#hosts.use(name, demand, (sessions) =>
        this.#paces.run(name, how, (paced) => sessions.deliver(envelope, raw, paced)),
      );
      // It wants a login, or TLS that it does not offer.
      if (outcome.kind === "unavailable") return new Unavailable(outcome.reason);
      const answered = outcome.kind === "accepted" || outcome.kind === "refused";
      return answered ? { ...outcome, receiver: name } : outcome;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (!this.#closed) this.#noteUnreached(name, error);
      return error;
    }
  }

  /** What the host greets with. */
  async #greet(host: string): Promise<string | Unavailable> {
    try {
      const connection = await openHost(this.#server(host, { kind: "any" }), {
        patience: probeSeconds,
      });
      connection.close();
      this.#noteReached(host);
      return connection.welcome.join("\n");
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      // A refusal, too, shows that the way there is open.
      if (error.why.reply) this.#noteReached(host);
      return error;
    }
  }

  #noteReached(host: string): void {
    this.#lastReached = host;
    this.#unreached.clear();
    if (this.trouble === null) return;
    this.trouble = null;
    this.#hosts.forgetFaults();
    log.info("Receivers can be reached again.");
  }

  #noteUnreached(host: string, { why }: Unavailable): void {
    if (why.reply || why.tlsFailed) return this.#noteReached(host);
    if (why.notPublic) return;
    this.#unreached.add(host);
    if (this.trouble !== null || this.#unreached.size < tooManyUnreached) return;
    const words = `No receiver can be reached at port ${this.#options.port}.`;
    this.trouble = { words, since: Date.now() };
    log.warn({ hosts: [...this.#unreached] }, `${words} Mail waits.`);
  }

  /** Tries some hosts that failed, the last one that did not, and those that are always there. */
  async #tryUntilReached(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; this.trouble && !signal.aborted; attempt++) {
      const seconds = pauseSeconds[Math.min(attempt, pauseSeconds.length - 1)] ?? 60;
      await sleep(seconds * 1000, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const hosts = [...[...this.#unreached].slice(-3), this.#lastReached];
      await Promise.all([
        this.probe(),
        ...hosts.map((host) => (host === null ? null : this.#greet(host))),
      ]);
    }
  }
}
