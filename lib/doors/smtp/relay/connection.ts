import { Connection } from "@/lib/doors/smtp/server";

/** Clients that have not logged in by this time are disconnected: idle strangers must not fill the server. */
const loginMilliseconds = 60_000;

/** A connection that offers AUTH only where it is accepted. */
export class RelayConnection extends Connection {
  override connectionReady(next?: () => void): void {
    super.connectionReady(next);
    const timer = setTimeout(() => {
      if (!this.session.user) this.send(421, "4.4.2 Nobody logged in for a minute");
    }, loginMilliseconds);
    timer.unref();
  }

  override handler_EHLO(command: Buffer, callback: () => void): void {
    const { disabledCommands, allowInsecureAuth } = this._server.options;
    if (!this.secure && !allowInsecureAuth) {
      this.session.disabledCommands = [...disabledCommands, "AUTH"];
    }
    super.handler_EHLO(command, callback);
    delete this.session.disabledCommands;
  }
}
