import { once } from "node:events";
import { database } from "@/db/client";
import { env } from "@/lib/ground/env/env";
import { log } from "@/lib/ground/log";
import { relayCertificate, type Certificate } from "@/lib/doors/smtp-relay/certificate";
import { startRelay, type Relay } from "@/lib/doors/smtp-relay/relay-server";
import { runProgram } from "./program";
import { Fault } from "./start/fault";
import { listenFault } from "./start/ports";

const submissionPort = 587;
const unprivilegedPort = 2587;
const anyPort = 0;
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

/**
 * Listens on the configured port; without one, on 587, then 2587, and beside another
 * installation that holds both, on any free port. The start prints which.
 */
async function listen(certificate: Certificate): Promise<Relay> {
  const { HOST, SMTP_RELAY_PORT, SMTP_RELAY_PLAINTEXT_AUTH, MAIL_HOSTNAME } = env();
  const ports =
    SMTP_RELAY_PORT === undefined ? [submissionPort, unprivilegedPort, anyPort] : [SMTP_RELAY_PORT];
  for (const [index, port] of ports.entries()) {
    try {
      return await startRelay({
        db: database(),
        host: HOST,
        port,
        hostname: MAIL_HOSTNAME,
        certificate,
        plaintextAuth: SMTP_RELAY_PLAINTEXT_AUTH,
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const tryNext = code === "EADDRINUSE" || code === "EACCES";
      if (!tryNext || index === ports.length - 1) {
        throw listenFault(error, HOST, port, "SMTP_RELAY_PORT");
      }
    }
  }
  throw new Error("There is no port to listen on.");
}

await runProgram("smtp", async ({ signal, ready }) => {
  let certificate = await readCertificate();
  const relay = await listen(certificate);
  // Certificates are renewed while the program runs: a process must not need a restart for it.
  const timer = setInterval(() => {
    readCertificate().then(
      (current) => {
        if (current.cert === certificate.cert) return;
        certificate = current;
        relay.useCertificate(current);
      },
      (error: unknown) => {
        const reason = error instanceof Fault ? error.message : "the database does not answer";
        log.warn({ reason }, "the relay keeps its certificate");
      },
    );
  }, certificateCheckMilliseconds);
  ready(`${env().HOST}:${relay.port}`);
  if (!signal.aborted) await once(signal, "abort");
  clearInterval(timer);
  await relay.close();
});
