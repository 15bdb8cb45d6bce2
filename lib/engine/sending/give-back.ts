import type { ClaimedEmail } from "./claim";
import type { ConnectionSender } from "./connection-sender";
import type { Connections } from "./connections";
import type { NotAttempted } from "./deliver";
import { outageSeconds, type Outage } from "./outage";
import type { Parking } from "./parking";
import type { QueueCalls } from "./queue-calls";
import type { Route } from "./route";

interface GiveBackParts {
  calls: QueueCalls;
  connections: Connections;
  outage: Outage;
  parking: Parking;
  /** Claimed mail that has not been started becomes due again at once. */
  giveWaitingBack: () => Promise<void>;
}

/** Gives back what was not tried, to wait for whoever takes nothing now. No attempt is counted. */
export class GiveBack {
  readonly #parts: GiveBackParts;

  constructor(parts: GiveBackParts) {
    this.#parts = parts;
  }

  async notTried(
    email: ClaimedEmail,
    result: NotAttempted | "stopped",
    route: Route,
  ): Promise<void> {
    const { calls, parking } = this.#parts;
    if (result === "withheld" && !parking.stopped) return;
    if (typeof result === "object") await calls.postpone({ email, seconds: result.seconds });
    else if (result === "stopped" || result === "withheld") await calls.release(email);
    else if (route.sender) await this.#toConnection(email, route.connectionId, route.sender);
    else await this.#toInstallation(email);
  }

  /** Puts off what a connection was asked to give less of, unless its fallback, or the first one again, takes it now. */
  async awaitTurn(
    email: ClaimedEmail,
    connectionId: string | null,
    sender: ConnectionSender,
  ): Promise<void> {
    const { calls, connections } = this.#parts;
    const other = connectionId === null ? null : await connections.senderFor(connectionId);
    if (other?.works && other !== sender) await calls.release(email);
    else await calls.postpone({ email, seconds: sender.waitSeconds() });
  }

  async #toInstallation(email: ClaimedEmail): Promise<void> {
    const { calls, outage, giveWaitingBack } = this.#parts;
    if (!outage.isPassedBy(email.projectId)) {
      // The whole queue would meet the same fate, so the email goes back and waits for the server.
      await Promise.all([calls.release(email), giveWaitingBack()]);
    } else if (email.campaignId === null) {
      await calls.postpone({ email, seconds: outageSeconds });
    } else {
      outage.noteCampaign(email.campaignId);
      await calls.release(email);
    }
  }

  async #toConnection(
    email: ClaimedEmail,
    connectionId: string,
    sender: ConnectionSender,
  ): Promise<void> {
    const { calls, connections } = this.#parts;
    if (email.campaignId !== null) {
      connections.noteLane(email.campaignId, connectionId);
      await calls.release(email);
    } else if (sender.held && (await connections.senderFor(connectionId))?.held) {
      await calls.parkHeldUp({ email, connectionId });
    } else if (sender.held) {
      // Its fallback takes over.
      await calls.release(email);
    } else if (sender.works) {
      connections.noteLane(email.projectId, connectionId);
      await calls.release(email);
    } else {
      await this.awaitTurn(email, connectionId, sender);
    }
  }
}
