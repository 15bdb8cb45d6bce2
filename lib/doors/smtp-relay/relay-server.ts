import type { Database } from "@/db/client";
import { mostRecipients } from "@/lib/domain/emails/send-schema";
import { log } from "@/lib/ground/log";
import type { Certificate } from "./certificate";
import { RelayServer } from "./connection";
import { largestMessageBytes } from "./inbox";
import { sessionHandlers } from "./session";

export interface Relay {
  readonly port: number;
  /** Sessions that start from now on use it. */
  useCertificate(certificate: Certificate): void;
  /** Takes no new sessions, gives messages under way 10 s to finish, then cuts off the rest. */
  close(): Promise<void>;
}

export interface RelayOptions {
  db: Database;
  host: string;
  /** 0: any free one. */
  port: number;
  /** What it calls itself in its greeting. */
  hostname: string;
  certificate: Certificate;
  /** Allows logins without TLS, from this machine only. */
  plaintextAuth: boolean;
}

const drainMilliseconds = 10_000;
/** RFC 5321, section 4.5.3.2.7. */
const idleMilliseconds = 5 * 60_000;

/** Starts the relay. Throws the system's error when it cannot listen. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { db, host, hostname, certificate, plaintextAuth } = options;
  let stopping = false;
  const server: RelayServer = new RelayServer({
    ...certificate,
    ...sessionHandlers(db, () => {
      // After the final reply has been sent.
      if (stopping) setImmediate(() => server.endIdle());
    }),
    name: hostname,
    banner: "Lettermill",
    minVersion: "TLSv1.2",
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: plaintextAuth,
    size: largestMessageBytes,
    maxRecipients: mostRecipients,
    hideENHANCEDSTATUSCODES: false,
    disableReverseLookup: true,
    disabledCommands: ["WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD"],
    maxClients: 1000,
    maxCommandLength: 4096,
    socketTimeout: idleMilliseconds,
    closeTimeout: drainMilliseconds,
    logger: false,
  });
  const { server: listener } = server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port: options.port, host, backlog: 1024 }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  // Clients that go away and handshakes that fail are the clients' affair.
  server.on("error", (error) => log.debug({ name: error.name }, "an SMTP session broke"));
  const address = listener.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : options.port,
    useCertificate: (renewed) => server.updateSecureContext(renewed),
    close: () =>
      new Promise((resolve) => {
        stopping = true;
        server.close(() => resolve());
        server.endIdle();
      }),
  };
}
