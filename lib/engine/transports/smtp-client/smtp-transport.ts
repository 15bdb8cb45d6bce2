import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/ground/log";
import { SmtpConnection, Unavailable } from "./client-connection";
import type { SmtpServer } from "@/lib/mail/smtp-server-url";
import type { Envelope, Outcome, Transport } from "@/lib/engine/transports/transport";

/** Pauses while the server cannot be reached: short ones, so that mail leaves soon after it is back. */
const pauseMilliseconds = [250, 500, 1_000, 2_000, 5_000, 10_000];
/** Below the five minutes after which servers hang up. */
const idleMilliseconds = 60_000;

/**
 * A pool of sessions with one server. While no session can be had nothing is attempted: mail waits for
 * `ready`, which tries the server alone.
 */
export class SmtpTransport implements Transport {
  readonly #server: SmtpServer;
  #idle: SmtpConnection[] = [];
  #open = 0;
  #queue: (() => void)[] = [];
  #failures = 0;
  #probing: Promise<void> | null = null;
  #idleTimers = new Map<SmtpConnection, NodeJS.Timeout>();
  #closed = false;

  constructor(server: SmtpServer) {
    this.#server = server;
  }

  ready(signal: AbortSignal): Promise<void> {
    if (this.#failures === 0) return Promise.resolve();
    return (this.#probing ??= this.#probe(signal).finally(() => {
      this.#probing = null;
    }));
  }

  async #probe(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#failures > 0) {
      const pause = pauseMilliseconds[Math.min(this.#failures, pauseMilliseconds.length) - 1];
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        this.#release(await this.#connect());
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        // Only a try of its own makes the pauses longer: a dozen sessions that break at once are one outage.
        this.#failures++;
      }
    }
  }

  async #connect(): Promise<SmtpConnection> {
    this.#open++;
    try {
      const connection = await SmtpConnection.open(this.#server);
      if (!connection.usable) throw new Unavailable("The server closed the connection.");
      if (this.#failures > 0) log.info("The mail server is back.");
      this.#failures = 0;
      connection.onEnd = () => this.#forget(connection);
      return connection;
    } catch (error) {
      this.#open--;
      this.#noteFailure((error as Error).message);
      this.#next();
      throw error;
    }
  }

  #noteFailure(reason: string): void {
    if (this.#failures === 0) {
      log.warn({ reason }, "The mail server is not available; mail waits.");
      this.#failures = 1;
    }
  }

  #forget(connection: SmtpConnection): void {
    this.#open--;
    clearTimeout(this.#idleTimers.get(connection));
    this.#idleTimers.delete(connection);
    this.#idle = this.#idle.filter((one) => one !== connection);
    this.#next();
  }

  #next(): void {
    this.#queue.shift()?.();
  }

  async #acquire(): Promise<SmtpConnection> {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle) {
        clearTimeout(this.#idleTimers.get(idle));
        this.#idleTimers.delete(idle);
        return idle;
      }
      if (this.#open < this.#server.connections) return this.#connect();
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
  }

  #release(connection: SmtpConnection): void {
    if (!connection.usable) return;
    if (this.#closed) {
      connection.close();
      return;
    }
    this.#idle.push(connection);
    const timer = setTimeout(() => connection.close(), idleMilliseconds);
    timer.unref();
    this.#idleTimers.set(connection, timer);
    this.#next();
  }

  async deliver(
    envelope: Envelope,
    raw: Buffer,
    mayStart: () => Promise<boolean>,
  ): Promise<Outcome> {
    for (;;) {
      let connection: SmtpConnection;
      try {
        connection = await this.#acquire();
      } catch (error) {
        if (error instanceof Unavailable) return { kind: "unavailable", reason: error.message };
        throw error;
      }
      if (!(await mayStart())) {
        this.#release(connection);
        return { kind: "withheld" };
      }
      const reused = connection.carried > 0;
      const outcome = await connection.deliver(envelope, raw);
      this.#release(connection);
      const hungUp =
        outcome.kind === "lost" || (outcome.kind === "refused" && outcome.reply.code === 421);
      // A server may end a session between two messages whenever it likes: a fresh one decides.
      if (reused && hungUp && !connection.messageWritten) continue;
      if (outcome.kind === "unavailable") this.#noteFailure(outcome.reason);
      return outcome;
    }
  }

  close(): void {
    this.#closed = true;
    for (const connection of [...this.#idle]) connection.close();
  }
}
