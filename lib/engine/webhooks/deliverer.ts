// | delivery | on                                    | becomes                               |
// |----------|---------------------------------------|---------------------------------------|
// | PENDING  | 2xx                                   | DELIVERED                             |
// | PENDING  | anything else, or nothing in 15 s     | PENDING, due after the next interval  |
// | PENDING  | the tenth failure, 410, switched off  | FAILED                                |
// | any      | somebody retries it                   | PENDING, due at once                  |
// While it is claimed, due_at is the lease's end: a crash costs the lease.
import type { Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { coalesce } from "@/lib/ground/coalesce";
import { log } from "@/lib/ground/log";
import { metrics } from "@/lib/ground/metrics/metrics";
import { keepConnections } from "@/lib/ground/net/guarded-fetch";
import { Leases } from "@/lib/ground/queue/leases";
import { keepTrying, WorkLoop } from "@/lib/ground/queue/work-loop";
import { traced, type Span } from "@/lib/ground/traces/traces";
import { attemptDelivery, type DeliveryOutcome } from "./attempt";
import { claimDeliveries, releaseDeliveries, renewDeliveries, type ClaimedDelivery } from "./claim";
import { Endpoint } from "./endpoint";
import { recordOutcomes } from "./record";
import { tellTeam } from "./tell-team";

const defaultLeaseSeconds = 60;
const mostHeld = 2_048;
const mostInFlight = 512;
/** The most calls to endpoints whose last call failed or is yet to come: the others have the rest to themselves. */
const mostUnproven = 256;
const mostRemembered = 10_000;
const stopSeconds = 5;
const recordTries = 6;

/** How many tries were recorded by one run. */
export interface DeliverySummary {
  delivered: number;
  failed: number;
}

/**
 * Works the queue of webhook deliveries: claim, call, record. Any number of them share one database.
 * Call `run` once per deliverer.
 */
export class WebhookDeliverer {
  readonly #db: Database;
  readonly #leaseSeconds: number;
  readonly #record: (outcome: DeliveryOutcome) => Promise<null>;
  readonly #connections = keepConnections();
  readonly #leases: Leases<ClaimedDelivery>;
  readonly #loop: WorkLoop;
  readonly #endpoints = new Map<string, Endpoint>();
  /** Endpoints that can be called, in the order of their turns. */
  readonly #ready = new Set<Endpoint>();
  readonly #mails = new Set<Promise<void>>();
  #inFlight = 0;
  #stopping = false;
  #summary: DeliverySummary = { delivered: 0, failed: 0 };

  constructor({ db, leaseSeconds }: { db: Database; leaseSeconds?: number }) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds ?? defaultLeaseSeconds;
    this.#leases = new Leases(this.#leaseSeconds, (deliveries) =>
      renewDeliveries(db, deliveries, this.#leaseSeconds),
    );
    this.#loop = new WorkLoop({
      claim: () => this.#claim(),
      hungry: () => this.#hungry(),
      held: () => this.#leases.size,
    });
    this.#record = coalesce(
      async (outcomes: DeliveryOutcome[]) => {
        for (const webhook of await recordOutcomes(db, outcomes)) {
          const mail = tellTeam(db, webhook).finally(() => this.#mails.delete(mail));
          this.#mails.add(mail);
        }
        return outcomes.map(() => null);
      },
      { concurrency: 1, largestBatch: 256 },
    );
  }

  /** Looks for due deliveries now. */
  notify(): void {
    this.#loop.notify();
  }

  /** Works until the signal aborts, or, with `untilEmpty`, until nothing is due. */
  async run(signal: AbortSignal, { untilEmpty = false } = {}): Promise<DeliverySummary> {
    const endRenewal = this.#leases.keep();
    try {
      await this.#loop.run(signal, { untilEmpty });
    } finally {
      await this.#stop();
      endRenewal();
    }
    return this.#summary;
  }

  #hungry(): boolean {
    if (this.#leases.size >= mostHeld) return false;
    const rooms = this.#rooms();
    for (const [id, endpoint] of this.#endpoints) {
      if (endpoint.hungry && (rooms.byWebhook.get(id) ?? 0) > 0) return true;
    }
    return false;
  }

  /** How much each endpoint may be given; endpoints that have not proven themselves share a part. */
  #rooms() {
    let held = 0;
    for (const endpoint of this.#endpoints.values()) if (!endpoint.proven) held += endpoint.held;
    const unproven = Math.max(0, mostUnproven - held);
    const byWebhook = new Map(
      [...this.#endpoints].map(([id, endpoint]) => [
        id,
        unproven === 0 && !endpoint.proven ? 0 : endpoint.room,
      ]),
    );
    const proven = [...this.#endpoints].flatMap(([id, endpoint]) => (endpoint.proven ? [id] : []));
    return { byWebhook, others: unproven === 0 ? 0 : Endpoint.firstWindow, proven, unproven };
  }

  /** Whether more may be due. Waits for a database that is away. */
  async #claim(): Promise<boolean> {
    const limit = mostHeld - this.#leases.size;
    if (limit <= 0) return true;
    const rooms = this.#rooms();
    const claimedAt = performance.now();
    try {
      const claimed = await claimDeliveries(this.#db, { ...rooms, limit }, this.#leaseSeconds);
      this.#leases.hold(claimed, claimedAt);
      this.#take(claimed, rooms.byWebhook);
      return claimed.length > 0 || [...this.#endpoints.values()].some(({ more }) => more);
    } catch (error) {
      // The driver's message holds parameters: its code tells enough.
      log.error({ code: errorCode(error) }, "Claiming webhook deliveries failed.");
      return false;
    }
  }

  #take(claimed: ClaimedDelivery[], rooms: ReadonlyMap<string, number>): void {
    const counts = new Map<string, number>();
    for (const delivery of claimed) {
      const { webhookId } = delivery;
      let endpoint = this.#endpoints.get(webhookId);
      if (!endpoint) this.#endpoints.set(webhookId, (endpoint = new Endpoint(delivery.failing)));
      endpoint.queue.push(delivery);
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    }
    for (const [id, endpoint] of this.#endpoints) {
      const count = counts.get(id) ?? 0;
      const room = rooms.get(id) ?? Endpoint.firstWindow;
      if (room > 0) endpoint.more = count >= room;
      if (count > 0) this.#fill(endpoint);
    }
    this.#forget();
  }

  /** Idle endpoints are remembered for their windows, but not for ever. */
  #forget(): void {
    if (this.#endpoints.size <= mostRemembered) return;
    for (const [id, endpoint] of this.#endpoints) {
      if (endpoint.held === 0) this.#endpoints.delete(id);
    }
  }

  /** Where all calls are taken, endpoints take turns: one that always has more to be told holds no other back. */
  #fill(endpoint: Endpoint): void {
    if (endpoint.mayCall) this.#ready.add(endpoint);
    // Whoever is added meanwhile is visited, too.
    for (const next of this.#ready) {
      if (this.#stopping || this.#inFlight >= mostInFlight) return;
      this.#ready.delete(next);
      this.#callNext(next);
      if (next.mayCall) this.#ready.add(next);
    }
  }

  #callNext(endpoint: Endpoint): void {
    if (!endpoint.mayCall) return;
    const next = endpoint.queue.shift();
    if (!next) return;
    if (!this.#leases.holds(next)) {
      // Its lease has run out, and somebody else will claim it.
      this.#leases.release(next);
      return;
    }
    endpoint.inFlight++;
    this.#inFlight++;
    void this.#work(endpoint, next).finally(() => {
      endpoint.recording--;
      this.#leases.release(next);
      this.#loop.settled(endpoint.hungry);
    });
  }

  /** The next call need not wait until this one's result is recorded. */
  #answered(endpoint: Endpoint): void {
    endpoint.inFlight--;
    this.#inFlight--;
    endpoint.recording++;
    this.#fill(endpoint);
  }

  #work(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<void> {
    const attributes = { "lettermill.webhook.delivery.id": delivery.id };
    return traced("call webhook", { kind: "client", attributes }, (span) =>
      this.#call(endpoint, delivery, span),
    );
  }

  async #call(endpoint: Endpoint, delivery: ClaimedDelivery, span: Span): Promise<void> {
    // Never throws: the outcome says what went wrong.
    const outcome = await attemptDelivery(delivery, this.#connections);
    if (outcome.status !== null) span.setAttribute("http.response.status_code", outcome.status);
    const returned = endpoint.learn(outcome);
    for (const waiting of returned) this.#leases.release(waiting);
    this.#answered(endpoint);
    try {
      // A database that is briefly away must not cause a second call for a delivery that was answered.
      await Promise.all([
        keepTrying(() => this.#record(outcome), recordTries),
        this.#release(returned),
      ]);
      const result = outcome.ok ? "delivered" : "failed";
      this.#summary[result]++;
      metrics.webhookCalls.inc({ result });
    } catch (error) {
      // Its lease runs out, and it is tried again.
      log.error(
        { deliveryId: delivery.id, code: errorCode(error) },
        "A webhook delivery could not be recorded.",
      );
    }
  }

  async #release(deliveries: ClaimedDelivery[]): Promise<void> {
    await releaseDeliveries(this.#db, deliveries).catch((error: unknown) => {
      log.warn({ code: errorCode(error) }, "Giving webhook deliveries back failed.");
    });
  }

  async #stop(): Promise<void> {
    this.#stopping = true;
    const waiting = [...this.#endpoints.values()].flatMap((endpoint) => endpoint.queue.splice(0));
    for (const delivery of waiting) this.#leases.release(delivery);
    await this.#release(waiting);
    await this.#loop.drain(stopSeconds);
    await Promise.race([
      Promise.all(this.#mails),
      new Promise((resolve) => setTimeout(resolve, stopSeconds * 1000).unref()),
    ]);
    this.#connections.close();
  }
}
