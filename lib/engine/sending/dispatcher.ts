import type { Database } from "@/db/client";
import { errorCode } from "@/db/errors";
import { coalesce } from "@/lib/ground/coalesce";
import { log } from "@/lib/ground/log";
import { Leases } from "@/lib/ground/queue/leases";
import { keepTrying, WorkLoop } from "@/lib/ground/queue/work-loop";
import { claimEmails, claimSuspect, type ClaimedEmail } from "./claim";
import { MessageContents } from "@/lib/mail/content/message-contents";
import { pauseRefused } from "@/lib/engine/campaigns/pause-refused";
import { Breaker } from "./breaker";
import { deliverEmail } from "./deliver";
import { recheckClaims, postponeEmails, releaseEmails, renewLeases } from "./leases";
import { Parking } from "./parking";
import { recordResults } from "./record";
import { troubledResult, type DeliveryResult } from "./result";
import { endHopeless } from "./suspects";
import { Pace, WaitingMail, type Held } from "./waiting";
import type { Transport } from "@/lib/engine/transports/transport";

/** A crash costs the lease and no more; mail that is held longer has it renewed. */
const defaultLeaseSeconds = 90;
/** Claimed ahead at most, so that the next email is there when one is done. */
const mostAhead = 200;
const leastAhead = 8;
/** Campaign mail claimed longer ago is looked up again: who leaves is left alone within a second. */
const freshMilliseconds = 500;
/** Emails being made, handed over or recorded: what a `kill -9` can send twice. */
const defaultConcurrency = 48;
/** Of those, one in so many is never a campaign's. */
const keptShare = 6;
/** Mail whose server takes longer than that no longer keeps others from being started. */
const slowMilliseconds = 10_000;
const mostSlow = 1_000;
/** Mail of a project that has too much of it waiting to be rendered is looked at again after this. */
const postponedSeconds = 5;
const stopSeconds = 10;
/** A minute and a half. */
const recordTries = 20;
/** How often to look for mail that workers died with, how long to work on it alone, and on one of it. */
const suspects = { lookMilliseconds: 1_000, turnMilliseconds: 2_000, oneSeconds: 5 };
/** A claim that neither comes back nor fails: the pool is broken, and only a new process helps. */
const longestClaimMilliseconds = 60_000;

export interface DispatcherOptions {
  db: Database;
  /** null: everything is captured. */
  transport: Transport | null;
  leaseSeconds?: number;
  concurrency?: number;
}

/** How much was done by one run. */
export interface DispatchSummary {
  /** Tries recorded: handed over, refused or failed. */
  recorded: number;
  /** Ended at the claim: suppressed meanwhile, or unsubscribed. */
  refused: number;
}

/**
 * Works the queue of emails: claim, hand over, record. Any number of them share one database; each
 * holds what it claimed by lease. `run` once per dispatcher.
 */
export class Dispatcher {
  readonly #db: Database;
  readonly #transport: Transport | null;
  readonly #leaseSeconds: number;
  readonly #leases: Leases<ClaimedEmail>;
  readonly #loop: WorkLoop;
  readonly #concurrency: number;
  readonly #contents: MessageContents;
  readonly #record: (result: DeliveryResult) => Promise<boolean>;
  readonly #release: (email: ClaimedEmail) => Promise<null>;
  readonly #recheck: (email: ClaimedEmail) => Promise<boolean>;
  readonly #breaker = new Breaker();
  readonly #postpone: (email: ClaimedEmail) => Promise<null>;
  readonly #waiting = new WaitingMail();
  readonly #parking = new Parking();
  readonly #pace = new Pace({ least: leastAhead, most: mostAhead });
  #inFlight = 0;
  /** Campaigns that are being paused: until that is done none of their mail is started. */
  #pausing = 0;
  /** Under way beside those. */
  #slow = 0;
  /** Of performance.now(). */
  #nextSuspectLook = 0;
  #summary: DispatchSummary = { recorded: 0, refused: 0 };

  constructor({ db, transport, leaseSeconds, concurrency }: DispatcherOptions) {
    this.#db = db;
    this.#transport = transport;
    this.#leaseSeconds = leaseSeconds ?? defaultLeaseSeconds;
    this.#concurrency = concurrency ?? defaultConcurrency;
    this.#contents = new MessageContents(db);
    this.#leases = new Leases(this.#leaseSeconds, (emails) =>
      renewLeases(db, emails, this.#leaseSeconds),
    );
    this.#loop = new WorkLoop({
      claim: (signal) => this.#claim(signal),
      hungry: () => this.#wanted() > 0,
      held: () => this.#leases.size,
    });
    this.#record = coalesce(
      async (results: DeliveryResult[]) => {
        const ids = await recordResults(db, results);
        return results.map(({ email }) => ids.has(email.id));
      },
      { concurrency: 1, largestBatch: 128 },
    );
    this.#release = coalesce(
      async (emails: ClaimedEmail[]) => {
        await releaseEmails(db, emails);
        return emails.map(() => null);
      },
      { concurrency: 1 },
    );
    this.#postpone = coalesce(
      async (emails: ClaimedEmail[]) => {
        await postponeEmails(db, emails, postponedSeconds);
        return emails.map(() => null);
      },
      { concurrency: 1 },
    );
    this.#recheck = coalesce(async (emails: ClaimedEmail[]) => {
      const allowed = await recheckClaims(db, emails);
      return emails.map(({ id }) => allowed.has(id));
    });
  }

  /** Looks for due mail now. */
  notify(): void {
    this.#loop.notify();
  }

  /**
   * Works until the signal aborts, or, with `untilEmpty`, until nothing is due. Then starts nothing
   * more, gives back what it has not started and waits for what is under way.
   */
  async run(signal: AbortSignal, { untilEmpty = false } = {}): Promise<DispatchSummary> {
    const endRenewal = this.#leases.keep();
    try {
      await this.#loop.run(signal, { untilEmpty });
    } finally {
      await this.#stop();
      endRenewal();
      this.#transport?.close();
    }
    return this.#summary;
  }

  /** Whether more may be due. A database that is away is waited for. */
  async #claim(signal: AbortSignal): Promise<boolean> {
    await this.#transport?.ready(signal);
    if (signal.aborted) return false;
    try {
      await this.#workSuspects(signal);
      const wanted = this.#wanted();
      // Campaign mail that cannot leave keeps no other from being claimed.
      const limit = wanted || leastAhead - this.#waiting.transactional;
      if (limit <= 0) return true;
      const claimedAt = performance.now();
      const answer = await answerWithin(
        longestClaimMilliseconds,
        claimEmails(this.#db, {
          limit,
          leaseSeconds: this.#leaseSeconds,
          campaigns: wanted > 0,
        }),
      );
      if (answer === null) throw new DatabaseSilent("The database does not answer.");
      this.#take(answer, claimedAt);
      return wanted === 0 || answer.emails.length + answer.refused >= limit;
    } catch (error) {
      if (error instanceof DatabaseSilent) throw error;
      // The driver's message holds parameters: its code tells enough.
      log.error({ code: errorCode(error) }, "Claiming mail failed.");
      return false;
    }
  }

  #take({ emails, refused }: Awaited<ReturnType<typeof claimEmails>>, claimedAt: number): void {
    this.#summary.refused += refused;
    this.#leases.hold(emails, claimedAt);
    for (const email of emails) this.#waiting.push({ email, checkedAt: claimedAt });
    this.#fill();
  }

  /** Mail that workers died with is worked on one by one while nothing else is: it takes nobody along. */
  async #workSuspects(signal: AbortSignal): Promise<void> {
    const started = performance.now();
    if (started < this.#nextSuspectLook) return;
    this.#nextSuspectLook = started + suspects.lookMilliseconds;
    if (!(await endHopeless(this.#db))) return;
    await this.#giveWaitingBack();
    await this.#loop.drain(suspects.oneSeconds);
    while (!signal.aborted && performance.now() - started < suspects.turnMilliseconds) {
      const claimedAt = performance.now();
      const answer = await claimSuspect(this.#db, this.#leaseSeconds);
      if (answer.emails.length + answer.refused === 0) break;
      this.#take(answer, claimedAt);
      await this.#loop.drain(suspects.oneSeconds);
    }
  }

  /** How many to claim now; 0: what waits here will do for the moment. */
  #wanted(): number {
    const ahead = this.#pace.lookahead();
    if (this.#waiting.length >= ahead / 2) return 0;
    return Math.max(0, ahead - this.#waiting.length + this.#concurrency - this.#inFlight);
  }

  #fill(): void {
    const ofCampaigns = this.#concurrency - Math.floor(this.#concurrency / keptShare);
    while (this.#inFlight < this.#concurrency) {
      const next = this.#waiting.shift(this.#pausing === 0 && this.#inFlight < ofCampaigns);
      if (!next) break;
      if (this.#parking.isFull(next.email.projectId)) {
        void this.#giveBackLater(next.email);
        continue;
      }
      this.#inFlight++;
      let slow = false;
      const slowness = setTimeout(() => {
        if (this.#slow >= mostSlow) return;
        slow = true;
        this.#slow++;
        this.#inFlight--;
        this.#fill();
        this.#loop.notify();
      }, slowMilliseconds);
      void this.#work(next).finally(() => {
        clearTimeout(slowness);
        if (slow) this.#slow--;
        else this.#inFlight--;
        this.#leases.release(next.email);
        this.#pace.note();
        this.#fill();
        this.#loop.settled(this.#wanted() > 0);
      });
    }
  }

  async #giveBackLater(email: ClaimedEmail): Promise<void> {
    try {
      await this.#postpone(email);
    } catch (error) {
      // Its lease ends by itself, and somebody tries again.
      log.warn({ code: errorCode(error) }, "Giving mail back failed.");
    } finally {
      this.#leases.release(email);
      this.#loop.settled(this.#wanted() > 0);
    }
  }

  async #work(held: Held): Promise<void> {
    const { email } = held;
    try {
      const result = await this.#attempt(held);
      if (result === "withheld") return;
      if (result === "unavailable") {
        // The whole queue would meet the same: it goes back and waits for the server.
        await Promise.all([this.#release(email), this.#giveWaitingBack()]);
        return;
      }
      void this.#considerPausing(result);
      // After a server's 250 the result must reach the database: one that is away is waited for.
      await keepTrying(() => this.#record(result), recordTries);
      this.#summary.recorded++;
    } catch (error) {
      // Its lease ends by itself, and somebody tries again.
      log.error({ emailId: email.id, code: errorCode(error) }, "A delivery could not be finished.");
    }
  }

  /** A campaign that a server refuses whoever it is for waits for its owner instead of meeting it all. */
  async #considerPausing({ email, commonRefusal }: DeliveryResult): Promise<void> {
    if (email.campaignId === null || !this.#breaker.note(email.campaignId, commonRefusal)) return;
    this.#pausing++;
    try {
      await pauseRefused(this.#db, email.campaignId, commonRefusal ?? "");
      await this.#giveWaitingBack();
    } catch (error) {
      // The next refusals will have it paused.
      log.error({ code: errorCode(error) }, "A refused campaign could not be paused.");
    } finally {
      this.#pausing--;
      this.#fill();
    }
  }

  async #attempt(held: Held): Promise<DeliveryResult | "withheld" | "unavailable"> {
    try {
      return await deliverEmail(held.email, {
        contents: this.#contents,
        transport: this.#transport,
        mayStart: () => this.#mayStart(held),
        whileRendering: (draft) =>
          this.#parking.watch(held.email.projectId, draft, {
            leave: () => {
              this.#inFlight--;
              this.#fill();
              this.#loop.settled(this.#wanted() > 0);
            },
            enter: () => this.#inFlight++,
          }),
      });
    } catch (error) {
      log.error(
        { emailId: held.email.id, code: errorCode(error), err: stackOf(error) },
        "A delivery failed unexpectedly.",
      );
      return troubledResult(held.email);
    }
  }

  async #mayStart(held: Held): Promise<boolean> {
    const now = performance.now();
    if (held.email.campaignId !== null && now - held.checkedAt > freshMilliseconds) {
      try {
        if (!(await this.#recheck(held.email))) return false;
        held.checkedAt = now;
      } catch (error) {
        // Who may not be asked about is not sent to: the lease ends by itself.
        log.warn({ code: errorCode(error) }, "Checking claimed mail failed.");
        return false;
      }
    }
    return this.#leases.holds(held.email);
  }

  /** What is claimed and not started is due again at once, for anybody. */
  async #giveWaitingBack(): Promise<void> {
    const waiting = this.#waiting.drain().map(({ email }) => email);
    for (const email of waiting) this.#leases.release(email);
    await Promise.all(waiting.map(this.#release));
  }

  async #stop(): Promise<void> {
    await answerWithin(stopSeconds * 1000, this.#giveWaitingBack()).catch((error: unknown) => {
      log.warn({ code: errorCode(error) }, "Giving mail back failed.");
    });
    await this.#loop.drain(stopSeconds);
  }
}

class DatabaseSilent extends Error {}

/** What the promise resolves to; null when it takes longer. */
async function answerWithin<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}

/** Where it happened, without the message: that may hold people's addresses. */
function stackOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6);
}
