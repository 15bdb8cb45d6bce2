import { log } from "@/lib/ground/log";
import { Turns } from "@/lib/ground/queue/turns";
import type { DaneProof, TlsDemand } from "@/lib/mail/receiving-hosts/dane";
import { checkDane } from "@/lib/mail/receiving-hosts/dane-check";
import type { SmtpServer } from "@/lib/mail/smtp-server-url";
import type { Envelope, HandOver, Outcome } from "@/lib/mail/transport";
import { SmtpConnection, Unavailable } from "@/lib/engine/transports/smtp-client/client-connection";
import { handOver } from "@/lib/engine/transports/smtp-client/hand-over";
import { AllBusy, SessionPool } from "@/lib/engine/transports/smtp-client/session-pool";

/** Receivers end idle sessions sooner than one's own server does, and count silent ones as well. */
const times = { idleSeconds: 20, stalledSeconds: 900, waitSeconds: 10 };
/** For how long a server whose TLS does not work is given its mail in clear text. */
const plainMilliseconds = 3_600_000;
/** The weight of each new duration in the mean. */
const newest = 0.2;
/** The most messages for one host that have a session or wait for one. */
const mostUnderWay = 64;

/** One receiving host, and how to speak to it. */
export type HostServer = Pick<SmtpServer, "host" | "port" | "hostname" | "connections"> & {
  /** Under `any`, TLS is used where it works (RFC 7435). */
  demand: TlsDemand;
};

interface HostCalls {
  onReached: () => void;
  /** No session could be opened, and none is open. */
  onFault: (fault: Unavailable) => void;
}

/** A session with a receiving host. Throws Unavailable. */
export function openHost(
  { demand, ...server }: HostServer,
  { tls = true, patience = Infinity } = {},
): Promise<SmtpConnection> {
  return SmtpConnection.open(
    {
      ...server,
      implicitTls: false,
      tls: demand.kind !== "any" ? "required" : tls ? "opportunistic" : "off",
      verifyCertificate: demand.kind === "certificate",
      ...(demand.kind === "dane" ? { proof: proofOf(demand) } : {}),
      user: null,
      password: "",
      guarded: true,
      dnsOnly: true,
    },
    patience,
  );
}

function proofOf(demand: DaneProof): NonNullable<SmtpServer["proof"]> {
  const [servername = ""] = demand.names;
  return { servername, check: (socket) => checkDane(socket, demand) };
}

/** The sessions with one receiving host, and how much mail it is given at once. */
export class HostSessions {
  readonly #server: HostServer;
  readonly #pool: SessionPool;
  readonly #turns = new Turns();
  #underWay = 0;
  #lastFault: Unavailable | null = null;
  /** How long a message takes. */
  #meanSeconds = 0.1;
  /** When it last answered, or was given mail after having none; by performance.now(). */
  #progressAt = 0;
  /** By performance.now(). */
  #plainUntil = -Infinity;

  constructor(server: HostServer, calls: HostCalls) {
    this.#server = server;
    this.#pool = new SessionPool(() => this.#open(), server.connections, times);
    this.#pool.onAvailability = (reason) => {
      if (reason !== null) calls.onFault(this.#lastFault ?? new Unavailable(reason));
      else calls.onReached();
    };
  }

  /** Messages that have a session or wait for one. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Seconds until it can be given one more; 0: now. A turn is taken by asking. */
  waitSeconds(): number {
    // What it takes in a second, and at least one more for each session.
    const most = Math.max(2 * this.#server.connections, Math.min(mostUnderWay, this.#rate));
    return this.#underWay < most ? 0 : this.#turns.next(this.#rate);
  }

  /** Messages a second that it takes, as far as is known; fewer while it is silent. */
  get #rate(): number {
    const silent = this.#underWay === 0 ? 0 : (performance.now() - this.#progressAt) / 1000;
    return this.#server.connections / Math.max(this.#meanSeconds, silent);
  }

  /** `later` where it has enough for now. Throws Unavailable. */
  async deliver(envelope: Envelope, raw: Buffer, how: HandOver): Promise<Outcome> {
    const seconds = this.waitSeconds();
    if (seconds > 0) return { kind: "later", seconds };
    let began = 0;
    const mayStart = () => {
      began = performance.now();
      return how.mayStart();
    };
    if (this.#underWay++ === 0) this.#progressAt = performance.now();
    try {
      const outcome = await handOver(this.#pool, envelope, raw, { ...how, mayStart });
      const taken = (performance.now() - began) / 1000;
      this.#meanSeconds += newest * (taken - this.#meanSeconds);
      this.#progressAt = performance.now();
      return outcome;
    } catch (error) {
      if (!(error instanceof AllBusy)) throw error;
      return { kind: "later", seconds: this.#turns.next(this.#rate) };
    } finally {
      this.#underWay--;
    }
  }

  close(): void {
    this.#pool.close();
  }

  async #open(): Promise<SmtpConnection> {
    try {
      return await this.#openEitherWay();
    } catch (error) {
      this.#lastFault = error instanceof Unavailable ? error : new Unavailable(String(error));
      throw this.#lastFault;
    }
  }

  async #openEitherWay(): Promise<SmtpConnection> {
    if (performance.now() < this.#plainUntil) return openHost(this.#server, { tls: false });
    try {
      return await openHost(this.#server);
    } catch (error) {
      const mayBePlain = error instanceof Unavailable && error.why.tlsFailed;
      if (!mayBePlain || this.#server.demand.kind !== "any") throw error;
      const connection = await openHost(this.#server, { tls: false });
      log.info({ host: this.#server.host, reason: error.message }, "A receiver's TLS is broken.");
      this.#plainUntil = performance.now() + plainMilliseconds;
      return connection;
    }
  }
}
