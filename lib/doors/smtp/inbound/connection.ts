import { Connection } from "@/lib/doors/smtp/server";

/** Refusals after which a client is disconnected: it is harvesting addresses, or is broken. */
const mostRefusals = 20;

export class InboundConnection extends Connection {
  #refusals = 0;

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    if (code >= 500 && ++this.#refusals > mostRefusals) {
      super.send(421, "4.7.0 Too many errors");
      return;
    }
    super.send(code, data, context);
  }
}
