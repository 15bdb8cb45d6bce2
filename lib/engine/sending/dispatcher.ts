import type { Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { log } from "@/lib/ground/log";
import { answerWithin } from "@/lib/ground/queue/answer-within";
import { Leases } from "@/lib/ground/queue/leases";
import { WorkLoop } from "@/lib/ground/queue/work-loop";
import { Attempts } from "./attempts";
import type { ClaimedEmail } from "./claim";
import { Claims, DatabaseSilent, type Claim } from "./claims";
import { Connections } from "./connections";
import { MessageContents } from "@/lib/mail/content/message-contents";
import { LaneWeights } from "./lane-weights";
import { recheckClaims, renewLeases } from "./leases";
import { Outage } from "./outage";
import { Parking } from "./parking";
import { allMail, type Part } from "./part";
import { PausedSenders } from "./paused-senders";
import { Places } from "./slots";
import { QueueCalls } from "./queue-calls";
import { Receivers } from "./receivers";
import { Rechecks } from "./rechecks";
import { RefusedCampaigns } from "./refused-campaigns";
import { Results } from "./results";
import { Sleepers } from "./sleepers";
import { Throttle } from "./throttle";
import { Pace, WaitingMail, type Held } from "./waiting";
import type { Transport } from "@/lib/mail/transport";

/** A crash costs only the lease; it is renewed for mail that is held longer. */
const defaultLeaseSeconds = 10;
/** The most emails to claim ahead, so that the next one is at hand when one is done. */
const mostAhead = 200;
const leastAhead = 8;
/** Emails being made, handed over or recorded: what a `kill -9` can send twice. */
const defaultConcurrency = 48;
const stopSeconds = 10;
/** Ten minutes for the reply to the final dot, plus what comes before it. */
const longestHandOverSeconds = 660;
/** Mail that workers died with: how often to look for it, and how long to work on it alone, in total and per email. */
const suspects = { lookMilliseconds: 1_000, turnMilliseconds: 2_000, oneSeconds: 5 };
/** When a project has too much mail waiting to be rendered, its mail is looked at again after this long. */
const parkedSeconds = 5;

export interface DispatcherOptions {
  db: Database;
  /** null: everything is captured. */
  transport: Transport | null;
  leaseSeconds?: number;
  concurrency?: number;
  part?: Part;
  /** A file beside the data that reveals a database restored from a backup. */
  witnessFile?: string;
}

/** How much was done by one run. */
export interface DispatchSummary {
  /** Attempts recorded: handed over, refused or failed. */
  recorded: number;
  /** Ended when claimed: suppressed or unsubscribed in the meantime. */
  refused: number;
}

/**
 * Works the queue of emails: claim, hand over, record. Any number of them share one database; each
 * holds what it claimed by lease. Call `run` once per dispatcher.
 */
export class Dispatcher {
  readonly #db: Database;
  readonly #transport: Transport | null;
  readonly #claims: Claims;
  readonly #leases: Leases<ClaimedEmail>;
  readonly #loop: WorkLoop;
  readonly #attempts: Attempts;
  readonly #calls: QueueCalls;
  readonly #results: Results;
  readonly #refused: RefusedCampaigns;
  readonly #senders: PausedSenders;
  readonly #connections: Connections;
  readonly #outage: Outage;
  readonly #places: Places;
  readonly #waiting = new WaitingMail();
  readonly #parking = new Parking();
  readonly #sleepers: Sleepers;
  readonly #throttle = new Throttle();
  readonly #receivers = new Receivers();
  readonly #weights = new LaneWeights();
  readonly #pace = new Pace({ least: leastAhead, most: mostAhead });
  /** Of performance.now(). */
  #nextSuspectLook = 0;
  /** When a campaign was last paused, of performance.now(). */
  #pausedAt = -Infinity;
  #shortRun = false;
  #summary: DispatchSummary = { recorded: 0, refused: 0 };

  constructor({ db, transport, concurrency, part = allMail, ...options }: DispatcherOptions) {
    this.#db = db;
    this.#transport = transport;
    const seconds = options.leaseSeconds ?? defaultLeaseSeconds;
    this.#senders = new PausedSenders(db);
    this.#sleepers = new Sleepers(db);
    this.#connections = new Connections(db, () => this.#loop.notify());
    this.#outage = new Outage(db, transport, () => this.#loop.notify());
    const shared = {
      transport,
      throttle: this.#throttle,
      receivers: this.#receivers,
      senders: this.#senders,
      connections: this.#connections,
      outage: this.#outage,
    };
    this.#claims = new Claims(db, { ...shared, ...options, leaseSeconds: seconds, part });
    this.#calls = new QueueCalls(db);
    this.#results = new Results(db, this.#calls.record);
    this.#refused = new RefusedCampaigns(db, () => {
      this.#pausedAt = performance.now();
      return this.#giveWaitingBack();
    });
    this.#places = new Places(concurrency ?? defaultConcurrency, () => {
      this.#fill();
      this.#loop.settled(this.#wanted() > 0);
    });
    this.#leases = new Leases(seconds, (emails) => renewLeases(db, emails, seconds));
    this.#attempts = new Attempts({
      ...shared,
      contents: new MessageContents(db),
      calls: this.#calls,
      leases: this.#leases,
      results: this.#results,
      refused: this.#refused,
      parking: this.#parking,
      rechecks: new Rechecks({
        ask: (emails) => recheckClaims(db, emails),
        campaignPausedAt: () => this.#pausedAt,
      }),
      queue: {
        giveWaitingBack: () => this.#giveWaitingBack(),
        fill: () => this.#fill(),
        noteRecorded: () => void this.#summary.recorded++,
      },
    });
    this.#loop = new WorkLoop({
      claim: (signal) => this.#claim(signal),
      hungry: () => this.#wanted() > 0,
      held: () => this.#leases.size,
    });
  }

  /** Looks for due mail now. */
  notify(): void {
    this.#loop.notify();
  }

  /**
   * Works until the signal aborts, or, with `untilEmpty`, until nothing is due. It then starts nothing more, gives
   * back what it has not started and waits for what is under way.
   */
  async run(signal: AbortSignal, { untilEmpty = false } = {}): Promise<DispatchSummary> {
    const ends = [this.#leases.keep(), this.#claims.keep({ shortRun: untilEmpty })];
    this.#shortRun = untilEmpty;
    try {
      await this.#loop.run(signal, { untilEmpty });
    } finally {
      const drained = this.#stop();
      // The caller of a short run gets an answer; mail under way is still ours.
      if (untilEmpty) await answerWithin(stopSeconds * 1000, drained);
      else await drained;
      void drained.finally(() => {
        for (const end of ends) end();
      });
      this.#transport?.close();
    }
    return this.#summary;
  }

  /** Whether more may be due. Waits for a database that is away. */
  async #claim(signal: AbortSignal): Promise<boolean> {
    // Outcomes are recorded before more mail is started.
    if (signal.aborted || this.#results.waiting) return false;
    try {
      const among = await this.#outage.projects(signal);
      if (among === null) await this.#workSuspects(signal);
      const sleepersLeft = await this.#sleepers.wake();
      const wanted = this.#wanted();
      // Campaign mail that cannot leave does not keep other mail from being claimed.
      const limit = Math.min(
        wanted || leastAhead - this.#waiting.transactional,
        this.#throttle.allowance() - this.#waiting.length,
      );
      if (limit <= 0) return true;
      const keptForCampaigns = wanted > 0 ? this.#weights.keptForCampaigns(limit) : 0;
      const options = { limit, campaigns: wanted > 0, keptForCampaigns };
      const claim = await this.#claims.due(options, among);
      this.#take(claim);
      if (among !== null && this.#shortRun && this.#leases.size === 0) {
        await this.#outage.ended(signal);
        return true;
      }
      if (wanted === 0) return true;
      this.#weights.noteClaim(claim.leftRoom);
      return sleepersLeft || claim.emails.length + claim.refused >= limit;
    } catch (error) {
      if (error instanceof DatabaseSilent) throw error;
      // The driver's message holds parameters: its code tells enough.
      log.error({ code: errorCode(error) }, "Claiming mail failed.");
      return false;
    }
  }

  #take({ emails, refused, claimedAt }: Claim): void {
    this.#summary.refused += refused;
    this.#leases.hold(emails, claimedAt);
    for (const email of emails) this.#waiting.push(email, claimedAt);
    this.#fill();
  }

  /** Mail that workers died with is worked on alone, one at a time: if it kills again, it takes no other mail with it. */
  async #workSuspects(signal: AbortSignal): Promise<void> {
    const started = performance.now();
    if (started < this.#nextSuspectLook) return;
    this.#nextSuspectLook = started + suspects.lookMilliseconds;
    if (!(await this.#claims.hasSuspects())) return;
    await this.#giveWaitingBack();
    await this.#loop.drain(suspects.oneSeconds);
    while (!signal.aborted && performance.now() - started < suspects.turnMilliseconds) {
      const claim = await this.#claims.suspect();
      if (!claim) break;
      this.#take(claim);
      await this.#loop.drain(suspects.oneSeconds);
    }
  }

  /** How many to claim now; 0 when enough is already waiting here. */
  #wanted(): number {
    const ahead = this.#pace.lookahead();
    if (this.#waiting.length >= ahead / 2) return 0;
    const room = ahead - this.#waiting.length + this.#places.free;
    return Math.max(0, Math.min(room, this.#throttle.allowance() - this.#waiting.length));
  }

  #fill(): void {
    while (this.#places.free > 0 && !this.#results.waiting && this.#throttle.allowance() > 0) {
      const next = this.#next();
      if (!next) break;
      if (this.#parking.isFull(next.email.projectId)) {
        void this.#giveBackLater(next.email, parkedSeconds);
        continue;
      }
      const turn = this.#receivers.begin(next.email.recipient);
      if (turn.waitSeconds > 0) {
        void this.#giveBackLater(next.email, turn.waitSeconds);
        continue;
      }
      const place = this.#places.take();
      const probe = this.#throttle.begin() || turn.probe;
      void this.#attempts.finish(next, place, probe).finally(() => {
        place.end();
        this.#leases.release(next.email);
        this.#pace.note();
        this.#fill();
        this.#loop.settled(this.#wanted() > 0);
      });
    }
  }

  #next(): Held | undefined {
    if (this.#refused.pausing) return this.#waiting.shift(false);
    // In a flood of other mail, slots are hardly ever free: a campaign's turn needs only one.
    const inTurn = this.#weights.takeTurn() ? this.#waiting.shiftCampaigns() : undefined;
    return inTurn ?? this.#waiting.shift(this.#places.freeForCampaigns);
  }

  async #giveBackLater(email: ClaimedEmail, seconds: number): Promise<void> {
    try {
      await this.#calls.postpone({ email, seconds });
    } catch (error) {
      // Its lease expires on its own, and some worker tries again.
      log.warn({ code: errorCode(error) }, "Giving mail back failed.");
    } finally {
      this.#leases.release(email);
      this.#loop.settled(this.#wanted() > 0);
    }
  }

  /** Claimed mail that has not been started is due again at once, for any worker. */
  async #giveWaitingBack(): Promise<void> {
    const waiting = this.#waiting.drain().map(({ email }) => email);
    for (const email of waiting) this.#leases.release(email);
    await Promise.all(waiting.map(this.#calls.release));
  }

  async #stop(): Promise<void> {
    this.#parking.stop();
    const connectionsClosed = this.#connections.close();
    await answerWithin(stopSeconds * 1000, this.#giveWaitingBack()).catch((error: unknown) => {
      log.warn({ code: errorCode(error) }, "Giving mail back failed.");
    });
    await this.#loop.drain(longestHandOverSeconds);
    await Promise.all([this.#refused.told(), this.#senders.told(), connectionsClosed]);
  }
}
