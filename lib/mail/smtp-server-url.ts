import type { TLSSocket } from "node:tls";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";

/** `off`: never TLS. `opportunistic`: when offered. `required`: with a valid certificate, or not at all. */
const tlsModes = ["off", "opportunistic", "required"] as const;

/** A mail server that mail is handed to. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (smtps). */
  implicitTls: boolean;
  tls: (typeof tlsModes)[number];
  /** Whether an invalid certificate ends the session. */
  verifyCertificate: boolean;
  /** What stands in for a valid certificate: the name to ask for, and a check that throws. */
  proof?: { servername: string; check: (socket: TLSSocket) => void };
  user: string | null;
  password: string;
  /** Connections at once. */
  connections: number;
  /** What we call ourselves (EHLO). */
  hostname: string;
  /**
   * Only public addresses are dialled, unless ALLOW_PRIVATE_ADDRESSES: the host is not the operator's choice.
   */
  guarded: boolean;
  /** Whether its host is looked up by name servers alone, as the servers of receivers are. */
  dnsOnly?: boolean;
}

/** How mail is handed to its receivers' own servers. */
export interface MxSettings {
  /** Sessions with one host at once. */
  connections: number;
  /** Messages that one host is given in a minute at most; null: as many as it takes. */
  messagesPerMinute: number | null;
  tls: "opportunistic" | "required";
}

const mostPerMinute = 60_000;

/** Whether MAIL_TRANSPORT is `mx`, with settings or without. */
export const isMx = (text: string): boolean => /^mx(\?|$)/.test(text);

/** Reads `mx`, or `mx?connections=5&messages-per-minute=600&tls=required`. Throws one sentence for anything else. */
export function parseMx(text: string): MxSettings {
  const settings = new URLSearchParams(text.slice("mx?".length));
  const tls = settings.get("tls") ?? "opportunistic";
  if (tls !== "opportunistic" && tls !== "required") {
    throw new Error("MAIL_TRANSPORT: tls is opportunistic or required for mx.");
  }
  const messagesPerMinute = perMinuteOf(settings);
  return { connections: connectionsOf(settings, { usual: 5, most: 50 }), messagesPerMinute, tls };
}

function perMinuteOf(settings: URLSearchParams): number | null {
  const given = settings.get("messages-per-minute");
  if (given === null) return null;
  const perMinute = Number(given);
  if (!Number.isInteger(perMinute) || perMinute < 1 || perMinute > mostPerMinute) {
    throw new Error(
      `MAIL_TRANSPORT: messages-per-minute is a whole number from 1 to ${mostPerMinute}.`,
    );
  }
  return perMinute;
}

function connectionsOf(
  settings: URLSearchParams,
  { usual, most }: { usual: number; most: number },
): number {
  const connections = Number(settings.get("connections") ?? usual);
  if (!Number.isInteger(connections) || connections < 1 || connections > most) {
    throw new Error(`MAIL_TRANSPORT: connections is a number from 1 to ${most}.`);
  }
  return connections;
}

/**
 * Reads `smtp://user:pass@host:port?connections=10&tls=opportunistic`, or `smtps://`. Throws one sentence
 * for anything else.
 */
export function parseSmtpUrl(text: string, hostname: string): SmtpServer {
  const url = new URL(text);
  const implicitTls = url.protocol === "smtps:";
  const tls = url.searchParams.get("tls") ?? "opportunistic";
  const mode = tlsModes.find((one) => one === tls);
  if (!mode) throw new Error(`MAIL_TRANSPORT: tls is one of ${tlsModes.join(", ")}.`);
  const connections = connectionsOf(url.searchParams, { usual: 10, most: 200 });
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!host) throw new Error("MAIL_TRANSPORT: names no host.");
  const user = url.username ? decodeURIComponent(url.username) : null;
  // A password is sent to another machine over TLS or not at all.
  const secret = user !== null && !isLoopback(host);
  if (secret && mode === "off" && !implicitTls) {
    throw new Error(
      "MAIL_TRANSPORT: tls=off would send the password in clear text to another machine.",
    );
  }
  return {
    host,
    port: Number(url.port) || (implicitTls ? 465 : 25),
    implicitTls,
    tls: secret ? "required" : mode,
    // Without a password to protect, refusing TLS would only mean sending without it.
    verifyCertificate: mode === "required" || secret,
    user,
    password: decodeURIComponent(url.password),
    connections,
    hostname,
    guarded: false,
  };
}
