import { errorCode } from "@/db/errors";
import { log } from "@/lib/ground/log";
import type { Leases } from "@/lib/ground/queue/leases";
import type { MessageContents } from "@/lib/mail/content/message-contents";
import type { Transport } from "@/lib/engine/transports/transport";
import type { ClaimedEmail } from "./claim";
import { deliverEmail } from "./deliver";
import { EmailMemory } from "./memory";
import { Stopped, type Parking } from "./parking";
import type { QueueCalls } from "./queue-calls";
import type { Receivers } from "./receivers";
import type { Rechecks } from "./rechecks";
import type { RefusedCampaigns } from "./refused-campaigns";
import { troubledResult, type DeliveryResult } from "./result";
import type { PausedSenders } from "./paused-senders";
import type { Results } from "./results";
import type { Place } from "./slots";
import type { Throttle } from "./throttle";
import type { Held } from "./waiting";

/** What an attempt needs of the dispatcher that it is part of. */
interface AttemptParts {
  transport: Transport | null;
  contents: MessageContents;
  calls: QueueCalls;
  leases: Leases<ClaimedEmail>;
  results: Results;
  refused: RefusedCampaigns;
  senders: PausedSenders;
  parking: Parking;
  throttle: Throttle;
  receivers: Receivers;
  rechecks: Rechecks;
  queue: {
    /** What is claimed but not started becomes due again at once. */
    giveWaitingBack: () => Promise<void>;
    /** Starts what may start now. */
    fill: () => void;
    noteRecorded: () => void;
  };
}

/** One email after the other from its start to its recorded result. */
export class Attempts {
  readonly #transport: AttemptParts["transport"];
  readonly #contents: AttemptParts["contents"];
  readonly #calls: AttemptParts["calls"];
  readonly #leases: AttemptParts["leases"];
  readonly #results: AttemptParts["results"];
  readonly #refused: AttemptParts["refused"];
  readonly #senders: AttemptParts["senders"];
  readonly #parking: AttemptParts["parking"];
  readonly #throttle: AttemptParts["throttle"];
  readonly #receivers: AttemptParts["receivers"];
  readonly #rechecks: AttemptParts["rechecks"];
  readonly #queue: AttemptParts["queue"];

  constructor(parts: AttemptParts) {
    this.#transport = parts.transport;
    this.#contents = parts.contents;
    this.#calls = parts.calls;
    this.#leases = parts.leases;
    this.#results = parts.results;
    this.#refused = parts.refused;
    this.#senders = parts.senders;
    this.#parking = parts.parking;
    this.#throttle = parts.throttle;
    this.#receivers = parts.receivers;
    this.#rechecks = parts.rechecks;
    this.#queue = parts.queue;
  }

  /** Never throws: what cannot be finished is tried again by some worker when its lease expires. */
  async finish(held: Held, place: Place, probe: boolean): Promise<void> {
    const { email } = held;
    const memory = new EmailMemory(email.projectId);
    this.#rechecks.add(held);
    try {
      if (this.#senders.any && (await this.#holdBack(email))) return;
      const result = await this.#attempt(held, place, memory);
      if (result === "withheld") return;
      if (result === "stopped") {
        await this.#calls.release(email);
        return;
      }
      if (result === "unavailable") {
        // The whole queue would meet the same fate: it goes back and waits for the server.
        await Promise.all([this.#calls.release(email), this.#queue.giveWaitingBack()]);
        return;
      }
      if (result.accepted) {
        this.#throttle.accepted();
        this.#receivers.accepted(email.recipient);
      }
      if (result.throttling !== null && (await this.#slowDown(email, result.throttling, probe))) {
        return;
      }
      void this.#senders.consider(result);
      void this.#refused.consider(result).then(() => this.#queue.fill());
      await this.#results.record(result);
      void this.#refused.recorded(result).then(() => this.#queue.fill());
      this.#queue.noteRecorded();
    } catch (error) {
      // Its lease expires on its own, and some worker tries again.
      log.error({ emailId: email.id, code: errorCode(error) }, "A delivery could not be finished.");
    } finally {
      this.#rechecks.drop(held);
      memory.release();
    }
  }

  /** Whether the email was given back because the mail server refuses its sender. */
  async #holdBack(email: ClaimedEmail): Promise<boolean> {
    if (!this.#transport) return false;
    const message = await this.#contents.get(email.messageId);
    if (!message?.domain || !this.#senders.holdsBack(email, message)) return false;
    await this.#calls.park({ email, domainId: message.domain.id });
    return true;
  }

  /**
   * Gives less to who asked for it: the server, or the receiver behind it. Whether the email was given back:
   * it was not asked for by this mail alone, which waits as if it had not been tried.
   */
  async #slowDown(
    email: ClaimedEmail,
    { words, of }: NonNullable<DeliveryResult["throttling"]>,
    probe: boolean,
  ): Promise<boolean> {
    const slow =
      of === "sender"
        ? { receiver: false, several: true }
        : this.#receivers.refused(email.recipient, words);
    const server = slow.several && this.#throttle.refused(words);
    if (probe || (!server && !slow.receiver)) return false;
    if (server) await Promise.all([this.#calls.release(email), this.#queue.giveWaitingBack()]);
    else {
      await this.#calls.postpone({ email, seconds: this.#receivers.waitSeconds(email.recipient) });
    }
    return true;
  }

  async #attempt(
    held: Held,
    place: Place,
    memory: EmailMemory,
  ): Promise<DeliveryResult | "withheld" | "unavailable" | "stopped"> {
    // While it waits, its place goes to others' mail.
    const watch = <Result>(work: Promise<Result>) =>
      this.#parking.watch(held.email.projectId, work, place);
    try {
      return await deliverEmail(held.email, {
        contents: this.#contents,
        transport: this.#transport,
        lane: held.lane,
        mayStart: () => this.#mayStart(held),
        whileRendering: watch,
        hold: (bytes) => watch(memory.hold(bytes)),
      });
    } catch (error) {
      if (error instanceof Stopped) return "stopped";
      log.error(
        { emailId: held.email.id, code: errorCode(error), err: stackOf(error) },
        "A delivery failed unexpectedly.",
      );
      return troubledResult(held.email);
    }
  }

  async #mayStart(held: Held): Promise<boolean> {
    try {
      if (!(await this.#rechecks.mayGo(held))) return false;
    } catch (error) {
      // If we cannot ask about a person, we do not send to them: the lease expires on its own.
      log.warn({ code: errorCode(error) }, "Checking claimed mail failed.");
      return false;
    }
    return this.#leases.holds(held.email);
  }
}

/** Where it happened, without the message: that may hold people's addresses. */
function stackOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6);
}
