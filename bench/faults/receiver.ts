import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Arrival } from "@/bench/chaos/judge";
import { readReturnPath } from "@/lib/mail/return-path";

/** Where in a session a server can fall silent; `dot`: it has the message and does not say so. */
export const phases = ["banner", "EHLO", "MAIL", "RCPT", "DATA", "dot"] as const;
export type Phase = (typeof phases)[number];

/** A mail as the receiver took it. */
export interface Taken extends Arrival {
  /** When its MAIL FROM came: from then on, its sender cannot take it back. */
  begunAt: number;
  subject: string;
}

/** Milliseconds it takes over each message: with a handful of sessions, it sets the campaign's pace. */
const messageMilliseconds = 100;

const replies: Partial<Record<string, string>> = {
  EHLO: "250-receiver.example\r\n250-PIPELINING\r\n250 8BITMIME",
  DATA: "354 Go on",
};
const isPhase = (word: string): word is Phase => (phases as readonly string[]).includes(word);

/** What a session knows of the mail under way. */
interface Envelope {
  from: string;
  to: string;
  begunAt: number;
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? "";

/** A mail server that keeps a log of what it took, and can fall silent anywhere, hang up, and be away. */
export class Receiver {
  /** What arrived, in the order in which it did. */
  readonly log: Taken[] = [];
  /** Told each time a phase is reached; what it returns is waited for before the reply. */
  stall: (phase: Phase) => Promise<unknown> | null = () => null;
  readonly #open = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#open.delete(socket));
    // Hung up on: what was under way is nobody's any more.
    void this.#serve(socket).catch(() => socket.destroy());
  });
  #address: AddressInfo | null = null;

  static async start(host = "127.0.0.1"): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, host);
    await once(receiver.#server, "listening");
    receiver.#address = receiver.#server.address() as AddressInfo;
    return receiver;
  }

  get port(): number {
    return this.#address?.port ?? 0;
  }

  /** Hangs up on everybody, whatever is under way. */
  cut(): void {
    for (const socket of this.#open) socket.resetAndDestroy();
  }

  /** Gone until `up`. */
  async down(): Promise<void> {
    this.#server.close();
    this.cut();
    await once(this.#server, "close");
  }

  async up(): Promise<void> {
    this.#server.listen(this.port, this.#address?.address);
    await once(this.#server, "listening");
  }

  async #serve(socket: Socket): Promise<void> {
    const say = (reply: string) => socket.write(`${reply}\r\n`);
    await this.stall("banner");
    say("220 receiver.example");
    let envelope: Envelope = { from: "", to: "", begunAt: 0 };
    let message: string[] | null = null;
    for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
      if (message) {
        if (line !== ".") message.push(line);
        else {
          // Taken, whether or not its sender hears of it.
          this.#take(envelope, message);
          message = null;
          await Promise.all([this.stall("dot"), sleep(messageMilliseconds)]);
          say("250 Taken");
        }
        continue;
      }
      const [verb = ""] = line.toUpperCase().split(/[ :]/);
      if (verb === "MAIL") envelope = { from: addressIn(line), to: "", begunAt: Date.now() };
      if (verb === "RCPT") envelope.to = addressIn(line);
      if (isPhase(verb)) await this.stall(verb);
      if (verb === "DATA") message = [];
      say(verb === "QUIT" ? "221 Bye" : (replies[verb] ?? "250 Fine"));
      if (verb === "QUIT") socket.end();
    }
  }

  #take({ from, to, begunAt }: Envelope, lines: readonly string[]): void {
    this.log.push({
      emailId: readReturnPath(from),
      to,
      hash: createHash("sha256").update(lines.join("\n")).digest("hex"),
      subject:
        lines
          .find((line) => /^subject:/i.test(line))
          ?.slice("subject:".length)
          .trim() ?? "",
      begunAt,
      at: Date.now(),
    });
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.cut();
    if (this.#server.listening) await once(this.#server, "close");
  }
}
