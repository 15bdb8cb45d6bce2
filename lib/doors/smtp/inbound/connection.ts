import { LRUCache } from "lru-cache";
import type { SMTPServer } from "smtp-server";
import { Connection } from "@/lib/doors/smtp/server";

/** Refusals after which a client is disconnected: it is harvesting addresses, or is broken. */
const mostRefusals = 20;
/** The same of a network, however many sessions it spreads them over. */
const mostOfNetwork = 200;
const networkMilliseconds = 10 * 60_000;
/** Commands without a message: a hundred recipients take 102. */
const mostCommands = 500;

/** How often each network was refused something lately, of one server. */
class Refusals {
  readonly #ofNetwork = new LRUCache<string, { count: number }>({
    max: 20_000,
    ttl: networkMilliseconds,
  });

  /** Whether it has had too many by now. */
  areTooMany(network: string): boolean {
    return (this.#ofNetwork.get(network)?.count ?? 0) > mostOfNetwork;
  }

  note(network: string): void {
    const known = this.#ofNetwork.get(network);
    if (known) known.count++;
    else this.#ofNetwork.set(network, { count: 1 });
  }
}

const ofServer = new WeakMap<SMTPServer, Refusals>();

function refusalsOf(server: SMTPServer): Refusals {
  const known = ofServer.get(server);
  if (known) return known;
  const refusals = new Refusals();
  ofServer.set(server, refusals);
  return refusals;
}

/** A session that ends with 421 where it, or its network, is refused too much or says too much. */
export class InboundConnection extends Connection {
  #refusals = 0;
  #commands = 0;

  override init(): void {
    super.init();
    if (refusalsOf(this._server).areTooMany(this.network)) {
      this.send(421, "4.7.0 Too many errors from your network, try again later");
    }
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    if (code >= 500) {
      const ofNetwork = refusalsOf(this._server);
      ofNetwork.note(this.network);
      if (++this.#refusals > mostRefusals || ofNetwork.areTooMany(this.network)) {
        super.send(421, "4.7.0 Too many errors");
        return;
      }
    }
    super.send(code, data, context);
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    if (++this.#commands > mostCommands) {
      this.send(421, "4.7.0 Too many commands without a message");
      return;
    }
    super._onCommand(command, callback);
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    super.handler_DATA(command, callback);
    if (this._dataStream) this.#commands = 0;
  }
}
