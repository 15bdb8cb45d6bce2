import { setTimeout as sleep } from "node:timers/promises";
import { SmtpClient } from "@/lib/testing/smtp-client";
import { letter } from "@/lib/testing/customer-mail";
import { httpAnswer, withoutAnswer } from "./answers";
import type { Doors } from "./doors";

const everyMilliseconds = { api: 200, relay: 1_000, inbound: 1_000 };
export type Way = keyof typeof everyMilliseconds;
export const ways = Object.keys(everyMilliseconds) as Way[];
const patienceMilliseconds = 30_000;

/** One urgent mail that the neighbour asked for. */
export interface Urgent {
  way: Way;
  to: string;
  /** Milliseconds since 1970. */
  askedAt: number;
  /** `200`, `250` or why not; null: not answered yet. */
  answer: string | null;
  answeredAt: number | null;
}

/** The project beside the bombs: its own programs send urgent mail all the time, and others write to it. */
export class Neighbour {
  readonly mails: Urgent[] = [];
  readonly #doors: Doors;
  readonly #project: { apiKey: string; domain: string };
  readonly #name: string;
  readonly #stopping = new AbortController();
  #under: Promise<unknown>[] = [];

  /** `name` begins the addresses of those it writes to. */
  constructor(doors: Doors, project: { apiKey: string; domain: string }, name = "urgent") {
    this.#doors = doors;
    this.#project = project;
    this.#name = name;
  }

  start(): void {
    const loop = async (way: Way) => {
      const { signal } = this.#stopping;
      while (!signal.aborted) {
        this.#under.push(this.#ask(way));
        await sleep(everyMilliseconds[way], null, { signal }).catch(() => {});
      }
    };
    this.#under.push(...ways.map(loop));
  }

  /** Resolves once all of it has been answered. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // The loops have added their last when they resolve.
    await Promise.all(this.#under);
    await Promise.all(this.#under);
  }

  async #ask(way: Way): Promise<void> {
    const to =
      way === "inbound"
        ? `support@${this.#project.domain}`
        : `${this.#name}-${way}-${this.mails.length}@example.org`;
    const mail: Urgent = { way, to, askedAt: Date.now(), answer: null, answeredAt: null };
    this.mails.push(mail);
    mail.answer = await (way === "api" ? this.#overHttp(to) : this.#overSmtp(way, to));
    mail.answeredAt = Date.now();
  }

  async #overHttp(to: string): Promise<string> {
    const { apiKey, domain } = this.#project;
    try {
      const answer = await fetch(`${this.#doors.web}/v1/send`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          // One connection each: a kept one may be closed just as the next request takes it.
          connection: "close",
        },
        body: JSON.stringify({
          to,
          from: `urgent@${domain}`,
          subject: "Your code",
          body: "<p>Your code is 123456.</p>",
        }),
        signal: AbortSignal.timeout(patienceMilliseconds),
      });
      await answer.arrayBuffer();
      return httpAnswer(answer.status, answer.headers.get("retry-after"));
    } catch (error) {
      return withoutAnswer(error, 0);
    }
  }

  async #overSmtp(way: "relay" | "inbound", to: string): Promise<string> {
    const { apiKey, domain } = this.#project;
    const isRelay = way === "relay";
    const { relayPort, inboundPort, web } = this.#doors;
    const { hostname } = new URL(web);
    let client: SmtpClient | undefined;
    // A server that says nothing must not be waited for for ever.
    const timer = setTimeout(() => client?.end(), patienceMilliseconds);
    try {
      client = await SmtpClient.open(isRelay ? relayPort : inboundPort, undefined, hostname);
      await client.say("EHLO neighbour.example");
      if (!isRelay) return String((await client.send(letter({ to }), [to])).code);
      // The relay takes a password in the clear over loopback alone.
      if (hostname !== "127.0.0.1") await client.startTls();
      const login = Buffer.from(`\0apikey\0${apiKey}`).toString("base64");
      const { code } = await client.say(`AUTH PLAIN ${login}`);
      if (code !== 235) return String(code);
      const head = `From: urgent@${domain}\r\nTo: ${to}\r\nSubject: Your code\r\n\r\n`;
      return String((await client.send(`${head}123456`, [to])).code);
    } catch {
      return "no answer";
    } finally {
      clearTimeout(timer);
      client?.end();
    }
  }
}
