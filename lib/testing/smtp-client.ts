import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

/** A reply with all its lines. */
export interface SmtpAnswer {
  code: number;
  lines: string[];
}

/** An SMTP client that says what it is told, right or wrong, over a real socket. */
export class SmtpClient {
  #socket: Socket;
  #buffered = "";
  #ended = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen();
  }

  /** Connects, from another address of this machine if told so, and reads the greeting. */
  static async open(port: number, localAddress?: string, host = "127.0.0.1"): Promise<SmtpClient> {
    const client = new SmtpClient(connect({ port, host, ...(localAddress && { localAddress }) }));
    await client.answer();
    return client;
  }

  #listen(): void {
    this.#socket.setNoDelay(true);
    this.#socket.on("data", (chunk: Buffer) => {
      this.#buffered += chunk.toString("latin1");
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    this.#socket.on("close", end).on("error", end);
  }

  /** By which a server in this process tells its connections apart. */
  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  /** Octets as they are. */
  write(octets: string | Buffer): void {
    this.#socket.write(octets);
  }

  /** The next reply. Throws when the server closes instead. */
  async answer(): Promise<SmtpAnswer> {
    for (;;) {
      const match = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.#buffered);
      if (match) {
        this.#buffered = this.#buffered.slice(match[0].length);
        const lines = match[0].trimEnd().split("\r\n");
        return { code: Number(lines[0]?.slice(0, 3)), lines: lines.map((line) => line.slice(4)) };
      }
      if (this.#ended) throw new Error(`The server closed; unread: ${this.#buffered}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Says one line and reads the reply. */
  async say(line: string): Promise<SmtpAnswer> {
    this.write(`${line}\r\n`);
    return this.answer();
  }

  /** The TLS handshake, after STARTTLS was granted. Certificates are not checked. */
  async secure(): Promise<void> {
    this.#socket.removeAllListeners();
    this.#socket = await new Promise<Socket>((resolve, reject) => {
      const secure = connectTls({ socket: this.#socket, rejectUnauthorized: false }, () =>
        resolve(secure),
      ).once("error", reject);
    });
    this.#listen();
  }

  /** STARTTLS, the handshake, and EHLO inside it. */
  async startTls(): Promise<SmtpAnswer> {
    const { code } = await this.say("STARTTLS");
    if (code !== 220) throw new Error(`STARTTLS was answered ${code}.`);
    await this.secure();
    return this.say("EHLO client.example.com");
  }

  /** EHLO, TLS and AUTH PLAIN. */
  async logIn(password: string, user = "apikey"): Promise<SmtpAnswer> {
    await this.say("EHLO client.example.com");
    await this.startTls();
    return this.say(`AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString("base64")}`);
  }

  /** A whole message; resolves to the first reply that is a refusal, or the final one. */
  async send(
    message: string | Buffer,
    to: readonly string[],
    from = "a@b.example",
  ): Promise<SmtpAnswer> {
    for (const line of [`MAIL FROM:<${from}>`, ...to.map((one) => `RCPT TO:<${one}>`), "DATA"]) {
      const answer = await this.say(line);
      if (answer.code >= 400) return answer;
    }
    this.write(message);
    return this.say("\r\n.");
  }

  /** Resolves when the server has closed. */
  async closed(): Promise<void> {
    while (!this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  end(): void {
    this.#socket.destroy();
  }
}
