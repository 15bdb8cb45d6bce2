import type { ConnectionFault } from "@/db/enums";
import { transportOf, type ConnectionRow } from "@/lib/engine/transports/of-connection";
import type { Outcome, Transport } from "@/lib/engine/transports/transport";
import type { Place } from "./slots";
import { Throttle } from "./throttle";
import { Turns } from "./turns";

/** Mail that takes longer gives its place among what is under way to others: its connection has a bound of its own. */
const quickMilliseconds = 100;
/** Mail under way for each session there may be: enough for a fast server until more is claimed. */
const underWayPerSession = 16;
const leastUnderWay = 64;

/** A connection as its table has it, with what the sender needs of it. */
export interface LoadedConnection extends ConnectionRow {
  id: string;
  projectId: string;
  name: string;
  fallbackId: string | null;
  sessions: number;
  held: boolean;
  updatedAt: string;
}

interface SenderCalls {
  onFault: (
    sender: ConnectionSender,
    refusal: { fault: ConnectionFault; words: string },
  ) => Promise<void>;
  /** There was none, and there is room again. */
  onRoom: () => void;
}
type Delivery = Parameters<Transport["deliver"]>;

/** One sending connection as one worker uses it: sessions, pace and bound are its own. */
export class ConnectionSender {
  readonly row: LoadedConnection;
  readonly throttle: Throttle;
  readonly transport: Transport;
  /** Nothing can be handed over. */
  held: boolean;
  readonly #turns = new Turns();
  readonly #calls: SenderCalls;
  readonly #mostUnderWay: number;
  #underWay = 0;
  /** From when there is no room until half of it is free. */
  #full = false;
  #closed = false;

  constructor(row: LoadedConnection, calls: SenderCalls) {
    this.row = row;
    this.#mostUnderWay = Math.max(leastUnderWay, underWayPerSession * row.sessions);
    this.held = row.held;
    this.throttle = new Throttle(`The connection ${row.id}`);
    this.transport = transportOf(row);
    this.#calls = calls;
  }

  /** Whether it could take mail if it had room: neither held nor asked for less. */
  get works(): boolean {
    return !this.held && this.throttle.allowance() >= 1;
  }

  /** Whether it can take one more email now. */
  get hasRoom(): boolean {
    return this.works && !this.#full;
  }

  /** Seconds until an email may be tried again. */
  waitSeconds(): number {
    return this.#turns.next(this.throttle.state?.rate);
  }

  /** An email is to leave through it; `end` when it has, or will not. */
  begin(): { probe: boolean; end: () => void } {
    this.#underWay++;
    if (this.#underWay >= this.#mostUnderWay) this.#full = true;
    return { probe: this.throttle.begin(), end: () => this.#end() };
  }

  #end(): void {
    this.#underWay--;
    if (!this.#full || this.#underWay > this.#mostUnderWay / 2) return;
    this.#full = false;
    this.#calls.onRoom();
  }

  /** Hands an email over; a slow server keeps no place from others. */
  async deliver(place: Place, ...delivery: Delivery): Promise<Outcome> {
    let away = false;
    const timer = setTimeout(
      () => {
        away = true;
        place.leave();
      },
      this.#underWay > this.row.sessions ? 0 : quickMilliseconds,
    );
    try {
      const outcome = await this.transport.deliver(...delivery);
      if (outcome.kind === "accepted") this.throttle.accepted();
      if (outcome.kind === "unavailable" && !this.#closed) {
        const fault = outcome.loginRefused ? "refused" : "unreachable";
        await this.#calls.onFault(this, { fault, words: outcome.reason });
      }
      return outcome;
    } finally {
      clearTimeout(timer);
      if (away) place.enter();
    }
  }

  /** Ends idle sessions; what is under way finishes. */
  close(): void {
    this.#closed = true;
    this.transport.close();
  }
}
