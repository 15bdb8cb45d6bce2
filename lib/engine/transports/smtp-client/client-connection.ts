import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { dataBlock } from "./data-block";
import { ReplyReader } from "./reply-parser";
import type { SmtpServer } from "@/lib/mail/smtp-server-url";
import type { Envelope, Outcome, RefusalStage, SmtpReply } from "@/lib/engine/transports/transport";

/** RFC 5321, section 4.5.3.2. Giving up on the final dot early makes duplicates. */
const seconds = { connect: 30, greeting: 300, command: 300, data: 120, block: 180, finalDot: 600 };

/** What goes silent without a word is found out by the operating system within minutes. */
const keepAliveMilliseconds = 30_000;

/** No session could be had: nothing was sent, and it is not this mail's fault. */
export class Unavailable extends Error {}

/** The session ended where a reply was due. */
class ConnectionLost extends Error {}

/** At MAIL FROM: the session is not good enough, whoever the mail is from. */
const authenticationCodes = new Set([454, 530, 534, 535, 538]);
const stages: readonly RefusalStage[] = ["sender", "recipient", "message"];

function local(stage: RefusalStage, code: number, enhancedCode: string, text: string): Outcome {
  return { kind: "refused", stage, reply: { code, enhancedCode, text } };
}

/** One session with a mail server: one message at a time, commands in groups where it allows. */
export class SmtpConnection {
  #socket: Socket;
  readonly #server: SmtpServer;
  #reader = new ReplyReader();
  #replies: SmtpReply[] = [];
  #waiting: { resolve(reply: SmtpReply): void; reject(error: Error): void } | null = null;
  #ended: Error | null = null;
  #extensions = new Map<string, string>();
  /** Messages handed over so far: a session that has carried one may be stale. */
  carried = 0;
  /** Whether the message under way was written: from then on only its reply tells what became of it. */
  messageWritten = false;
  onEnd: () => void = () => {};

  private constructor(server: SmtpServer, socket: Socket) {
    this.#server = server;
    this.#socket = socket;
    this.#listen(socket);
  }

  get usable(): boolean {
    return this.#ended === null;
  }

  /** Connects, greets, encrypts, logs in. Throws Unavailable. */
  static async open(server: SmtpServer): Promise<SmtpConnection> {
    const { host, port } = server;
    const socket = server.implicitTls
      ? connectTls({ host, port, ...tlsOptions(server) })
      : connectTcp({ host, port });
    const connection = new SmtpConnection(server, socket);
    try {
      await connection.#greet();
      return connection;
    } catch (error) {
      connection.close();
      throw new Unavailable(error instanceof Error ? error.message : String(error));
    }
  }

  #listen(socket: Socket): void {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMilliseconds);
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string | Buffer) => {
      try {
        this.#replies.push(...this.#reader.read(String(chunk)));
      } catch (error) {
        this.#end(error as Error);
      }
      this.#pass();
    });
    socket.on("error", (error) => this.#end(error));
    socket.on("close", () => this.#end(new Error("The server closed the connection.")));
    socket.on("timeout", () => this.#end(new Error("The server did not answer in time.")));
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

  #end(error: Error): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#socket.destroy();
    this.#pass();
    this.onEnd();
  }

  #reply(timeoutSeconds: number): Promise<SmtpReply> {
    this.#socket.setTimeout(timeoutSeconds * 1000);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#pass();
    });
  }

  async #command(line: string, timeoutSeconds = seconds.command): Promise<SmtpReply> {
    this.#socket.write(`${line}\r\n`);
    return this.#reply(timeoutSeconds);
  }

  async #greet(): Promise<void> {
    this.#socket.setTimeout(seconds.connect * 1000);
    this.#socket.once("connect", () => this.#socket.setTimeout(seconds.greeting * 1000));
    const greeting = await this.#untimedReply();
    if (greeting.code !== 220) throw refusal("greeted with", greeting);
    await this.#hello();
    if (!this.#server.implicitTls && this.#server.tls !== "off") await this.#encrypt();
    if (this.#server.user !== null) await this.#logIn(this.#server.user);
    this.#socket.setTimeout(0);
  }

  #untimedReply(): Promise<SmtpReply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#pass();
    });
  }

  async #hello(): Promise<void> {
    const { hostname } = this.#server;
    const name = isIP(hostname) ? `[${hostname}]` : hostname;
    let reply = await this.#command(`EHLO ${name}`);
    if (reply.code >= 500) reply = await this.#command(`HELO ${name}`);
    if (reply.code !== 250) throw refusal("answered EHLO with", reply);
    this.#extensions = new Map(
      reply.text
        .split("\n")
        .slice(1)
        .map((line) => {
          const [keyword = "", ...rest] = line.trim().split(/[ =]/);
          return [keyword.toUpperCase(), rest.join(" ")];
        }),
    );
  }

  async #encrypt(): Promise<void> {
    if (!this.#extensions.has("STARTTLS")) {
      if (this.#server.tls === "required") throw new Error("The server offers no STARTTLS.");
      return;
    }
    const reply = await this.#command("STARTTLS");
    if (reply.code !== 220) throw refusal("answered STARTTLS with", reply);
    // What came along in clear text could be anybody's (CVE-2011-0411).
    if (this.#reader.pending || this.#replies.length > 0) {
      throw new Error("The server wrote on before TLS began.");
    }
    const plain = this.#socket;
    for (const event of ["data", "error", "close", "timeout"]) plain.removeAllListeners(event);
    plain.setTimeout(0);
    const { host } = this.#server;
    await new Promise<void>((resolve, reject) => {
      const socket = connectTls({ socket: plain, host, ...tlsOptions(this.#server) });
      socket.setTimeout(seconds.connect * 1000, () => reject(new Error("TLS took too long.")));
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("The server closed the connection.")));
      socket.once("secureConnect", () => {
        socket.removeAllListeners("error").removeAllListeners("close");
        socket.removeAllListeners("timeout");
        this.#socket = socket;
        this.#reader = new ReplyReader();
        this.#listen(socket);
        resolve();
      });
    });
    await this.#hello();
  }

  async #logIn(user: string): Promise<void> {
    const { password } = this.#server;
    const methods = (this.#extensions.get("AUTH") ?? "").toUpperCase().split(" ");
    const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
    let reply: SmtpReply;
    if (methods.includes("PLAIN")) {
      reply = await this.#command(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`);
    } else if (methods.includes("LOGIN")) {
      reply = await this.#command("AUTH LOGIN");
      if (reply.code === 334) reply = await this.#command(base64(user));
      if (reply.code === 334) reply = await this.#command(base64(password));
    } else {
      throw new Error("The server offers neither AUTH PLAIN nor AUTH LOGIN.");
    }
    if (reply.code !== 235) throw refusal("refused the login with", reply);
  }

  /** Whether the session still lives; one that does not answer in time is closed. */
  async answers(withinSeconds: number): Promise<boolean> {
    try {
      const reply = await this.#command("RSET", withinSeconds);
      this.#socket.setTimeout(0);
      if (reply.code === 250) return this.usable;
    } catch {
      // It ended, or was silent.
    }
    this.close();
    return false;
  }

  /** Hands one message over. Never throws; after anything but a reply the session is not usable any more. */
  async deliver(envelope: Envelope, raw: Buffer): Promise<Outcome> {
    const size = Number(this.#extensions.get("SIZE") || 0);
    if (size > 0 && raw.length > size) {
      return local("message", 552, "5.3.4", `The server takes messages of at most ${size} bytes.`);
    }
    const international = !isAscii(envelope.from) || !isAscii(envelope.to);
    if (international && !this.#extensions.has("SMTPUTF8")) {
      return local("recipient", 553, "5.6.7", "The server takes no addresses beyond ASCII.");
    }
    const parameters = [
      this.#extensions.has("SIZE") ? ` SIZE=${raw.length}` : "",
      this.#extensions.has("8BITMIME") ? " BODY=8BITMIME" : "",
      international ? " SMTPUTF8" : "",
    ].join("");
    this.messageWritten = false;
    try {
      // Written without being asked: a farewell.
      if (this.#replies.length > 0) throw new ConnectionLost("The server closed the connection.");
      const outcome = await this.#transact(
        [`MAIL FROM:<${envelope.from}>${parameters}`, `RCPT TO:<${envelope.to}>`, "DATA"],
        raw,
      );
      this.carried++;
      this.#socket.setTimeout(0);
      return outcome;
    } catch (error) {
      this.close();
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: "lost", reason, written: this.messageWritten };
    }
  }

  async #transact(commands: string[], raw: Buffer): Promise<Outcome> {
    const pipelined = this.#extensions.has("PIPELINING");
    if (pipelined) this.#socket.write(`${commands.join("\r\n")}\r\n`);
    let refused: SmtpReply | null = null;
    let stage: RefusalStage = "message";
    for (const [index, command] of commands.entries()) {
      const isData = index === commands.length - 1;
      if (!pipelined) {
        if (refused) break;
        this.#socket.write(`${command}\r\n`);
      }
      const reply = await this.#reply(isData ? seconds.data : seconds.command);
      if (isData && reply.code === 354 && refused) {
        // Taken up although nobody is left to get it: an empty message ends the mode (RFC 2920, 3.1).
        await this.#command(".", seconds.finalDot);
      } else if (!refused && (isData ? reply.code !== 354 : reply.code >= 300)) {
        refused = reply;
        stage = stages[index] ?? "message";
      }
    }
    if (!refused) {
      this.messageWritten = true;
      this.#socket.cork();
      for (const part of dataBlock(raw)) this.#socket.write(part);
      this.#socket.uncork();
      const reply = await this.#reply(seconds.finalDot);
      if (reply.code === 421) this.close();
      return reply.code < 300
        ? { kind: "accepted", reply }
        : { kind: "refused", stage: "message", reply };
    }
    if (refused.code === 421) this.close();
    else if ((await this.#command("RSET")).code !== 250) this.close();
    if (stage === "sender" && authenticationCodes.has(refused.code)) {
      this.close();
      return { kind: "unavailable", reason: refusal("demands a login:", refused).message };
    }
    return { kind: "refused", stage, reply: refused };
  }

  /** Ends the session, politely where nothing is under way. */
  close(): void {
    if (this.#ended) return;
    if (!this.#waiting) this.#socket.write("QUIT\r\n");
    this.#end(new Error("The connection was closed."));
  }
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function refusal(what: string, reply: SmtpReply): Error {
  const code = reply.enhancedCode ? `${reply.code} ${reply.enhancedCode}` : String(reply.code);
  return new Error(`The server ${what} ${code} ${reply.text}`.slice(0, 500));
}

function tlsOptions(server: SmtpServer) {
  return {
    rejectUnauthorized: server.verifyCertificate,
    ...(isIP(server.host) ? {} : { servername: server.host }),
  };
}
