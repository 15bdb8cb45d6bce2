import { log } from "@/lib/ground/log";
import { campaignShare } from "@/lib/mail/campaign-share";
import { Unavailable, type SmtpConnection } from "./client-connection";

/** Campaigns leave some sessions to the other lane. */
export type SessionLane = "transactional" | "campaign";

export interface PoolTimes {
  /** A session without an answer for this long no longer counts: another may be opened beside it. */
  stalledSeconds: number;
  /** After being idle this long, a session is asked whether it is still alive before it carries anything. */
  freshSeconds: number;
  /** How long it may take to answer that. */
  checkSeconds: number;
  /** Less than the five minutes after which servers hang up. */
  idleSeconds: number;
  /** How long until one more session than the server allowed is tried; doubles up to `longestRaiseSeconds`. */
  raiseSeconds: number;
  longestRaiseSeconds: number;
  /** How long a caller waits for a session. */
  waitSeconds: number;
}

const usualTimes: PoolTimes = {
  stalledSeconds: 10,
  freshSeconds: 5,
  checkSeconds: 3,
  idleSeconds: 60,
  raiseSeconds: 30,
  longestRaiseSeconds: 600,
  waitSeconds: Infinity,
};
/** How many sessions may wait for an answer beyond those that may be open. */
const mostStalled = 200;

/** All sessions were busy with other mail for longer than the caller was to wait. */
export class AllBusy extends Error {}

interface Waiter {
  resolve: (connection: SmtpConnection) => void;
  reject: (error: Unavailable | AllBusy) => void;
}

interface Busy {
  lane: SessionLane;
  stalled: boolean;
  timer: NodeJS.Timeout;
}

/**
 * Sessions with one server, as many as are needed and as it allows: a session that it refuses while others
 * are open lowers the ceiling, and time raises it again. Silent sessions hold up only their own mail.
 */
export class SessionPool {
  readonly #openSession: () => Promise<SmtpConnection>;
  /** The most sessions. */
  readonly #most: number;
  readonly #times: PoolTimes;
  readonly #busy = new Map<SmtpConnection, Busy>();
  readonly #waiting: Record<SessionLane, Waiter[]> = { transactional: [], campaign: [] };
  /** Newest last; `since` is by performance.now(). */
  #idle: { connection: SmtpConnection; since: number }[] = [];
  #connecting = 0;
  #checking = 0;
  #ceiling: number;
  #raiseAt = Infinity;
  #raiseSeconds: number;
  #sweeper: NodeJS.Timeout | null = null;
  #closed = false;
  /** Told why no session is available, and when one is again (null). */
  onAvailability: (reason: string | null) => void = () => {};

  /** `openSession` throws Unavailable; `most`: sessions at once. */
  constructor(
    openSession: () => Promise<SmtpConnection>,
    most: number,
    times: Partial<PoolTimes> = {},
  ) {
    this.#openSession = openSession;
    this.#most = most;
    this.#times = { ...usualTimes, ...times };
    this.#ceiling = most;
    this.#raiseSeconds = this.#times.raiseSeconds;
  }

  /** A session for the caller alone until `release`. Throws Unavailable when none is available, AllBusy after `waitSeconds`. */
  acquire(lane: SessionLane): Promise<SmtpConnection> {
    if (this.#closed) return Promise.reject(new Unavailable("No more mail is sent."));
    return new Promise((resolve, reject) => {
      this.#waiting[lane].push(this.#limited(lane, { resolve, reject }));
      this.#serve();
    });
  }

  /** The same waiter, but one that gives up after a while. */
  #limited(lane: SessionLane, { resolve, reject }: Waiter): Waiter {
    const { waitSeconds } = this.#times;
    if (waitSeconds === Infinity) return { resolve, reject };
    const timer = setTimeout(() => {
      this.#waiting[lane] = this.#waiting[lane].filter((one) => one !== waiter);
      reject(new AllBusy("All sessions are in use."));
    }, waitSeconds * 1000);
    const waiter: Waiter = {
      resolve: (connection) => {
        clearTimeout(timer);
        resolve(connection);
      },
      reject: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    };
    return waiter;
  }

  release(connection: SmtpConnection): void {
    clearTimeout(this.#busy.get(connection)?.timer);
    this.#busy.delete(connection);
    if (connection.usable && this.#closed) connection.close();
    else if (connection.usable) this.#addIdle(connection);
    this.#serve();
  }

  /** Opens one session, regardless of the ceiling, to find out whether the server is back. */
  async open(): Promise<boolean> {
    this.#connecting++;
    try {
      const connection = await this.#openSession();
      this.#connecting--;
      if (this.#closed) connection.close();
      else if (connection.usable) this.#addIdle(connection);
      if (this.#counted >= this.#ceiling) this.#raiseSeconds = this.#times.raiseSeconds;
      this.onAvailability(null);
      this.#serve();
      return true;
    } catch (error) {
      this.#connecting--;
      this.#refused(error instanceof Unavailable ? error : new Unavailable(String(error)));
      return false;
    }
  }

  /** Turns away waiting callers and ends idle sessions; what is under way finishes. */
  close(): void {
    this.#closed = true;
    if (this.#sweeper) clearInterval(this.#sweeper);
    this.#turnAway(new Unavailable("No more mail is sent."));
    for (const { connection } of [...this.#idle]) connection.close();
  }

  /** Open or being opened, without those that do not answer. */
  get #counted(): number {
    return this.#inUse(() => true) + this.#idle.length + this.#connecting + this.#checking;
  }

  #inUse(counts: (busy: Busy) => boolean): number {
    let count = 0;
    for (const busy of this.#busy.values()) if (!busy.stalled && counts(busy)) count++;
    return count;
  }

  /** How many more sessions campaigns may have. */
  get #campaignRoom(): number {
    return campaignShare(this.#ceiling) - this.#inUse(({ lane }) => lane === "campaign");
  }

  #serve(): void {
    for (;;) {
      const lane: SessionLane =
        this.#waiting.transactional.length > 0 ? "transactional" : "campaign";
      if (this.#waiting[lane].length === 0) return;
      if (lane === "campaign" && this.#campaignRoom <= 0) return;
      const connection = this.#takeIdle();
      if (!connection) break;
      this.#hand(connection, lane);
    }
    const needed =
      this.#waiting.transactional.length +
      Math.min(this.#waiting.campaign.length, Math.max(0, this.#campaignRoom)) -
      this.#connecting -
      this.#checking;
    if (performance.now() >= this.#raiseAt && this.#ceiling < this.#most) {
      this.#ceiling++;
      this.#raiseAt = performance.now() + this.#raiseSeconds * 1000;
    }
    const room = Math.min(this.#ceiling - this.#counted, mostStalled - this.#busy.size);
    for (let opened = 0; opened < Math.min(needed, room); opened++) void this.open();
  }

  #hand(connection: SmtpConnection, lane: SessionLane): void {
    const timer = setTimeout(() => {
      const busy = this.#busy.get(connection);
      if (busy) busy.stalled = true;
      this.#serve();
    }, this.#times.stalledSeconds * 1000);
    this.#busy.set(connection, { lane, stalled: false, timer });
    this.#waiting[lane].shift()?.resolve(connection);
  }

  /** A session that was used a moment ago; otherwise the newest of the older ones, if it is still alive. */
  #takeIdle(): SmtpConnection | null {
    const newest = this.#idle.pop();
    if (!newest) return null;
    const { connection, since } = newest;
    if (performance.now() - since < this.#times.freshSeconds * 1000) return connection;
    this.#checking++;
    void connection.answers(this.#times.checkSeconds).then((alive) => {
      this.#checking--;
      if (alive) this.#addIdle(connection);
      // Those that have been idle for longer have most likely died too.
      else
        for (const older of this.#idle.filter((one) => one.since <= since))
          older.connection.close();
      this.#serve();
    });
    return null;
  }

  #addIdle(connection: SmtpConnection): void {
    connection.onEnd = () => {
      this.#idle = this.#idle.filter((idle) => idle.connection !== connection);
    };
    this.#idle.push({ connection, since: performance.now() });
    this.#sweeper ??= setInterval(
      () => this.#sweep(),
      (this.#times.idleSeconds * 1000) / 6,
    ).unref();
  }

  #sweep(): void {
    const oldest = performance.now() - this.#times.idleSeconds * 1000;
    for (const { connection, since } of [...this.#idle]) if (since < oldest) connection.close();
  }

  /** No session could be opened: if others are open, it was one too many; otherwise the server is down. */
  #refused(error: Unavailable): void {
    const reason = error.message;
    const open = this.#counted - this.#connecting;
    if (open > 0) {
      if (this.#ceiling > open)
        log.info({ sessions: open, reason }, "The mail server allows fewer sessions.");
      this.#ceiling = open;
      this.#raiseAt = performance.now() + this.#raiseSeconds * 1000;
      this.#raiseSeconds = Math.min(this.#raiseSeconds * 2, this.#times.longestRaiseSeconds);
    } else if (this.#connecting === 0) {
      this.onAvailability(reason);
      this.#turnAway(error);
    }
  }

  #turnAway(error: Unavailable): void {
    const waiting = [...this.#waiting.transactional.splice(0), ...this.#waiting.campaign.splice(0)];
    for (const waiter of waiting) waiter.reject(error);
  }
}
