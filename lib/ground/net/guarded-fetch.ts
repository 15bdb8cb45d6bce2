import { lookup as systemLookup } from "node:dns/promises";
import { Agent, request as requestHttp, type IncomingMessage } from "node:http";
import { Agent as SecureAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { createResolver } from "@/lib/ground/dns/resolver";
import { env } from "@/lib/ground/env/env";
import { inEnglish } from "@/lib/ground/texts/kept-text";
import { isPublicAddress } from "./addresses/public";

/** `refused`: not a public address. `too_large`: the body went past `largestBytes`. */
export type FetchFault =
  | "refused"
  | "unreachable"
  | "certificate"
  | "timeout"
  | "too_large"
  | "broken";

/** Why a fetch came to nothing, in words that may be shown: they reveal nothing about an internal network. */
export class GuardedFetchError extends Error {
  constructor(
    readonly fault: FetchFault,
    message: string,
    /** Whether the whole request had left: then the server may have done what it asks. */
    readonly sent = false,
  ) {
    super(message);
    this.name = "GuardedFetchError";
  }
}

export interface GuardedRequest {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For all of it: look-up, connection, answer, and reading the body to its end. */
  timeoutMilliseconds: number;
  /** For the answer's body, as it comes over the line. */
  largestBytes: number;
  /** Refuses http where ALLOW_PRIVATE_ADDRESSES is off. */
  secure?: boolean;
  signal?: AbortSignal;
  /** Takes a connection that an earlier call to the same host left, or makes one. Default: one of its own. */
  connections?: KeptConnections;
}

/** Connections that calls share; their addresses are checked when they are made. */
export interface KeptConnections {
  http: Agent;
  https: SecureAgent;
  close(): void;
}

export interface GuardedResponse {
  /** As it came: a redirect is an answer, it is not followed. */
  status: number;
  headers: IncomingMessage["headers"];
  /** Throws GuardedFetchError. Read it, or `discard`: the connection stays open until then. */
  body: AsyncIterable<Uint8Array>;
  discard(): void;
}

const notPublic = inEnglish("The address does not lead to a public server.");

interface Target {
  address: string;
  family: number;
}

/**
 * The addresses behind a host name, all of them public unless ALLOW_PRIVATE_ADDRESSES. One private
 * address among them gets the name refused.
 */
async function resolveTarget(hostname: string, { dnsOnly = false } = {}): Promise<Target[]> {
  const bare = hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(bare) ? [bare] : await addressesOf(bare, dnsOnly);
  const permitted = env().ALLOW_PRIVATE_ADDRESSES || addresses.every(isPublicAddress);
  // An internal name gets the same words whether or not it exists.
  if (addresses.length === 0 || !permitted) throw new GuardedFetchError("refused", notPublic);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

async function addressesOf(name: string, dnsOnly: boolean): Promise<string[]> {
  // RFC 6761, section 6.3: no name server is asked.
  if (/(^|\.)localhost\.?$/i.test(name)) return ["127.0.0.1", "::1"];
  if (dnsOnly || env().DNS_SERVERS.length > 0) {
    const answer = await createResolver().addresses(name);
    if (answer.kind === "failed") {
      throw new GuardedFetchError(
        "unreachable",
        inEnglish("The server's name could not be looked up."),
      );
    }
    return answer.kind === "found" ? answer.values : [];
  }
  try {
    return (await systemLookup(name, { all: true })).map(({ address }) => address);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw new GuardedFetchError(
      "unreachable",
      inEnglish("The server's name could not be looked up."),
    );
  }
}

/** Hands node the addresses that were checked: it asks no one else. */
const pinned =
  (targets: readonly Target[]): LookupFunction =>
  (_hostname, options, done) => {
    if (options.all) return done(null, [...targets]);
    const [first] = targets;
    if (first) done(null, first.address, first.family);
  };

/**
 * A look-up for one connection to a host that somebody gave us. `dnsOnly`: by name servers alone, since the
 * system's own look-ups share a few threads with everything else that waits. Throws GuardedFetchError.
 */
export async function guardedLookup(
  hostname: string,
  options: { dnsOnly?: boolean } = {},
): Promise<LookupFunction> {
  return pinned(await resolveTarget(hostname, options));
}

/** The addresses behind a host name, all of them public unless ALLOW_PRIVATE_ADDRESSES. Throws GuardedFetchError. */
export async function guardedAddresses(hostname: string): Promise<string[]> {
  const targets = await resolveTarget(hostname, { dnsOnly: true });
  return targets.map(({ address }) => address);
}

/** Looks up and checks when a connection is made. */
const checked: LookupFunction = (hostname, options, done) => {
  resolveTarget(hostname).then(
    (targets) => pinned(targets)(hostname, options, done),
    (error: unknown) => done(error as NodeJS.ErrnoException, []),
  );
};

/** For many calls to the same few hosts: an idle connection is kept for some seconds. */
export function keepConnections(): KeptConnections {
  const options = { keepAlive: true, timeout: 20_000, maxFreeSockets: 32, lookup: checked };
  const http = new Agent(options);
  const https = new SecureAgent(options);
  return {
    http,
    https,
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}

function parseTarget(url: string | URL, secure: boolean): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) {
    throw new GuardedFetchError("refused", inEnglish("This is not an http or https address."));
  }
  if (secure && parsed.protocol !== "https:" && !env().ALLOW_PRIVATE_ADDRESSES) {
    throw new GuardedFetchError("refused", inEnglish("Only https addresses are called."));
  }
  return parsed;
}

/**
 * Calls an address that someone gave us. It is looked up once, its addresses are checked, and one of
 * those is dialled; redirects are not followed; time and size are bounded. Throws GuardedFetchError.
 */
export async function guardedFetch(
  url: string | URL,
  options: GuardedRequest,
): Promise<GuardedResponse> {
  const target = parseTarget(url, options.secure ?? false);
  const deadline = new AbortController();
  const { signal } = deadline;
  const progress: Progress = { sent: false };
  const giveUp = (fault: FetchFault, message: string) =>
    deadline.abort(new GuardedFetchError(fault, message, progress.sent));
  const timer = setTimeout(
    () => giveUp("timeout", inEnglish("The server took too long.")),
    options.timeoutMilliseconds,
  );
  const cancel = () => giveUp("broken", inEnglish("The call was cancelled."));
  options.signal?.addEventListener("abort", cancel, { once: true });
  if (options.signal?.aborted) cancel();
  const settle = () => {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", cancel);
  };
  try {
    // An address needs no look-up: node would dial it unchecked.
    const lookup =
      options.connections && isIP(target.hostname.replace(/^\[|\]$/g, "")) === 0
        ? checked
        : pinned(await untilAborted(resolveTarget(target.hostname), signal));
    const response = await call(target, lookup, { ...options, progress }, signal);
    response.once("close", settle);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: boundedBody(response, options.largestBytes, signal),
      discard: () => response.destroy(),
    };
  } catch (error) {
    settle();
    throw faultOf(error, signal, progress.sent);
  }
}

/** How far a request has come. */
interface Progress {
  sent: boolean;
}

function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function call(
  target: URL,
  lookup: LookupFunction,
  options: GuardedRequest & { progress: Progress },
  signal: AbortSignal,
  connections: KeptConnections | null = options.connections ?? null,
): Promise<IncomingMessage> {
  const { method = "GET", headers, body } = options;
  return new Promise((resolve, reject) => {
    let answered = false;
    const secure = target.protocol === "https:";
    const open = secure ? requestHttps : requestHttp;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const request = open(
      target,
      {
        method,
        lookup,
        signal,
        agent: connections?.[secure ? "https" : "http"] ?? false,
        headers: { ...headers, ...length },
      },
      (response) => {
        answered = true;
        resolve(response);
      },
    );
    // `on`, not `once`: an error after the answer would end the process.
    request.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed a kept connection while we wrote into it: that says nothing about the call.
      const stale = request.reusedSocket && error.code === "ECONNRESET" && !answered;
      if (!stale || signal.aborted) return reject(error);
      call(target, lookup, options, signal, null).then(resolve, reject);
    });
    // Written to the connection, not merely kept until there is one.
    request.once("finish", () => {
      options.progress.sent = true;
    });
    request.end(body);
  });
}

async function* boundedBody(
  response: IncomingMessage,
  largestBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const tooLarge = () =>
    new GuardedFetchError(
      "too_large",
      inEnglish("The answer is larger than {bytes} bytes.", { bytes: String(largestBytes) }),
    );
  let received = 0;
  try {
    if (Number(response.headers["content-length"] ?? 0) > largestBytes) throw tooLarge();
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      received += chunk.byteLength;
      if (received > largestBytes) throw tooLarge();
      yield chunk;
    }
    // Node ends a body that was cut off as if it were whole.
    if (!response.complete) {
      throw new GuardedFetchError("broken", inEnglish("The connection broke off."));
    }
  } catch (error) {
    throw faultOf(error, signal, true);
  } finally {
    response.destroy();
  }
}

/** The connection's own error text names addresses and ports: it stays here. */
function faultOf(error: unknown, signal: AbortSignal, sent: boolean): GuardedFetchError {
  if (error instanceof GuardedFetchError) return error;
  if (signal.aborted && signal.reason instanceof GuardedFetchError) return signal.reason;
  const reported = (error as { code?: unknown }).code;
  const code = typeof reported === "string" ? reported : "";
  if (/CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new GuardedFetchError(
      "certificate",
      inEnglish("The server's certificate is not valid."),
    );
  }
  if (code === "ECONNRESET" || code.startsWith("HPE_")) {
    return new GuardedFetchError("broken", inEnglish("The connection broke off."), sent);
  }
  return new GuardedFetchError("unreachable", inEnglish("The server could not be reached."), sent);
}
