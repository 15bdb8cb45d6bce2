import type { Envelope, HandOver, Outcome, Probe, Transport } from "@/lib/mail/transport";
import { GuardedFetchError, keepConnections } from "@/lib/ground/net/guarded-fetch";
import { callProvider } from "./call";
import {
  isOk,
  KeyMissingError,
  refused,
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
} from "./provider";
import { providerMail } from "./provider-mail";
import { RequestSlots } from "./request-slots";

const sendMilliseconds = 60_000;
const testMilliseconds = 15_000;
/** Providers ask for seconds of rest; anything longer is left to the pace to find out. */
const longestRestSeconds = 10;

/** Hands mail to a provider over its HTTP API. */
export class ProviderTransport implements Transport {
  /** Each request finds out for itself. */
  readonly trouble = null;
  readonly available = true;
  readonly #provider: Provider;
  readonly #connections = keepConnections();
  readonly #slots: RequestSlots;

  readonly #read: typeof providerMail;

  get kind() {
    return this.#provider.kind;
  }

  constructor(provider: Provider, requests: number, read = providerMail) {
    this.#provider = provider;
    this.#read = read;
    this.#slots = new RequestSlots(requests, () => this.#connections.close());
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  async deliver(envelope: Envelope, raw: Buffer, { mayStart, lane }: HandOver): Promise<Outcome> {
    const slot = await this.#slots.take(lane);
    if (!slot) return { kind: "unavailable", reason: "No more mail is sent." };
    try {
      const request = await this.#requestFor(envelope, raw, lane);
      if ("kind" in request) return request;
      if (!(await mayStart())) return { kind: "withheld" };
      return await this.#send(request);
    } finally {
      slot.end();
    }
  }

  async #requestFor(
    envelope: Envelope,
    raw: Buffer,
    lane: HandOver["lane"],
  ): Promise<ProviderRequest | Outcome> {
    try {
      return await this.#provider.send(this.#read(envelope, raw, lane));
    } catch (error) {
      return error instanceof KeyMissingError
        ? refused("login", error.message)
        : refused("message", "This message cannot be read.");
    }
  }

  async #send(request: ProviderRequest): Promise<Outcome> {
    try {
      const answer = await this.#call(request, sendMilliseconds);
      const outcome = this.#provider.judge(answer);
      const seconds = Number(answer.headers["retry-after"]);
      if (!isOk(answer) && seconds > 0) {
        this.#slots.rest(Math.min(seconds, longestRestSeconds) * 1000);
      }
      return outcome;
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error;
      const { message: reason, sent } = error;
      // What a provider recognizes as a repetition may be sent again at once.
      return sent
        ? { kind: "lost", reason, written: !this.#provider.repeatable }
        : { kind: "unavailable", reason };
    }
  }

  async probe(): Promise<Probe> {
    const { judge, judgeTest, test } = this.#provider;
    try {
      const answer = await this.#call(await test(), testMilliseconds);
      const { ok, words } = judgeTest(answer);
      const judged = judge(answer);
      const loginRefused = !ok && judged.kind === "unavailable" && judged.loginRefused === true;
      return { ok, words, loginRefused };
    } catch (error) {
      if (error instanceof KeyMissingError) {
        return { ok: false, words: error.message, loginRefused: true };
      }
      if (!(error instanceof GuardedFetchError)) throw error;
      return { ok: false, words: error.message, loginRefused: false };
    }
  }

  close(): void {
    this.#slots.close();
  }

  /** Throws GuardedFetchError. */
  #call(request: ProviderRequest, timeoutMilliseconds: number): Promise<ProviderAnswer> {
    const connections = this.#connections;
    return callProvider(this.#provider.endpoint, request, { timeoutMilliseconds, connections });
  }
}
