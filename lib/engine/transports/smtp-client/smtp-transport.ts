import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/ground/log";
import type { Envelope, HandOver, Outcome, Probe, Transport } from "@/lib/mail/transport";
import { Unavailable, SmtpConnection } from "./client-connection";
import { handOver } from "./hand-over";
import type { SmtpServer } from "@/lib/mail/smtp-server-url";
import { SessionPool, type PoolTimes } from "./session-pool";

/** Pauses while the server cannot be reached: short ones, so that mail leaves soon after it is back. */
const pauseMilliseconds = [250, 500, 1_000, 2_000, 5_000, 10_000];

/** A test of whether a server works does not wait for a slow one as mail does. */
const probeSeconds = 15;

/**
 * Hands mail to one server. While no session can be had, nothing is attempted: mail waits for
 * `ready`, which tries the server alone.
 */
export class SmtpTransport implements Transport {
  readonly kind = "smtp";
  readonly #pool: SessionPool;
  readonly #server: SmtpServer;
  #failures = 0;
  /** How many sessions in a row were opened, then refused anything that was to be sent. */
  #useless = 0;
  #probing: Promise<void> | null = null;
  trouble: Transport["trouble"] = null;

  constructor(server: SmtpServer, times: Partial<PoolTimes> = {}) {
    this.#server = server;
    this.#pool = new SessionPool(() => SmtpConnection.open(server), server.connections, times);
    this.#pool.onAvailability = (reason) => {
      if (reason !== null) this.#noteFailure(reason);
      else if (this.#failures > 0) {
        log.info("The mail server is back.");
        this.#failures = 0;
        // A server that refuses everything is back only when it takes something.
        if (this.#useless === 0) this.trouble = null;
      }
    };
  }

  get available(): boolean {
    return this.#failures === 0;
  }

  ready(signal: AbortSignal): Promise<void> {
    if (this.available) return Promise.resolve();
    return (this.#probing ??= this.#probe(signal).finally(() => {
      this.#probing = null;
    }));
  }

  async #probe(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#failures > 0) {
      const pause = pauseMilliseconds[Math.min(this.#failures, pauseMilliseconds.length) - 1];
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      // Only an attempt of its own lengthens the pauses: a dozen sessions that break together are one outage.
      if (!(await this.#pool.open())) this.#failures++;
    }
  }

  #noteFailure(reason: string): void {
    this.trouble = { words: reason, since: this.trouble?.since ?? Date.now() };
    if (this.#failures === 0) {
      log.warn({ reason }, "The mail server is not available; mail waits.");
      this.#failures = 1;
    }
  }

  async deliver(envelope: Envelope, raw: Buffer, how: HandOver): Promise<Outcome> {
    let outcome: Outcome;
    try {
      outcome = await handOver(this.#pool, envelope, raw, how);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      const { message: reason, loginRefused } = error;
      return { kind: "unavailable", reason, loginRefused };
    }
    if (outcome.kind === "unavailable") {
      this.#noteFailure(outcome.reason);
      this.#failures = Math.max(this.#failures, ++this.#useless);
    } else if (outcome.kind !== "lost" && outcome.kind !== "withheld") {
      this.#useless = 0;
      this.trouble = null;
    }
    return outcome;
  }

  async probe(): Promise<Probe> {
    try {
      const connection = await SmtpConnection.open(this.#server, probeSeconds);
      connection.close();
      return { ok: true, words: connection.welcome.join("\n"), loginRefused: false };
    } catch (error) {
      const loginRefused = error instanceof Unavailable && error.loginRefused;
      return { ok: false, words: error instanceof Error ? error.message : "", loginRefused };
    }
  }

  close(): void {
    this.#pool.close();
  }
}
