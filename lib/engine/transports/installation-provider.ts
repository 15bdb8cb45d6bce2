import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/ground/log";
import type { ProviderTransport } from "@/lib/mail/providers/provider-transport";
import type { Envelope, HandOver, Outcome, Probe, Transport } from "@/lib/mail/transport";

/** Pauses while the provider takes nothing: short ones, so that mail leaves soon after it does again. */
const pauseMilliseconds = [250, 1_000, 2_000, 5_000, 10_000, 30_000];

/**
 * Hands the installation's mail to a provider. While that cannot be reached or refuses the key, nothing is attempted:
 * mail waits for `ready`, which asks alone.
 */
export class InstallationProvider implements Transport {
  readonly #provider: ProviderTransport;
  /** As people call it: what it says is shown as its words. */
  readonly #name: string;
  /** How often in a row it took nothing; 0: nothing speaks against it. */
  #failures = 0;
  #asking: Promise<void> | null = null;
  #blocked = false;
  trouble: Transport["trouble"] = null;

  get kind() {
    return this.#provider.kind;
  }

  constructor(provider: ProviderTransport, name: string) {
    this.#provider = provider;
    this.#name = name;
  }

  get available(): boolean {
    return !this.#blocked;
  }

  ready(signal: AbortSignal): Promise<void> {
    if (this.available) return Promise.resolve();
    return (this.#asking ??= this.#askUntilReady(signal).finally(() => {
      this.#asking = null;
    }));
  }

  async #askUntilReady(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#blocked) {
      const pause = pauseMilliseconds[Math.min(this.#failures, pauseMilliseconds.length) - 1];
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const { ok, words } = await this.#provider.probe();
      if (ok) this.#blocked = false;
      else this.#noteFailure(words);
    }
  }

  #noteFailure(reason: string): void {
    const words = `${this.#name}: ${reason}`;
    if (this.trouble === null) log.warn({ words }, "The provider takes no mail; mail waits.");
    this.trouble = { words, since: this.trouble?.since ?? Date.now() };
    this.#blocked = true;
    this.#failures++;
  }

  async deliver(envelope: Envelope, raw: Buffer, how: HandOver): Promise<Outcome> {
    const outcome = await this.#provider.deliver(envelope, raw, how);
    if (outcome.kind === "unavailable") {
      // What was under way together failed together.
      if (!this.#blocked) this.#noteFailure(outcome.reason);
    } else if (outcome.kind === "accepted" || outcome.kind === "refused") {
      // A good key alone is not enough, for example where the configuration set is gone.
      if (this.trouble !== null) log.info("The provider takes mail again.");
      this.trouble = null;
      this.#failures = 0;
      this.#blocked = false;
    }
    return outcome;
  }

  probe(): Promise<Probe> {
    return this.#provider.probe();
  }

  close(): void {
    this.#provider.close();
  }
}
