import { LRUCache } from "lru-cache";
import type { Unavailable } from "@/lib/engine/transports/smtp-client/client-connection";
import type { TlsDemand } from "@/lib/mail/receiving-hosts/dane";
import { HostSessions, type HostServer } from "./host-sessions";

/** Sessions that hosts without mail may keep open, all hosts together. */
const mostResting = 500;
const keptFaults = 20_000;
/** How long a host that could not be reached is left alone, in seconds; doubles with each further time. */
const pause = { least: 30, most: 600 };
const forgottenMilliseconds = 3_600_000;

interface Down {
  fault: Unavailable;
  /** By performance.now(). */
  until: number;
  seconds: number;
}

/**
 * The receiving hosts in use. However many domains mail goes to, only so many are kept: those with mail
 * under way, and the latest of the others.
 */
export class Hosts {
  readonly #server: (host: string, demand: TlsDemand) => HostServer;
  readonly #onReached: (host: string) => void;
  readonly #busy = new Map<string, { sessions: HostSessions; users: number }>();
  readonly #resting: LRUCache<string, HostSessions>;
  readonly #down = new LRUCache<string, Down>({ max: keptFaults, ttl: forgottenMilliseconds });
  #closed = false;

  constructor(
    connections: number,
    server: (host: string, demand: TlsDemand) => HostServer,
    onReached: (host: string) => void,
  ) {
    this.#server = server;
    this.#onReached = onReached;
    this.#resting = new LRUCache({
      max: Math.max(1, Math.floor(mostResting / connections)),
      dispose: (sessions, _, reason) => {
        if (reason === "evict") sessions.close();
      },
    });
  }

  /** Why the host is not tried now; null: it may be. */
  fault(host: string, demand: TlsDemand): Unavailable | null {
    const down = this.#down.get(keyOf(host, demand));
    return down && performance.now() < down.until ? down.fault : null;
  }

  /** Makes all of them worth trying again: they were not what was out of reach. */
  forgetFaults(): void {
    this.#down.clear();
  }

  /** Its sessions, if there are any, without keeping them. */
  peek(host: string, demand: TlsDemand): HostSessions | undefined {
    const key = keyOf(host, demand);
    return this.#busy.get(key)?.sessions ?? this.#resting.peek(key);
  }

  /** Its sessions for as long as `work` takes. */
  async use<Result>(
    host: string,
    demand: TlsDemand,
    work: (sessions: HostSessions) => Promise<Result>,
  ): Promise<Result> {
    const key = keyOf(host, demand);
    const entry = this.#busy.get(key) ?? { sessions: this.#wake(key, host, demand), users: 0 };
    this.#busy.set(key, entry);
    entry.users++;
    try {
      return await work(entry.sessions);
    } finally {
      if (--entry.users === 0) this.#rest(key, entry.sessions);
    }
  }

  /** How many hosts are kept. */
  get size(): number {
    return this.#busy.size + this.#resting.size;
  }

  close(): void {
    this.#closed = true;
    for (const { sessions } of this.#busy.values()) sessions.close();
    for (const sessions of this.#resting.values()) sessions.close();
    this.#resting.clear();
  }

  #wake(key: string, host: string, demand: TlsDemand): HostSessions {
    const resting = this.#resting.get(key);
    if (resting) {
      this.#resting.delete(key);
      return resting;
    }
    return new HostSessions(this.#server(host, demand), {
      onReached: () => {
        this.#down.delete(key);
        this.#onReached(host);
      },
      onFault: (fault) => this.#noteFault(key, fault),
    });
  }

  #rest(key: string, sessions: HostSessions): void {
    this.#busy.delete(key);
    if (this.#closed) sessions.close();
    else this.#resting.set(key, sessions);
  }

  #noteFault(key: string, fault: Unavailable): void {
    const before = this.#down.get(key);
    // Sessions that fail together are one failure.
    if (before && performance.now() < before.until) return;
    const seconds = before ? Math.min(pause.most, before.seconds * 2) : pause.least;
    this.#down.set(key, { fault, seconds, until: performance.now() + seconds * 1000 });
  }
}

/** Sessions are shared by mail that asks the same of them. */
function keyOf(host: string, demand: TlsDemand): string {
  if (demand.kind === "any") return host;
  return `${host} ${demand.kind} ${demand.kind === "dane" ? demand.key : ""}`;
}
