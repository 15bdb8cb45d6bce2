import type { TLSSocket } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { env, type Env } from "@/lib/ground/env/env";
import { guardedAddresses } from "@/lib/ground/net/guarded-fetch";
import { domainOf } from "@/lib/mail/address";
import type { TlsDemand } from "@/lib/mail/receiving-hosts/dane";
import { checkDane } from "@/lib/mail/receiving-hosts/dane-check";
import {
  ReceivingHosts,
  verified,
  type ReceivingHost,
} from "@/lib/mail/receiving-hosts/receiving-hosts";
import { receiverPort } from "@/lib/mail/receiving-hosts/port";
import { parseMx } from "@/lib/mail/smtp-server-url";

const mostHostsTried = 3;
const timeoutMilliseconds = 15_000;
/** nodemailer's words for a server that another may stand in for. */
const withoutSession = new Set([
  "ECONNECTION",
  "ECONNREFUSED",
  "EDNS",
  "ESOCKET",
  "ETIMEDOUT",
  "ETLS",
]);

let latest: { settings: Env; hosts: ReceivingHosts } | null = null;

/** What is known of receivers, through the name servers that the settings name. */
function receivingHosts(): ReceivingHosts {
  const settings = env();
  if (latest?.settings !== settings) latest = { settings, hosts: new ReceivingHosts() };
  return latest.hosts;
}

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Whether it may come about later: the receiver said so, or none of its servers could be had. */
export function isTemporary(error: unknown): boolean {
  const reply = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  return reply === 0 ? withoutSession.has(codeOf(error)) : reply < 500;
}

async function optionsFor({ name, demand }: ReceivingHost): Promise<SMTPConnection.Options> {
  const { MAIL_HOSTNAME } = env();
  const [address = ""] = await guardedAddresses(name);
  const [servername = name] = demand.kind === "dane" ? demand.names : [];
  return {
    host: address,
    port: receiverPort(),
    name: MAIL_HOSTNAME,
    requireTLS: demand.kind !== "any",
    tls: { servername, rejectUnauthorized: demand.kind === "certificate" },
    connectionTimeout: timeoutMilliseconds,
    greetingTimeout: timeoutMilliseconds,
  };
}

/** A whole message and whom it is for. */
export interface FinishedMail {
  envelope: { from: string; to: string };
  raw: Buffer;
}

/** One session and one mail. Rejects with nodemailer's error. */
function send(
  options: SMTPConnection.Options,
  demand: TlsDemand,
  { envelope, raw }: FinishedMail,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = new SMTPConnection(options);
    const end = (error: Error | null) => {
      // Closing, too, ends in `end`: what came first counts.
      if (error) reject(error);
      else resolve();
      connection.close();
    };
    connection.on("error", end);
    connection.on("end", () => end(withCode("The server closed the connection.", "ECONNECTION")));
    connection.connect((fault) => {
      if (fault) return end(fault);
      try {
        if (demand.kind === "dane") checkDane(connection._socket as TLSSocket, demand);
      } catch (error) {
        return end(withCode(error instanceof Error ? error.message : String(error), "ETLS"));
      }
      const { from, to } = envelope;
      connection.send({ from, to: [to] }, raw, (error) => end(error ?? null));
    });
  });
}

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

async function sendTo(host: ReceivingHost, mail: FinishedMail): Promise<void> {
  const { tls } = parseMx(env().MAIL_TRANSPORT);
  const demand = tls === "required" ? verified(host.demand) : host.demand;
  if (demand.kind === "unknown") throw withCode(demand.words, "EDNS");
  const options = await optionsFor({ ...host, demand });
  try {
    await send(options, demand, mail);
  } catch (error) {
    // Broken TLS is no reason to keep a mail back, unless the receiver says so (RFC 7435).
    if (codeOf(error) !== "ETLS" || demand.kind !== "any") throw error;
    await send({ ...options, ignoreTLS: true }, demand, mail);
  }
}

/**
 * Hands one mail to a server of its receiver, the next one where none can be reached, as `mx` does with mail of the queue.
 * Throws what the last one said.
 */
export async function sendToReceiver(mail: FinishedMail): Promise<void> {
  const route = await receivingHosts().find(domainOf(mail.envelope.to));
  if (route.kind === "none") throw new Error(route.words);
  if (route.kind === "unknown") throw withCode(route.words, "EDNS");
  let fault: unknown;
  for (const host of route.hosts.slice(0, mostHostsTried)) {
    try {
      return await sendTo(host, mail);
    } catch (error) {
      fault = error;
      if (error instanceof Error && codeOf(error) !== "" && !withoutSession.has(codeOf(error)))
        throw error;
    }
  }
  throw fault;
}
