// | delivery | on                                    | becomes                               |
// |----------|---------------------------------------|---------------------------------------|
// | PENDING  | 2xx                                   | DELIVERED                             |
// | PENDING  | anything else, or nothing in 15 s     | PENDING, due after the next interval  |
// | PENDING  | the tenth failure, 410, switched off  | FAILED                                |
// | any      | somebody retries it                   | PENDING, due at once                  |
// While it is claimed, due_at is the lease's end: a crash costs the lease.
import type { Database } from "@/db/client";
import { sqlState } from "@/db/errors";
import { coalesce } from "@/lib/ground/coalesce";
import { log } from "@/lib/ground/log";
import { keepConnections } from "@/lib/ground/net/guarded-fetch";
import { Wake } from "@/lib/ground/queue/wake";
import { attemptDelivery, type DeliveryOutcome } from "./attempt";
import { claimDeliveries, releaseDeliveries, type ClaimedDelivery } from "./claim";
import { Endpoint } from "./endpoint";
import { recordOutcomes } from "./record";
import { tellOwners } from "./tell-owners";

const defaultLeaseSeconds = 60;
/** What is left of a lease when a call starts: the call's 15 seconds and its recording. */
const leaseMarginSeconds = 25;
const mostHeld = 2_048;
const mostInFlight = 512;
/** Calls to endpoints whose last call failed or is yet to come: the others have the rest to themselves. */
const mostUnproven = 256;
const mostRemembered = 10_000;
const pollMilliseconds = 1_000;
const stopSeconds = 5;

/** How many tries were recorded by one run. */
export interface DeliverySummary {
  delivered: number;
  failed: number;
}

/**
 * Works the queue of webhook deliveries: claim, call, record. Any number of them share one database.
 * `run` once per deliverer.
 */
export class WebhookDeliverer {
  readonly #db: Database;
  readonly #leaseSeconds: number;
  readonly #record: (outcome: DeliveryOutcome) => Promise<null>;
  readonly #connections = keepConnections();
  readonly #wake = new Wake();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #mails = new Set<Promise<void>>();
  #held = 0;
  #inFlight = 0;
  #recording = 0;
  #stopping = false;
  #summary: DeliverySummary = { delivered: 0, failed: 0 };

  constructor({ db, leaseSeconds }: { db: Database; leaseSeconds?: number }) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds ?? defaultLeaseSeconds;
    this.#record = coalesce(
      async (outcomes: DeliveryOutcome[]) => {
        for (const webhook of await recordOutcomes(db, outcomes)) {
          const mail = tellOwners(db, webhook).finally(() => this.#mails.delete(mail));
          this.#mails.add(mail);
        }
        return outcomes.map(() => null);
      },
      { concurrency: 1, largestBatch: 256 },
    );
  }

  /** Looks for due deliveries now. */
  notify(): void {
    this.#wake.notify();
  }

  /** Works until the signal aborts, or, with `untilEmpty`, until nothing is due. */
  async run(signal: AbortSignal, { untilEmpty = false } = {}): Promise<DeliverySummary> {
    try {
      while (!signal.aborted) {
        const claimed = await this.#claim();
        if (untilEmpty && claimed === 0 && this.#held === 0) break;
        if (claimed > 0 && this.#hungry()) continue;
        await this.#wake.wait(pollMilliseconds, signal);
      }
    } finally {
      await this.#stop();
    }
    return this.#summary;
  }

  #hungry(): boolean {
    for (const endpoint of this.#endpoints.values()) if (endpoint.hungry) return true;
    return false;
  }

  /** How many were claimed. A database that is away is waited for. */
  async #claim(): Promise<number> {
    const limit = mostHeld - this.#held;
    if (limit <= 0) return 0;
    let unproven = 0;
    for (const endpoint of this.#endpoints.values())
      if (!endpoint.proven) unproven += endpoint.held;
    const full = unproven >= mostUnproven;
    const known = new Map(
      [...this.#endpoints].map(([id, endpoint]) => [
        id,
        full && !endpoint.proven ? 0 : endpoint.room,
      ]),
    );
    const until = performance.now() + (this.#leaseSeconds - leaseMarginSeconds) * 1000;
    try {
      const rooms = { known, others: full ? 0 : Endpoint.firstWindow, limit };
      const claimed = await claimDeliveries(this.#db, rooms, this.#leaseSeconds);
      this.#take(claimed, until, known);
      return claimed.length;
    } catch (error) {
      // The driver's message holds parameters: its code tells enough.
      log.error({ code: sqlState(error) ?? "unknown" }, "Claiming webhook deliveries failed.");
      return 0;
    }
  }

  #take(claimed: ClaimedDelivery[], until: number, rooms: ReadonlyMap<string, number>): void {
    const counts = new Map<string, number>();
    for (const delivery of claimed) {
      const { webhookId } = delivery;
      let endpoint = this.#endpoints.get(webhookId);
      if (!endpoint) this.#endpoints.set(webhookId, (endpoint = new Endpoint(delivery.failing)));
      endpoint.queue.push({ delivery, until });
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    }
    this.#held += claimed.length;
    for (const [id, endpoint] of this.#endpoints) {
      const count = counts.get(id) ?? 0;
      const room = rooms.get(id) ?? Endpoint.firstWindow;
      if (room > 0) endpoint.more = count >= room;
      if (count > 0) this.#fill(endpoint);
    }
    this.#forget();
  }

  /** Idle endpoints are remembered for their windows, not for ever. */
  #forget(): void {
    if (this.#endpoints.size <= mostRemembered) return;
    for (const [id, endpoint] of this.#endpoints) {
      if (endpoint.held === 0) this.#endpoints.delete(id);
    }
  }

  #fill(endpoint: Endpoint): void {
    while (!this.#stopping && this.#inFlight < mostInFlight && endpoint.mayCall) {
      const next = endpoint.queue.shift();
      if (!next) break;
      if (performance.now() > next.until) {
        // Its lease is about to end, and somebody claims it anew.
        this.#held--;
        continue;
      }
      endpoint.inFlight++;
      this.#inFlight++;
      void this.#work(endpoint, next.delivery).finally(() => {
        endpoint.recording--;
        this.#recording--;
        this.#held--;
        if (endpoint.hungry || this.#held === 0) this.#wake.notify();
      });
    }
  }

  /** The next call need not wait until this one's result is written down. */
  #answered(endpoint: Endpoint): void {
    const full = this.#inFlight >= mostInFlight;
    endpoint.inFlight--;
    this.#inFlight--;
    endpoint.recording++;
    this.#recording++;
    this.#fill(endpoint);
    if (full) for (const other of this.#endpoints.values()) this.#fill(other);
  }

  async #work(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<void> {
    // Never throws: what went wrong stands in the outcome.
    const outcome = await attemptDelivery(delivery, this.#connections);
    const returned = endpoint.learn(outcome.ok);
    this.#held -= returned.length;
    this.#answered(endpoint);
    try {
      await Promise.all([this.#recordSurely(outcome), this.#release(returned)]);
      this.#summary[outcome.ok ? "delivered" : "failed"]++;
    } catch (error) {
      // Its lease ends by itself, and it is tried again.
      log.error(
        { deliveryId: delivery.id, code: sqlState(error) ?? "unknown" },
        "A webhook delivery could not be recorded.",
      );
    }
  }

  /** A database that is away for a moment does not make a second call of what was answered. */
  async #recordSurely(outcome: DeliveryOutcome): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#record(outcome);
        return;
      } catch (error) {
        if (attempt >= 6) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt));
      }
    }
  }

  async #release(deliveries: ClaimedDelivery[]): Promise<void> {
    await releaseDeliveries(this.#db, deliveries).catch((error: unknown) => {
      log.warn({ code: sqlState(error) ?? "unknown" }, "Giving webhook deliveries back failed.");
    });
  }

  async #stop(): Promise<void> {
    this.#stopping = true;
    const waiting = [...this.#endpoints.values()].flatMap((endpoint) =>
      endpoint.queue.splice(0).map(({ delivery }) => delivery),
    );
    this.#held -= waiting.length;
    const deadline = AbortSignal.timeout(stopSeconds * 1000);
    await this.#release(waiting);
    while (this.#inFlight + this.#recording > 0 && !deadline.aborted)
      await this.#wake.wait(100, deadline);
    await Promise.race([
      Promise.all(this.#mails),
      new Promise((resolve) => setTimeout(resolve, stopSeconds * 1000).unref()),
    ]);
    this.#connections.close();
  }
}
