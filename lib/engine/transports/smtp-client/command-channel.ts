import type { Socket } from "node:net";
import { ReplyReader } from "./reply-parser";
import type { SmtpReply } from "@/lib/mail/transport";

/** The operating system notices within minutes when the other side goes silent. */
const keepAliveMilliseconds = 30_000;

/** The session ended when a reply was due. */
export class ConnectionLost extends Error {}

/** Commands out and replies in, over one socket. One caller at a time waits for a reply. */
export class CommandChannel {
  #socket: Socket;
  #reader = new ReplyReader();
  #replies: SmtpReply[] = [];
  #waiting: { resolve(reply: SmtpReply): void; reject(error: Error): void } | null = null;
  #ended: Error | null = null;
  onEnd: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen(socket);
  }

  get open(): boolean {
    return this.#ended === null;
  }

  /** Whether a whole reply came that nobody has waited for. */
  get hasUnaskedReply(): boolean {
    return this.#replies.length > 0;
  }

  #listen(socket: Socket): void {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMilliseconds);
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string | Buffer) => {
      try {
        this.#replies.push(...this.#reader.read(String(chunk)));
      } catch (error) {
        this.end(error as Error);
      }
      this.#pass();
    });
    socket.on("error", (error) => this.end(error));
    socket.on("close", () => this.end(new Error("The server closed the connection.")));
    socket.on("timeout", () => this.end(new Error("The server did not answer in time.")));
  }

  #pass(): void {
    if (!this.#waiting) return;
    const reply = this.#replies.shift();
    const waiting = this.#waiting;
    if (reply) {
      this.#waiting = null;
      waiting.resolve(reply);
    } else if (this.#ended) {
      this.#waiting = null;
      waiting.reject(new ConnectionLost(this.#ended.message));
    }
  }

  #nextReply(): Promise<SmtpReply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#pass();
    });
  }

  /** The server's first words. Throws ConnectionLost. */
  greeting(connectSeconds: number, greetingSeconds: number): Promise<SmtpReply> {
    this.#socket.setTimeout(connectSeconds * 1000);
    this.#socket.once("connect", () => this.#socket.setTimeout(greetingSeconds * 1000));
    return this.#nextReply();
  }

  /** The next reply in turn. Throws ConnectionLost. */
  reply(timeoutSeconds: number): Promise<SmtpReply> {
    this.#socket.setTimeout(timeoutSeconds * 1000);
    return this.#nextReply();
  }

  /** Throws ConnectionLost. */
  command(line: string, timeoutSeconds: number): Promise<SmtpReply> {
    this.write(`${line}\r\n`);
    return this.reply(timeoutSeconds);
  }

  write(text: string): void {
    this.#socket.write(text);
  }

  /** In as few segments as possible. */
  writeTogether(parts: Iterable<Buffer>): void {
    this.#socket.cork();
    for (const part of parts) this.#socket.write(part);
    this.#socket.uncork();
  }

  /** No reply is expected: silence is not a fault until the next command. */
  rest(): void {
    this.#socket.setTimeout(0);
  }

  /**
   * Continues over the socket that `encrypt` makes from the plain one. Throws when the server went on
   * in clear text, or TLS does not come about in time.
   */
  async encrypt<Secured extends Socket>(
    encrypt: (plain: Socket) => Secured,
    timeoutSeconds: number,
  ): Promise<Secured> {
    // What came along in clear text could be anybody's (CVE-2011-0411).
    if (this.#reader.pending || this.#replies.length > 0) {
      throw new Error("The server wrote on before TLS began.");
    }
    const plain = this.#socket;
    for (const event of ["data", "error", "close", "timeout"]) plain.removeAllListeners(event);
    plain.setTimeout(0);
    return new Promise<Secured>((resolve, reject) => {
      const socket = encrypt(plain);
      socket.setTimeout(timeoutSeconds * 1000, () => reject(new Error("TLS took too long.")));
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("The server closed the connection.")));
      socket.once("secureConnect", () => {
        socket.removeAllListeners("error").removeAllListeners("close");
        socket.removeAllListeners("timeout");
        this.#socket = socket;
        this.#reader = new ReplyReader();
        this.#listen(socket);
        resolve(socket);
      });
    });
  }

  end(error: Error): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#socket.destroy();
    this.#pass();
    this.onEnd();
  }

  /** Ends the session, politely if nothing is under way. */
  close(): void {
    if (this.#ended) return;
    if (!this.#waiting) this.write("QUIT\r\n");
    this.end(new Error("The connection was closed."));
  }
}
