import { once } from "node:events";
import { database } from "@/db/client";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { relayCertificate, type Certificate } from "@/lib/doors/smtp/certificate";
import { startInbound } from "@/lib/doors/smtp/inbound/inbound-server";
import { startRelay } from "@/lib/doors/smtp/relay/relay-server";
import type { Listening } from "@/lib/doors/smtp/server";
import { runProgram } from "./program";
import { Fault } from "./start/fault";
import { listenFault } from "./start/ports";

/** Ports to try in turn if none is set: any free one if another installation has the usual ones. */
const relayPorts = [587, 2587, 0];
const inboundPorts = [25, 2525, 0];
const certificateCheckMilliseconds = 60 * 60_000;

async function readCertificate(): Promise<Certificate> {
  try {
    return await relayCertificate(database());
  } catch (error) {
    throw error instanceof Error && error.message.startsWith("SMTP_RELAY_TLS")
      ? new Fault(error.message)
      : error;
  }
}

/** Listens on the configured port; without one, on the first of `usual` that is available. */
async function listenOn(
  setting: "SMTP_RELAY_PORT" | "SMTP_INBOUND_PORT",
  usual: readonly number[],
  start: (port: number) => Promise<Listening>,
): Promise<Listening> {
  const configured = env()[setting];
  const ports = configured === undefined ? usual : [configured];
  for (const [index, port] of ports.entries()) {
    try {
      return await start(port);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const tryNext = code === "EADDRINUSE" || code === "EACCES";
      if (!tryNext || index === ports.length - 1) {
        throw listenFault(error, env().HOST, port, setting);
      }
    }
  }
  throw new Error("There is no port to listen on.");
}

await runProgram("smtp", async ({ signal, ready }) => {
  let certificate = await readCertificate();
  const { HOST: host, MAIL_HOSTNAME: hostname, SMTP_RELAY_PLAINTEXT_AUTH: plaintextAuth } = env();
  const shared = { db: database(), host, hostname, certificate };
  const relay = await listenOn("SMTP_RELAY_PORT", relayPorts, (port) =>
    startRelay({ ...shared, port, plaintextAuth }),
  );
  const inbound = await listenOn("SMTP_INBOUND_PORT", inboundPorts, (port) =>
    startInbound({ ...shared, port }),
  );
  // Certificates are renewed while the program runs: a process must not need a restart for it.
  const timer = setInterval(() => {
    readCertificate().then(
      (current) => {
        if (current.cert === certificate.cert) return;
        certificate = current;
        relay.useCertificate(current);
        inbound.useCertificate(current);
      },
      (error: unknown) => {
        const reason = error instanceof Fault ? error.message : "the database does not answer";
        log.warn({ reason }, "the SMTP servers keep their certificate");
      },
    );
  }, certificateCheckMilliseconds);
  ready(`${host}:${relay.port} (relay), ${host}:${inbound.port} (inbound)`);
  if (!signal.aborted) await once(signal, "abort");
  clearInterval(timer);
  await Promise.all([relay.close(), inbound.close()]);
});
