import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const liquidBomb = `{% assign a = "" | split: "," | push: "" %}{% for i in (1..60) %}{% assign a = a | push: a %}{% endfor %}{{ a }}`;
const lanes = 6;
const trickles = 10;
const patienceMilliseconds = 60_000;
/** More than fits between two programs: part of it is still unsent when the answer arrives. */
const largeBody = 1_000_000;

interface Target {
  /** `http://127.0.0.1:3000` */
  base: string;
  apiKey: string;
  /** An address of a verified domain. */
  from: string;
}

interface Bomb {
  path: string;
  body: Uint8Array<ArrayBuffer>;
}

const send = (target: Target, more: object) => ({
  path: "/v1/send",
  body: JSON.stringify({
    to: "nobody@example.org",
    from: target.from,
    subject: "A bomb",
    body: "<p>Hello</p>",
    ...more,
  }),
});

/** Requests a valid key may make; each once stopped a program or held it up for seconds. */
const bombs: Record<string, (target: Target) => { path: string; body: string }> = {
  "Liquid in a subject": (target) => send(target, { subject: liquidBomb }),
  "Liquid over nested data": (target) =>
    send(target, {
      body: "{% for i in (1..40) %}{% assign a = a | concat: list %}{% endfor %}{{ a }}",
      data: { list: Array.from({ length: 2_000 }, (_, n) => [n]) },
    }),
  "deep HTML": (target) => send(target, { body: "<div>".repeat(100_000) }),
  "HTML that never closes": (target) => send(target, { body: "<a <!-- &".repeat(100_000) }),
  "addresses of blanks": (target) =>
    send(target, { to: Array.from({ length: 100 }, () => `${" ".repeat(990)}@`) }),
  "a filter of four megabytes": () => ({
    path: "/v1/segments/preview",
    body: `{"filter":{"and":[${"0,".repeat(2_000_000)}0]}}`,
  }),
  "a preview that does not end": (target) => ({
    path: "/v1/templates/preview",
    body: JSON.stringify({ subject: liquidBomb, body: liquidBomb, from: target.from }),
  }),
  "forty megabytes": (target) => send(target, { body: "x".repeat(40_000_000) }),
  "mail of 20 MB": (target) =>
    send(target, {
      attachments: [
        { filename: "a.bin", content: "A".repeat(20_000_000), contentType: "application/x-a" },
      ],
    }),
  "brackets without end": () => ({ path: "/v1/contacts", body: "[".repeat(1_000_000) }),
};

/**
 * A refusal (429, 413) may come while its body is on its way. The server takes the rest for half a second
 * and then closes; a client that has not read by then learns of it from the connection alone (RFC 9112,
 * section 9.6). Reproduced with a server that is busy for 550 ms: 2 of 67 bodies of 4 MB. Whether the
 * server is alive is checked separately.
 */
function withoutAnswer(error: unknown, bytes: number): string {
  const { name, cause } = error as { name: string; cause?: { code?: string } };
  if (name === "TimeoutError") return `no answer within ${patienceMilliseconds / 1_000} s`;
  const code = cause?.code ?? name;
  const isCutOff = ["EPIPE", "ECONNRESET", "UND_ERR_SOCKET"].includes(code);
  return isCutOff && bytes > largeBody ? "cut off while sending" : `no answer (${code})`;
}

/** Throws every bomb in turn, and trickles imports, until it is told to stop. */
export class Bomber {
  readonly #target: Target;
  readonly #answers = new Map<string, number>();
  readonly #sockets: Socket[] = [];
  #stopped = false;
  #under: Promise<unknown> | null = null;

  constructor(target: Target) {
    this.#target = target;
  }

  start(): void {
    for (let n = 0; n < trickles; n++) this.#trickle();
    let next = 0;
    // Made once: real senders are elsewhere and take nothing from this machine's processors.
    const all = Object.entries(bombs).map(([name, make]): [string, Bomb] => {
      const { path, body } = make(this.#target);
      return [name, { path, body: new TextEncoder().encode(body) }];
    });
    const lane = async () => {
      while (!this.#stopped) {
        const [name, bomb] = all[next++ % all.length] ?? [];
        if (name && bomb) await this.#throw(name, bomb);
      }
    };
    this.#under = Promise.all(Array.from({ length: lanes }, lane));
  }

  async #throw(name: string, { path, body }: Bomb): Promise<void> {
    const { base, apiKey } = this.#target;
    const outcome = await fetch(base + path, {
      method: "POST",
      // One connection each: a kept one may be closed just as the next bomb takes it.
      headers: {
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        connection: "close",
      },
      body,
      signal: AbortSignal.timeout(patienceMilliseconds),
    }).then(
      async (answer) => (await answer.arrayBuffer(), String(answer.status)),
      (error: unknown) => withoutAnswer(error, body.length),
    );
    const key = `${name}: ${outcome}`;
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1);
    // Refused for its pace: the limit does its work here and needs no help.
    if (outcome === "429") await sleep(200);
  }

  /** An upload that sends a byte a second. */
  #trickle(): void {
    const { hostname, port } = new URL(this.#target.base);
    const socket = connect(Number(port), hostname);
    this.#sockets.push(socket);
    socket.on("error", () => {});
    socket.write(
      `POST /v1/contacts/import HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${this.#target.apiKey}\r\n` +
        "content-type: text/csv\r\ncontent-length: 1000000\r\n\r\nemail\n",
    );
    const drip = setInterval(() => socket.write("a"), 1_000);
    socket.once("close", () => clearInterval(drip));
  }

  /** Resolves once nothing is under way; prints the answers. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const socket of this.#sockets) socket.destroy();
    await this.#under;
    for (const [answer, times] of [...this.#answers].sort()) console.log(`   ${answer} (${times})`);
  }

  /** Answers that are the server's fault: 5xx except "busy", and none at all, with the reason. */
  get faults(): string[] {
    return [...this.#answers.keys()].filter((key) => /: (50[0-24-9]|no answer.*)$/.test(key));
  }
}
