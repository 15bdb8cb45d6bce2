import type { SMTPServerOptions } from "smtp-server";
import type { Database } from "@/db/client";
import type { Certificate } from "@/lib/doors/smtp/certificate";
import { listen, Server, type DataPace, type Listening } from "@/lib/doors/smtp/server";
import { InboundConnection } from "./connection";
import { largestMessageBytes, sessionHandlers } from "./session";

export interface InboundOptions {
  db: Database;
  host: string;
  /** 0: any free port. */
  port: number;
  /** What it calls itself, and where feedback loops send complaints. */
  hostname: string;
  certificate: Certificate;
  /** How slowly a message may arrive, where not as usual. */
  dataPace?: DataPace;
}

const mostRecipients = 100;
/** A provider's servers, each with an address of its own, open a few each; a /64 of IPv6 is one network. */
const mostSessionsPerNetwork = 50;

/**
 * Starts the server that other mail servers bring mail to: bounces, complaints and unsubscribe requests, at
 * addresses that we signed, and mail for the domains of projects that take it. Everything else is refused at RCPT TO; nothing is ever relayed or answered.
 * Throws the system's error when it cannot listen.
 */
export async function startInbound(options: InboundOptions): Promise<Listening> {
  const { db, host, port, hostname, certificate, dataPace } = options;
  const smtp: SMTPServerOptions = {
    ...certificate,
    ...sessionHandlers(db, {
      ownHost: hostname.toLowerCase(),
      onMessageEnd: () => server.messageEnded(),
    }),
    name: hostname,
    banner: "Lettermill",
    size: largestMessageBytes,
    maxRecipients: mostRecipients,
    authOptional: true,
    disabledCommands: ["AUTH", "WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD"],
  };
  const server: Server = new Server(InboundConnection, smtp, {
    allowsOneMore: (beside) => beside.length < mostSessionsPerNetwork,
    dataPace,
  });
  return listen(server, { host, port });
}
