import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection";
import { log } from "@/lib/ground/log";
import { networkOf } from "@/lib/ground/net/addresses/network";
import type { Certificate } from "./certificate";
import { ReplyError } from "./replies";

const drainMilliseconds = 10_000;
/** RFC 5321, section 4.5.3.2.7. */
const idleMilliseconds = 5 * 60_000;

const enhancedCode = /^[245]\.\d{1,3}\.\d{1,3} /;

/** How slowly a message may arrive after DATA. */
export interface DataPace {
  /** For this long it may arrive as slowly as it likes. */
  freeMilliseconds: number;
  /** Bytes a second that have to arrive afterwards, on average since then. */
  leastPerSecond: number;
  /** When all of it has to be there. */
  wholeMilliseconds: number;
}

/**
 * RFC 5321, section 4.5.3.2, has a server wait five minutes for the next command, and gives clients three for
 * each block of a message: a message has no time of its own that a server must allow. 1 kB a second is a
 * line of eight kilobits, and ten minutes are enough for 50 MB over one of 700.
 */
const usualDataPace: DataPace = {
  freeMilliseconds: 30_000,
  leastPerSecond: 1024,
  wholeMilliseconds: 10 * 60_000,
};

/** Ends the session. */
const tooSlow = { code: 421, text: "4.4.2 The message came too slowly, try again" };

/**
 * A connection that keeps its replies' own enhanced codes, tells whether ending it would lose anything, and
 * ends when a message comes too slowly.
 */
export class Connection extends SMTPConnection {
  /** Whose sessions it counts among. */
  readonly network = networkOf(this.remoteAddress);

  /** Lines of `data` become lines of the reply; a text with an enhanced code of its own keeps it. */
  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    const lines = typeof data === "string" && data.includes("\n") ? data.split("\n") : data;
    const first = Array.isArray(lines) ? lines[0] : lines;
    super.send(code, lines, first && enhancedCode.test(first) ? false : context);
  }

  /** Whether no message is under way: a session cut off now loses nothing. */
  get isIdle(): boolean {
    return !this._dataStream && !this._handlerPending;
  }

  override handler_DATA(command: Buffer, callback: () => void): void {
    super.handler_DATA(command, callback);
    const stream = this._dataStream;
    if (!stream) return;
    const { freeMilliseconds, leastPerSecond, wholeMilliseconds } = (this._server as Server)
      .dataPace;
    const parser = this._parser;
    const began = performance.now();
    const check = () => {
      if (this._dataStream !== stream || !parser || !parser._dataMode) return;
      const past = performance.now() - began;
      const least = ((past - freeMilliseconds) / 1_000) * leastPerSecond;
      if (past < wholeMilliseconds && parser.dataBytes >= least) {
        timer = setTimeout(check, freeMilliseconds / 6).unref();
      } else stream.destroy(new ReplyError(tooSlow));
    };
    let timer = setTimeout(check, freeMilliseconds).unref();
    // All of it is there, or the client went away.
    stream.once("close", () => clearTimeout(timer));
  }
}

type ConnectionClass = new (
  server: SMTPServer,
  socket: Socket,
  options?: SMTPConnectionOptions | null,
) => Connection;

/** What one of our servers allows its clients beyond what SMTP says. */
interface Allowance {
  /** Whether a network may open one more session beside those it has. */
  allowsOneMore(beside: readonly Connection[]): boolean;
  /** The usual one unless a test has less time. */
  dataPace?: DataPace;
}

/**
 * What all our SMTP servers share: options, how many sessions a network may have, and ending idle ones when
 * the program stops.
 */
export class Server extends SMTPServer {
  readonly #Connection: ConnectionClass;
  readonly #allowance: Allowance;
  #stopping = false;

  constructor(connection: ConnectionClass, options: SMTPServerOptions, allowance: Allowance) {
    super({
      minVersion: "TLSv1.2",
      hideENHANCEDSTATUSCODES: false,
      disableReverseLookup: true,
      maxClients: 1000,
      maxCommandLength: 4096,
      socketTimeout: idleMilliseconds,
      closeTimeout: drainMilliseconds,
      logger: false,
      ...options,
    });
    this.#Connection = connection;
    this.#allowance = allowance;
  }

  get dataPace(): DataPace {
    return this.#allowance.dataPace ?? usualDataPace;
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const connection = new this.#Connection(this, socket, options);
    const beside: Connection[] = [];
    for (const other of this.connections) {
      if (other instanceof Connection && other.network === connection.network) beside.push(other);
    }
    this.connections.add(connection);
    connection.on("error", (error: Error) => this._onError(error));
    connection.init();
    if (!this.#allowance.allowsOneMore(beside)) {
      connection.send(421, "4.7.0 Too many sessions from your network");
    }
  }

  /** To be called at each final reply: sessions whose message ends while the program stops are ended. */
  messageEnded(): void {
    if (this.#stopping) setImmediate(() => this.#endIdle());
  }

  /** Takes no new sessions, gives messages under way 10 s to finish, then cuts off the rest. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#stopping = true;
      this.close(() => resolve());
      this.#endIdle();
    });
  }

  #endIdle(): void {
    for (const connection of this.connections) {
      if (connection instanceof Connection && connection.isIdle)
        connection.send(421, "4.3.2 The server is stopping, try again");
    }
  }
}

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Sessions that start from now on use this certificate. */
  useCertificate(certificate: Certificate): void;
  /** Takes no new sessions, gives messages under way 10 s to finish, then cuts off the rest. */
  close(): Promise<void>;
}

/** Listens; port 0: any free port. Throws the system's error when it cannot. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: 1024 }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  // Clients that go away and handshakes that fail are the clients' affair.
  server.on("error", (error) => log.debug({ name: error.name }, "an SMTP session broke"));
  const address = server.server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : port,
    useCertificate: (renewed) => server.updateSecureContext(renewed),
    close: () => server.stop(),
  };
}
