import type { Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { SMTPConnection, type SMTPConnectionOptions } from "smtp-server/lib/smtp-connection";
import { log } from "@/lib/ground/log";
import type { Certificate } from "./certificate";

const drainMilliseconds = 10_000;
/** RFC 5321, section 4.5.3.2.7. */
const idleMilliseconds = 5 * 60_000;

const enhancedCode = /^[245]\.\d{1,3}\.\d{1,3} /;

/** A connection that keeps its replies' own enhanced codes, and tells whether ending it would lose anything. */
export class Connection extends SMTPConnection {
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
}

type ConnectionClass = new (
  server: SMTPServer,
  socket: Socket,
  options?: SMTPConnectionOptions | null,
) => Connection;

/** What all our SMTP servers share: options, and ending idle sessions when the program stops. */
export class Server extends SMTPServer {
  readonly #Connection: ConnectionClass;
  #stopping = false;

  constructor(connection: ConnectionClass, options: SMTPServerOptions) {
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
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions | null): void {
    const connection = new this.#Connection(this, socket, options);
    this.connections.add(connection);
    connection.on("error", (error: Error) => this._onError(error));
    connection.init();
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
