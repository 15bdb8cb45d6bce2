import type SMTPTransport from "nodemailer/lib/smtp-transport";
import { env } from "@/lib/ground/env/env";
import { guardedAddresses } from "@/lib/ground/net/guarded-fetch";
import { domainOf } from "@/lib/mail/address";
import { ReceivingHosts, type ReceivingHost } from "@/lib/mail/receiving-hosts/receiving-hosts";
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

let receivingHosts: ReceivingHosts | null = null;

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "";

async function optionsFor({ name, verified }: ReceivingHost): Promise<SMTPTransport.Options> {
  const { MAIL_HOSTNAME, MAIL_TRANSPORT } = env();
  const required = verified || parseMx(MAIL_TRANSPORT).tls === "required";
  const [address = ""] = await guardedAddresses(name);
  return {
    host: address,
    port: receiverPort(),
    name: MAIL_HOSTNAME,
    requireTLS: required,
    tls: { servername: name, rejectUnauthorized: required },
    connectionTimeout: timeoutMilliseconds,
    greetingTimeout: timeoutMilliseconds,
  };
}

/**
 * Hands one mail to a server of its receiver, the next one where none can be reached, as `mx` does with mail of the queue.
 * Throws what the last one said.
 */
export async function sendToReceiver(
  address: string,
  send: (options: SMTPTransport.Options) => Promise<void>,
): Promise<void> {
  receivingHosts ??= new ReceivingHosts();
  const route = await receivingHosts.find(domainOf(address));
  if (route.kind !== "hosts") throw new Error(route.words);
  let fault: unknown;
  for (const host of route.hosts.slice(0, mostHostsTried)) {
    try {
      const options = await optionsFor(host);
      try {
        return await send(options);
      } catch (error) {
        // Broken TLS is no reason to keep a mail back, unless the receiver says so (RFC 7435).
        if (codeOf(error) !== "ETLS" || options.requireTLS) throw error;
        return await send({ ...options, ignoreTLS: true });
      }
    } catch (error) {
      fault = error;
      if (error instanceof Error && codeOf(error) !== "" && !withoutSession.has(codeOf(error)))
        throw error;
    }
  }
  throw fault;
}
