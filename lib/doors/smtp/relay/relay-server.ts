import type { SMTPServerOptions } from "smtp-server";
import type { Database } from "@/db/client";
import { mostRecipients } from "@/lib/domain/emails/send-schema";
import type { Certificate } from "@/lib/doors/smtp/certificate";
import { listen, Server, type DataPace, type Listening } from "@/lib/doors/smtp/server";
import { RelayConnection } from "./connection";
import { largestMegabytes, sessionHandlers } from "./session";

export interface RelayOptions {
  db: Database;
  host: string;
  /** 0: any free port. */
  port: number;
  /** What it calls itself in its greeting. */
  hostname: string;
  certificate: Certificate;
  /** Allows logins without TLS, but only from this machine. */
  plaintextAuth: boolean;
  /** How slowly a message may arrive, where not as usual. */
  dataPace?: DataPace;
}

/** Half of all: a busy application server has some dozens, and several customers may share an address. */
const mostSessionsPerNetwork = 500;
/** Of which so many may not have logged in yet: all of a customer's come at once when the relay restarts. */
const mostStrangersPerNetwork = 250;

/** Starts the relay. Throws the system's error when it cannot listen. */
export async function startRelay(options: RelayOptions): Promise<Listening> {
  const { db, host, port, hostname, certificate, plaintextAuth, dataPace } = options;
  const smtp: SMTPServerOptions = {
    ...certificate,
    ...sessionHandlers(db, () => server.messageEnded()),
    name: hostname,
    banner: "Lettermill",
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: plaintextAuth,
    size: largestMegabytes * 1024 * 1024,
    maxRecipients: mostRecipients,
    disabledCommands: ["WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD"],
  };
  const server: Server = new Server(RelayConnection, smtp, {
    allowsOneMore: (beside) =>
      beside.length < mostSessionsPerNetwork &&
      beside.filter(({ session }) => !session.user).length < mostStrangersPerNetwork,
    dataPace,
  });
  return listen(server, { host, port });
}
