import { errorCode } from "@/db/errors";
import { log } from "@/lib/ground/log";
import { answerWithin } from "./answer-within";

/** The part of a lease that counts here: the rest allows for late clocks and statements. */
const countedShare = 0.8;
const renewedShare = 0.5;
const renewalsPerLease = 6;

interface Lease<Item> {
  item: Item;
  /** The performance.now() at which it counts as expired. */
  until: number;
}

/**
 * What this process has claimed and not settled, each by a lease in the database. Renews them for as
 * long as the process works: when it dies, others claim its work one lease later.
 */
export class Leases<Item extends { id: string }> {
  readonly #seconds: number;
  readonly #renew: (items: Item[]) => Promise<ReadonlySet<string>>;
  readonly #leases = new Map<string, Lease<Item>>();
  #renewing = false;

  /** `renew` extends the leases and resolves to the ids that were still ours. */
  constructor(seconds: number, renew: (items: Item[]) => Promise<ReadonlySet<string>>) {
    this.#seconds = seconds;
    this.#renew = renew;
  }

  get size(): number {
    return this.#leases.size;
  }

  /** Items whose claim began at `claimedAt`, by performance.now(). */
  hold(items: readonly Item[], claimedAt: number): void {
    for (const item of items) this.#leases.set(item.id, { item, until: this.#end(claimedAt) });
  }

  /** The item is settled or given back. */
  release({ id }: Item): void {
    this.#leases.delete(id);
  }

  /** Whether nobody else can have claimed it. */
  holds({ id }: Item): boolean {
    return (this.#leases.get(id)?.until ?? 0) > performance.now();
  }

  /** Renews from now on; the function that is returned ends it. */
  keep(): () => void {
    const timer = setInterval(() => void this.renew(), (this.#seconds * 1000) / renewalsPerLease);
    return () => clearInterval(timer);
  }

  /** Renews leases that are past their middle. A database that is away is asked again next time. */
  async renew(): Promise<void> {
    if (this.#renewing) return;
    const now = performance.now();
    const old = [...this.#leases.values()].filter(
      ({ until }) => until - now < this.#seconds * 1000 * renewedShare,
    );
    if (old.length === 0) return;
    this.#renewing = true;
    try {
      // One that hangs must not keep the next from being tried.
      const ours = await answerWithin(
        this.#seconds * 1000 * renewedShare,
        this.#renew(old.map(({ item }) => item)),
      );
      if (!ours) throw new Error("The database does not answer.");
      for (const lease of old) lease.until = ours.has(lease.item.id) ? this.#end(now) : 0;
    } catch (error) {
      log.warn({ code: errorCode(error) }, "Renewing leases failed.");
    } finally {
      this.#renewing = false;
    }
  }

  #end(from: number): number {
    return from + this.#seconds * 1000 * countedShare;
  }
}
