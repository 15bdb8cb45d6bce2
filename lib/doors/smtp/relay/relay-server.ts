import type { Database } from "@/db/client";
import { mostRecipients } from "@/lib/domain/emails/send-schema";
import type { Certificate } from "@/lib/doors/smtp/certificate";
import { listen, Server, type Listening } from "@/lib/doors/smtp/server";
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
}

/** Starts the relay. Throws the system's error when it cannot listen. */
export async function startRelay(options: RelayOptions): Promise<Listening> {
  const { db, host, port, hostname, certificate, plaintextAuth } = options;
  const server: Server = new Server(RelayConnection, {
    ...certificate,
    ...sessionHandlers(db, () => server.messageEnded()),
    name: hostname,
    banner: "Lettermill",
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: plaintextAuth,
    size: largestMegabytes * 1024 * 1024,
    maxRecipients: mostRecipients,
    disabledCommands: ["WIZ", "SHELL", "KILL", "XCLIENT", "XFORWARD"],
  });
  return listen(server, { host, port });
}
