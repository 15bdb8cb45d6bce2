import { setTimeout as sleep } from "node:timers/promises";
import { httpAnswer, noteAnswer, withoutAnswer, type Answers } from "@/bench/chaos/answers";
import type { Doors } from "@/bench/chaos/doors";
import type { Chance } from "@/lib/testing/chance";
import type { Scene } from "./scene";

const patienceMilliseconds = 30_000;
/** Between two requests of a lane. */
const pauseMilliseconds = 250;
/** How long one that is to be repeated until it is taken may take, outages included. */
const longestRepeats = 1_200;

const keyedName = "a mail under an Idempotency-Key";
/** To such a one: the first request under the key has not ended. */
const stillRunning = "409";

/** A request of the shop's program. */
interface Request {
  /** What it is counted as. */
  name: string;
  method: string;
  path: string;
  body?: object | string;
  headers?: Record<string, string>;
  key?: string;
}

interface Answer {
  /** A status, or why there was none. */
  word: string;
  body: unknown;
}

/** Requests that are wrong, and what each is answered. */
const mistakes: { name: string; status: number; request: Partial<Request> }[] = [
  { name: "no JSON", status: 400, request: { body: "{" } },
  { name: "no recipient", status: 400, request: { body: { subject: "Hello", body: "Hello" } } },
  { name: "a key of nobody", status: 401, request: { key: `sk_live_${"0".repeat(32)}`, body: {} } },
  {
    name: "an unknown id",
    status: 404,
    request: { method: "GET", path: "/v1/emails/em_01kat4rz8sfq3v6d1mpx3k6w9j" },
  },
  { name: "an unknown path", status: 404, request: { path: "/v1/nothing", body: {} } },
];

/** What goes on beside the campaign, in every outage: programs that are right, wrong, or somebody else's. */
export class Callers {
  readonly answers: Answers = {};
  /** Answers that no outage explains, and what was not kept to. */
  readonly faults: string[] = [];
  /** Who left, by their address, and when that was acknowledged (0: before anything began). */
  readonly left = new Map<string, number>();
  /** Whose departure was asked for, but perhaps never acknowledged. */
  readonly leaving = new Set<string>();
  /** People whose creation was acknowledged. */
  readonly created: string[] = [];
  /** Sent again and again under the same Idempotency-Key until the answer came: by address, the email's id. */
  readonly keyed = new Map<string, string>();
  readonly #doors: readonly Doors[];
  readonly #scene: Scene;
  readonly #chance: Chance;
  readonly #stopping = new AbortController();
  #lanes: Promise<void>[] = [];

  constructor(doors: readonly Doors[], scene: Scene, chance: Chance) {
    this.#doors = doors;
    this.#scene = scene;
    this.#chance = chance;
    for (const email of scene.barred) this.left.set(email, 0);
  }

  start(): void {
    const lanes = [
      (n: number) => this.#mistake(n),
      () => this.#leave(),
      () => this.#stranger(),
      (n: number) => this.#create(n),
      (n: number) => this.#sendKeyed(n),
      () => this.#sendToBarred(),
    ];
    this.#lanes = lanes.map(async (lane) => {
      for (let n = 0; !this.#stopping.signal.aborted; n++) {
        await lane(n);
        const { signal } = this.#stopping;
        await sleep(pauseMilliseconds, null, { signal }).catch(() => {});
      }
    });
  }

  /** Resolves once all of it has been answered. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#lanes);
  }

  async #ask({ name, method, path, body, headers, key }: Request): Promise<Answer> {
    const { web } = this.#chance.pick(this.#doors);
    const answer = await fetch(web + path, {
      method,
      headers: {
        authorization: `Bearer ${key ?? this.#scene.shop.apiKey}`,
        // One connection each: a kept one may be closed just as the next request takes it.
        connection: "close",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMilliseconds),
    })
      .then(async (response) => {
        const text = await response.text();
        const word = httpAnswer(response.status, response.headers.get("retry-after"));
        return { word, body: text.startsWith("{") ? (JSON.parse(text) as unknown) : null };
      })
      .catch((error: unknown) => ({ word: withoutAnswer(error, 0), body: null }));
    noteAnswer(this.answers, name, answer.word);
    return answer;
  }

  /** Notes an answer that is neither expected nor "come back later". */
  #expect(name: string, { word, body }: Answer, ...statuses: number[]): boolean {
    if (statuses.map(String).includes(word)) return true;
    const isLater = word === "503" || word.startsWith("no answer");
    if (!isLater && !(name === keyedName && word === stillRunning)) {
      this.faults.push(`${name}: ${word} ${JSON.stringify(body)?.slice(0, 200)}`);
    }
    return false;
  }

  /** Asks until it is answered otherwise than "come back later"; null: it never was. */
  async #insist(request: Request, ...statuses: number[]): Promise<Answer | null> {
    for (let tries = 0; tries < longestRepeats; tries++) {
      const answer = await this.#ask(request);
      if (this.#expect(request.name, answer, ...statuses)) return answer;
      await sleep(pauseMilliseconds);
    }
    this.faults.push(`${request.name}: never taken`);
    return null;
  }

  async #mistake(n: number): Promise<void> {
    const mistake = mistakes[n % mistakes.length];
    if (!mistake) return;
    const name = `mistake: ${mistake.name}`;
    const request = { name, method: "POST", path: "/v1/send", ...mistake.request };
    this.#expect(name, await this.#ask(request), mistake.status);
  }

  /** Somebody leaves the shop, one way or another, and is asked for until it is acknowledged. */
  async #leave(): Promise<void> {
    const person = this.#chance.pick(this.#scene.contacts);
    if (this.left.has(person.email)) return;
    this.leaving.add(person.email);
    const name = "somebody leaves";
    const taken = this.#chance.oneIn(2)
      ? await this.#insist(
          { name, method: "PATCH", path: `/v1/contacts/${person.id}`, body: { subscribed: false } },
          200,
        )
      : await this.#insist(
          { name, method: "POST", path: "/v1/suppressions", body: { email: person.email } },
          ...[200, 201],
        );
    if (taken) this.left.set(person.email, Date.now());
  }

  /** The other project's program looks for the shop's people, by their ids. */
  async #stranger(): Promise<void> {
    const person = this.#chance.pick(this.#scene.contacts);
    const name = "a stranger reads";
    const key = this.#scene.other.apiKey;
    const request = { name, method: "GET", path: `/v1/contacts/${person.id}`, key };
    this.#expect(name, await this.#ask(request), 404);
  }

  async #create(n: number): Promise<void> {
    const email = `created${n}@example.org`;
    const name = "a contact is created";
    const request = {
      name,
      method: "POST",
      path: "/v1/contacts",
      body: { email, subscribed: false },
    };
    if (this.#expect(name, await this.#ask(request), 200, 201)) this.created.push(email);
  }

  async #sendKeyed(n: number): Promise<void> {
    const to = `keyed${n}@example.org`;
    const answer = await this.#insist(
      {
        ...{ name: keyedName, method: "POST", path: "/v1/send" },
        headers: { "idempotency-key": to },
        body: this.#mail(to),
      },
      200,
    );
    const { data } = (answer?.body ?? {}) as { data?: { emails: { email: string }[] } };
    if (answer) this.keyed.set(to, data?.emails[0]?.email ?? "");
  }

  /** Mail to somebody who is suppressed is taken, and does not leave. */
  async #sendToBarred(): Promise<void> {
    const name = "a mail to somebody suppressed";
    const [to = ""] = this.#scene.barred;
    const request = { name, method: "POST", path: "/v1/send", body: this.#mail(to) };
    this.#expect(name, await this.#ask(request), 200);
  }

  #mail(to: string) {
    const { domain, word } = this.#scene.shop;
    return { to, from: `urgent@${domain}`, subject: `${word} code`, body: "<p>123456</p>" };
  }
}
