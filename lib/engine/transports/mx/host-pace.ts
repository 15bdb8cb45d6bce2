import { LRUCache } from "lru-cache";
import { Turns } from "@/lib/ground/queue/turns";
import type { HandOver, Outcome } from "@/lib/mail/transport";

type Lane = HandOver["lane"];

/** A host that got nothing for this long has all of its minute again. */
const keptMilliseconds = 1_200_000;
const keptHosts = 20_000;
/** How much of a minute may be given at once: as long as what waits sleeps at least. */
const burstSeconds = 5;
/** Of a message: what waits may come this much of its turn too late without delaying the next one. */
const slack = 0.25;

/** How many messages one receiving host is given: so many in any minute at most, spread over it. */
export class HostPace {
  readonly #burst: number;
  /** Messages a second: with the burst and the slack, no more than a minute's. */
  readonly #rate: number;
  readonly #turns = { transactional: new Turns(), campaign: new Turns() };
  #tokens: number;
  /** By performance.now(). */
  #filledAt = -Infinity;

  constructor(perMinute: number) {
    this.#burst = Math.max(1, Math.floor((perMinute * burstSeconds) / 60));
    this.#rate = (perMinute - this.#burst + 1 - slack) / 60;
    this.#tokens = this.#burst + slack;
  }

  /** Whether one may begin now, which then counts. */
  tryTake(lane: Lane, now: number = performance.now()): boolean {
    if (!this.#isFree(lane, now)) return false;
    this.#tokens--;
    return true;
  }

  /** One that was taken did not begin. */
  giveBack(): void {
    this.#tokens = Math.min(this.#burst + slack, this.#tokens + 1);
  }

  /** Seconds until one more may begin, whose turn is then taken; 0: now. */
  waitSeconds(lane: Lane, now: number = performance.now()): number {
    return this.#isFree(lane, now) ? 0 : this.#turns[lane].next(this.#rate, now);
  }

  /** A campaign leaves the last one to all other mail, where there is more than one at a time. */
  #isFree(lane: Lane, now: number): boolean {
    if (now > this.#filledAt) {
      const filled = this.#tokens + ((now - this.#filledAt) / 1_000) * this.#rate;
      this.#tokens = Math.min(this.#burst + slack, filled);
      this.#filledAt = now;
    }
    return this.#tokens >= (lane === "campaign" ? Math.min(2, this.#burst) : 1);
  }
}

/** The paces of all receiving hosts, which outlast their sessions. */
export class HostPaces {
  readonly #perMinute: number | null;
  readonly #paces = new LRUCache<string, HostPace>({
    max: keptHosts,
    ttl: keptMilliseconds,
    updateAgeOnGet: true,
  });

  /** null: hosts are given what they take. */
  constructor(perMinute: number | null) {
    this.#perMinute = perMinute;
  }

  /** Seconds until the host is given one more, whose turn is then taken; 0: now. */
  waitSeconds(host: string, lane: Lane): number {
    return this.#paces.get(host)?.waitSeconds(lane) ?? 0;
  }

  /** Hands one message over at the host's pace; `later` where that has no room. */
  async run(
    host: string,
    how: HandOver,
    handOver: (how: HandOver) => Promise<Outcome>,
  ): Promise<Outcome> {
    if (this.#perMinute === null) return handOver(how);
    const pace = this.#paces.get(host) ?? new HostPace(this.#perMinute);
    this.#paces.set(host, pace);
    if (!pace.tryTake(how.lane)) return { kind: "later", seconds: pace.waitSeconds(how.lane) };
    let began = false;
    const mayStart = async () => {
      const may = await how.mayStart();
      began ||= may;
      return may;
    };
    try {
      return await handOver({ ...how, mayStart });
    } finally {
      if (!began) pace.giveBack();
    }
  }
}
