import type { HandOver } from "@/lib/mail/transport";
import type { ClaimedEmail } from "./claim";

/** An email a dispatcher holds. */
export interface Held {
  email: ClaimedEmail;
  /** performance.now() when it was last checked who may get it. */
  checkedAt: number;
  /** The lane in which it waits for a session with the server. */
  lane: HandOver["lane"];
}

/** Mail that is claimed but not started; transactional mail comes before campaign mail. */
export class WaitingMail {
  #transactional: Held[] = [];
  #campaigns: Held[] = [];

  get length(): number {
    return this.#transactional.length + this.#campaigns.length;
  }

  get transactional(): number {
    return this.#transactional.length;
  }

  push(email: ClaimedEmail, checkedAt: number): void {
    if (email.campaignId === null) {
      this.#transactional.push({ email, checkedAt, lane: "transactional" });
    } else this.#campaigns.push({ email, checkedAt, lane: "campaign" });
  }

  /** `campaigns`: whether it may be mail of a campaign. */
  shift(campaigns: boolean): Held | undefined {
    return this.#transactional.shift() ?? (campaigns ? this.#campaigns.shift() : undefined);
  }

  /** Campaign mail whose turn it is although other mail is waiting: it travels in the other lane. */
  shiftCampaigns(): Held | undefined {
    const held = this.#campaigns.shift();
    return held && { ...held, lane: "transactional" };
  }

  /** Takes all of it. */
  drain(): Held[] {
    return [...this.#transactional.splice(0), ...this.#campaigns.splice(0)];
  }
}

const windowMilliseconds = 500;

/**
 * How much to claim ahead: about as much as goes out in half a second, so that claimed mail is not old when it
 * leaves and new mail does not end up behind a queue, however slow the mail server is.
 */
export class Pace {
  readonly #least: number;
  readonly #most: number;
  #windowStart = 0;
  #count = 0;
  #before = 0;

  constructor({ least, most }: { least: number; most: number }) {
    this.#least = least;
    this.#most = most;
  }

  /** One more is finished. */
  note(now: number = performance.now()): void {
    this.#turn(now);
    this.#count++;
  }

  /** How many emails to hold in addition to those being worked on. */
  lookahead(now: number = performance.now()): number {
    this.#turn(now);
    return Math.min(this.#most, Math.max(this.#least, this.#before, this.#count));
  }

  #turn(now: number): void {
    const passed = now - this.#windowStart;
    if (passed < windowMilliseconds) return;
    this.#before = passed < 2 * windowMilliseconds ? this.#count : 0;
    this.#count = 0;
    this.#windowStart = now;
  }
}
