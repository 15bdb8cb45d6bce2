import type { ConnectionFault } from "@/db/enums";
import { transportOf, type ConnectionRow } from "@/lib/engine/transports/of-connection";
import type { Outcome, Transport } from "@/lib/mail/transport";
import type { Place } from "./slots";
import { Throttle } from "./throttle";
import { Yielding } from "./yielding";
import { Turns } from "@/lib/ground/queue/turns";

/** Mail that takes longer gives its place in the worker to others: its connection has a limit of its own. */
const quickMilliseconds = 100;
/** Emails under way per session: enough for a fast server until more are claimed. */
const underWayPerSession = 16;
const leastUnderWay = 64;
/** Where each receiving host has a bound of its own. */
const mostToReceivers = 256;

/** A connection's row, as far as the sender needs it. */
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
  /** Called when there was no room and there is some again. */
  onRoom: () => void;
}
type Delivery = Parameters<Transport["deliver"]>;

/** One sending connection as one worker uses it, with its own sessions, pace and limit. */
export class ConnectionSender {
  readonly row: LoadedConnection;
  readonly throttle: Throttle;
  readonly transport: Transport;
  /** While it is, nothing can be handed over. */
  held: boolean;
  readonly #turns = new Turns();
  readonly #calls: SenderCalls;
  readonly #mostUnderWay: number;
  readonly #yielding = new Yielding();
  #underWay = 0;
  /** True from when it is full until half of it is free. */
  #full = false;
  #closed = false;

  constructor(row: LoadedConnection, calls: SenderCalls) {
    this.row = row;
    this.#mostUnderWay =
      row.kind === "mx"
        ? mostToReceivers
        : Math.max(leastUnderWay, underWayPerSession * row.sessions);
    this.held = row.held;
    this.throttle = new Throttle(`The connection ${row.id}`);
    this.transport = transportOf(row);
    this.#calls = calls;
  }

  /** Whether it could take mail if it had room: it is not held, and its server did not ask for less. */
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

  /** Reserves room for one email; call `end` when it has left, or will not. */
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

  /** Hands an email over; a slow server takes no place away from others. */
  async deliver(place: Place, ...delivery: Delivery): Promise<Outcome> {
    const quick = this.#underWay > this.row.sessions ? 0 : quickMilliseconds;
    return this.#yielding.run(place, quick, async () => {
      const outcome = await this.transport.deliver(...delivery);
      if (outcome.kind === "accepted") this.throttle.accepted();
      if (outcome.kind === "unavailable" && !this.#closed) {
        const fault = outcome.loginRefused ? "refused" : "unreachable";
        await this.#calls.onFault(this, { fault, words: outcome.reason });
      }
      return outcome;
    });
  }

  /** Ends idle sessions; what is under way finishes. */
  close(): void {
    this.#closed = true;
    this.transport.close();
  }
}
