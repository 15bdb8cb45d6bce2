import type { Socket } from "node:net";
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection";
import { SMTPServer } from "smtp-server";

/** Clients that have not logged in by then are disconnected: idle strangers must not fill the server. */
const loginMilliseconds = 60_000;

const enhancedCode = /^[245]\.\d{1,3}\.\d{1,3} /;

/** A connection that keeps its replies' own enhanced codes, and offers AUTH only where it is accepted. */
class RelayConnection extends SMTPConnection {
  override connectionReady(next?: () => void): void {
    super.connectionReady(next);
    const timer = setTimeout(() => {
      if (!this.session.user) this.send(421, "4.4.2 Nobody logged in for a minute");
    }, loginMilliseconds);
    timer.unref();
  }

  /** Lines of `data` become lines of the reply; a text with an enhanced code of its own keeps it. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const lines = typeof data === "string" && data.includes("\n") ? data.split("\n") : data;
    const first = Array.isArray(lines) ? lines[0] : lines;
    super.send(code, lines, first && enhancedCode.test(first) ? false : context);
  }

  override handler_EHLO(command: Buffer, callback: () => void): void {
    const { disabledCommands, allowInsecureAuth } = this._server.options;
    if (!this.secure && !allowInsecureAuth) {
      this.session.disabledCommands = [...disabledCommands, "AUTH"];
    }
    super.handler_EHLO(command, callback);
    delete this.session.disabledCommands;
  }

  /** Whether no message is under way: a session cut off now loses nothing. */
  get isIdle(): boolean {
    return !this._dataStream && !this._handlerPending;
  }
}

export class RelayServer extends SMTPServer {
  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const connection = new RelayConnection(this, socket, options);
    this.connections.add(connection);
    connection.on("error", (error: Error) => this._onError(error));
    connection.init();
  }

  /** Ends the sessions that are waiting for their client. */
  endIdle(): void {
    for (const connection of this.connections) {
      if (connection instanceof RelayConnection && connection.isIdle)
        connection.send(421, "4.3.2 The relay is stopping, try again");
    }
  }
}
