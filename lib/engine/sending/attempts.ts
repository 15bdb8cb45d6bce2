import { errorCode } from "@/db/errors";
import { log } from "@/lib/ground/log";
import { traced, tracedStep, type Span } from "@/lib/ground/traces/traces";
import type { ByteHold } from "@/lib/ground/byte-hold";
import type { Leases } from "@/lib/ground/queue/leases";
import type { MessageContents } from "@/lib/mail/content/message-contents";
import type { Transport } from "@/lib/mail/transport";
import type { ClaimedEmail } from "./claim";
import { deliverEmail, type NotAttempted } from "./deliver";
import type { Connections } from "./connections";
import { GiveBack } from "./give-back";
import { emailMemory } from "./memory";
import type { Outage } from "./outage";
import { Stopped, type Parking } from "./parking";
import type { QueueCalls } from "./queue-calls";
import type { Receivers } from "./receivers";
import type { Rechecks } from "./rechecks";
import type { RefusedCampaigns } from "./refused-campaigns";
import { troubledResult, type DeliveryResult } from "./result";
import { routeOf, type Route } from "./route";
import type { PausedSenders } from "./paused-senders";
import type { Results } from "./results";
import type { Place } from "./slots";
import type { Throttle } from "./throttle";
import type { Held } from "./waiting";
import { waitingOf, Yielding } from "./yielding";

/** What an attempt needs from its dispatcher. */
interface AttemptParts {
  transport: Transport | null;
  contents: MessageContents;
  calls: QueueCalls;
  leases: Leases<ClaimedEmail>;
  results: Results;
  refused: RefusedCampaigns;
  senders: PausedSenders;
  connections: Connections;
  outage: Outage;
  parking: Parking;
  throttle: Throttle;
  receivers: Receivers;
  rechecks: Rechecks;
  queue: {
    /** Claimed mail that has not been started becomes due again at once. */
    giveWaitingBack: () => Promise<void>;
    /** Starts what may start now. */
    fill: () => void;
    noteRecorded: () => void;
  };
}

/** Hand-overs to receivers' own servers that stand beside the places of all others. */
const mostBeside = 256;

/** One email after the other from its start to its recorded result. */
export class Attempts {
  readonly #transport: AttemptParts["transport"];
  readonly #contents: AttemptParts["contents"];
  readonly #calls: AttemptParts["calls"];
  readonly #leases: AttemptParts["leases"];
  readonly #results: AttemptParts["results"];
  readonly #refused: AttemptParts["refused"];
  readonly #senders: AttemptParts["senders"];
  readonly #connections: AttemptParts["connections"];
  readonly #giveBack: GiveBack;
  readonly #parking: AttemptParts["parking"];
  readonly #throttle: AttemptParts["throttle"];
  readonly #receivers: AttemptParts["receivers"];
  readonly #rechecks: AttemptParts["rechecks"];
  readonly #queue: AttemptParts["queue"];
  readonly #yielding = new Yielding(mostBeside);

  constructor(parts: AttemptParts) {
    this.#transport = parts.transport;
    this.#contents = parts.contents;
    this.#calls = parts.calls;
    this.#leases = parts.leases;
    this.#results = parts.results;
    this.#refused = parts.refused;
    this.#senders = parts.senders;
    this.#connections = parts.connections;
    this.#giveBack = new GiveBack({ ...parts, ...parts.queue });
    this.#parking = parts.parking;
    this.#throttle = parts.throttle;
    this.#receivers = parts.receivers;
    this.#rechecks = parts.rechecks;
    this.#queue = parts.queue;
  }

  /** Never throws: what cannot be finished is tried again by some worker when its lease expires. */
  finish(held: Held, place: Place, probe: boolean): Promise<void> {
    const { id, projectId, campaignId } = held.email;
    const attributes = {
      "lettermill.email.id": id,
      "lettermill.project.id": projectId,
      ...(campaignId !== null && { "lettermill.campaign.id": campaignId }),
      "lettermill.lane": held.lane,
    };
    return traced("deliver mail", { kind: "consumer", attributes }, (span) =>
      this.#finish(held, place, probe, span),
    );
  }

  async #finish(held: Held, place: Place, probe: boolean, span: Span): Promise<void> {
    const { email } = held;
    const memory = emailMemory(email.projectId);
    const route = routeOf(probe);
    this.#rechecks.add(held);
    try {
      if (this.#senders.any && (await this.#holdBack(email))) return;
      const result = await this.#attempt(held, place, memory, route);
      const notTried = typeof result === "string" || "seconds" in result;
      span.setAttribute(
        "lettermill.outcome",
        notTried ? "given back" : (result.status ?? "to be retried"),
      );
      if (notTried) {
        await this.#giveBack.notTried(email, result, route);
        return;
      }
      if (result.accepted && !route.sender) this.#throttle.accepted();
      if (result.accepted && (!route.sender || result.receiver !== null)) {
        this.#receivers.accepted(email.recipient);
      }
      if (result.throttling !== null && (await this.#slowDown(result, result.throttling, route))) {
        return;
      }
      void this.#senders.consider(result);
      void this.#refused.consider(result).then(() => this.#queue.fill());
      await tracedStep("record result", {}, () => this.#results.record(result));
      void this.#refused.recorded(result).then(() => this.#queue.fill());
      this.#queue.noteRecorded();
    } catch (error) {
      // Its lease expires on its own, and some worker tries again.
      log.error({ emailId: email.id, code: errorCode(error) }, "A delivery could not be finished.");
    } finally {
      route.end();
      this.#rechecks.drop(held);
      memory.release();
    }
  }

  /** Whether the email was given back because the mail server is refusing its sender. */
  async #holdBack(email: ClaimedEmail): Promise<boolean> {
    if (!this.#transport) return false;
    const message = await this.#contents.get(email.messageId);
    if (!message?.domain || !(await this.#senders.holdsBack(email, message))) return false;
    await this.#calls.park({ email, domainId: message.domain.id });
    return true;
  }

  /**
   * Throttles whoever asked for it: the server, or the receiver behind it. Resolves to whether the email was given
   * back: the request was not about this mail alone, so it waits as if it had not been tried.
   */
  async #slowDown(
    { email, receiver }: DeliveryResult,
    { words, of }: NonNullable<DeliveryResult["throttling"]>,
    { turn, probe, sender, connectionId }: Route,
  ): Promise<boolean> {
    if (receiver !== null) {
      if (!this.#receivers.refused(email.recipient, words).receiver || turn) return false;
      await this.#calls.postpone({ email, seconds: this.#receivers.waitSeconds(email.recipient) });
      return true;
    }
    if (sender) {
      if (!sender.throttle.refused(words) || probe) return false;
      await this.#giveBack.awaitTurn(email, connectionId, sender);
      return true;
    }
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
    memory: ByteHold,
    route: Route,
  ): Promise<DeliveryResult | NotAttempted | "stopped"> {
    // While it waits, other mail can use its slot.
    const watch = <Result>(work: Promise<Result>) =>
      this.#parking.watch(held.email.projectId, work, place);
    try {
      return await deliverEmail(held.email, {
        contents: this.#contents,
        transport: this.#yielding.handing(this.#transport, place),
        lane: held.lane,
        connection: (id) => this.#take(id, place, route),
        mayStart: () => this.#mayStart(held),
        whileRendering: watch,
        memory: {
          hold: (bytes) => watch(memory.hold(bytes)),
          tryHold: (bytes) => memory.tryHold(bytes),
        },
        // What finds out whether a sender's pause can end is no more to blame than what waits behind it.
        patient: this.#senders.tries(held.email),
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

  /** Finds who takes mail of a connection now, and counts this one as under way there. */
  async #take(id: string, place: Place, route: Route) {
    let sender = await this.#connections.senderFor(id);
    // Others may have taken its last turn in the meantime: then the fallback takes the email.
    if (sender && !sender.works) sender = await this.#connections.senderFor(id);
    if (!sender) return null;
    Object.assign(route, { connectionId: id, sender });
    if (!sender.hasRoom) return "waits";
    Object.assign(route, sender.begin());
    return {
      kind: sender.row.kind,
      available: true,
      ...waitingOf(sender.transport),
      deliver: (...mail: Parameters<Transport["deliver"]>) => sender.deliver(place, ...mail),
    };
  }

  async #mayStart(held: Held): Promise<boolean> {
    if (this.#parking.stopped) return false;
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
