import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { CommandChannel, ConnectionLost } from "./command-channel";
import { GuardedFetchError, guardedLookup } from "@/lib/ground/net/guarded-fetch";
import { dataBlock } from "./data-block";
import type { SmtpServer } from "@/lib/mail/smtp-server-url";
import type { Envelope, Outcome, RefusalStage, SmtpReply } from "@/lib/mail/transport";

/** RFC 5321, section 4.5.3.2. Giving up on the final dot early makes duplicates. */
const seconds = { connect: 30, greeting: 300, command: 300, data: 120, block: 180, finalDot: 600 };

/**
 * With several addresses, the next is dialled after this: node's own 250 ms are short for overseas.
 */
const attemptMilliseconds = 5_000;

/** No session was available: nothing was sent, and this email is not to blame. */
export class Unavailable extends Error {
  /** `loginRefused`: the server does not accept the user name and password. */
  constructor(
    message: string,
    readonly loginRefused = false,
    readonly why: Why = {},
  ) {
    super(message);
  }
}

/** What kept a session from opening, where that matters to the caller. */
interface Why {
  /** The server refused it in these words. */
  reply?: SmtpReply;
  /** TLS did not come about, or did not prove what it has to. */
  tlsFailed?: boolean;
  /** The host does not lead to a public address. */
  notPublic?: boolean;
}

/** At MAIL FROM: the session is not good enough, whoever the sender is. */
const authenticationCodes = new Set([454, 530, 534, 535, 538]);
const stages: readonly RefusalStage[] = ["sender", "recipient", "message"];

function local(stage: RefusalStage, code: number, enhancedCode: string, text: string): Outcome {
  return { kind: "refused", stage, reply: { code, enhancedCode, text } };
}

/** One session with a mail server: one message at a time, commands in groups if it allows that. */
export class SmtpConnection {
  readonly #server: SmtpServer;
  readonly #channel: CommandChannel;
  /** The longest wait for any reply, in seconds. */
  readonly #patience: number;
  #extensions = new Map<string, string>();
  /** Messages handed over so far: a session that has carried one may be stale. */
  carried = 0;
  /** Whether the current message has been written: from then on only the reply tells what became of it. */
  messageWritten = false;
  /** What the server said when the session began: its greeting, and its answer to the login. */
  readonly welcome: string[] = [];

  private constructor(server: SmtpServer, channel: CommandChannel, patience: number) {
    this.#server = server;
    this.#channel = channel;
    this.#patience = patience;
  }

  get usable(): boolean {
    return this.#channel.open;
  }

  /** Called once, when the session is over. */
  set onEnd(listener: () => void) {
    this.#channel.onEnd = listener;
  }

  /** Connects, greets, encrypts, logs in; `patience`: seconds to wait for a reply at most. Throws Unavailable. */
  static async open(server: SmtpServer, patience = Infinity): Promise<SmtpConnection> {
    let connection: SmtpConnection | null = null;
    try {
      const channel = new CommandChannel(await dial(server));
      connection = new SmtpConnection(server, channel, patience);
      await connection.#greet();
      return connection;
    } catch (error) {
      connection?.close();
      if (error instanceof Unavailable) throw error;
      const notPublic = error instanceof GuardedFetchError && error.fault === "refused";
      throw new Unavailable(messageOf(error), false, { notPublic });
    }
  }

  #command(line: string, timeoutSeconds = seconds.command): Promise<SmtpReply> {
    return this.#channel.command(line, Math.min(timeoutSeconds, this.#patience));
  }

  async #greet(): Promise<void> {
    const greeting = await this.#channel.greeting(
      Math.min(seconds.connect, this.#patience),
      Math.min(seconds.greeting, this.#patience),
    );
    if (greeting.code !== 220) throw noSession("greeted with", greeting);
    this.welcome.push(wordsOf(greeting));
    await this.#hello();
    if (!this.#server.implicitTls && this.#server.tls !== "off") await this.#encrypt();
    if (this.#server.user !== null) await this.#logIn(this.#server.user);
    this.#channel.rest();
  }

  async #hello(): Promise<void> {
    const { hostname } = this.#server;
    const name = isIP(hostname) ? `[${hostname}]` : hostname;
    let reply = await this.#command(`EHLO ${name}`);
    if (reply.code >= 500) reply = await this.#command(`HELO ${name}`);
    if (reply.code !== 250) throw noSession("answered EHLO with", reply);
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
      if (this.#server.tls !== "required") return;
      throw new Unavailable("The server offers no STARTTLS.", false, { tlsFailed: true });
    }
    try {
      const reply = await this.#command("STARTTLS");
      if (reply.code !== 220) throw refusal("answered STARTTLS with", reply);
      const { host, proof } = this.#server;
      const encrypt = (plain: Socket) =>
        connectTls({ socket: plain, host, ...tlsOptions(this.#server) });
      const secured = await this.#channel.encrypt(encrypt, seconds.connect);
      proof?.check(secured);
    } catch (error) {
      throw new Unavailable(messageOf(error), false, { tlsFailed: true });
    }
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
    if (reply.code !== 235) {
      const { message } = refusal("refused the login with", reply);
      throw new Unavailable(message, reply.code >= 500);
    }
    this.welcome.push(wordsOf(reply));
  }

  /** Whether the session is still alive; one that does not answer in time is closed. */
  async answers(withinSeconds: number): Promise<boolean> {
    try {
      const reply = await this.#command("RSET", withinSeconds);
      this.#channel.rest();
      if (reply.code === 250) return this.usable;
    } catch {
      // It ended or was silent.
    }
    this.close();
    return false;
  }

  /** Hands one message over. Never throws; after anything but a reply the session is no longer usable. */
  async deliver(envelope: Envelope, raw: Buffer): Promise<Outcome> {
    const size = Number(this.#extensions.get("SIZE") || 0);
    if (size > 0 && raw.length > size) {
      return local("message", 552, "5.3.4", `The server takes messages of at most ${size} bytes.`);
    }
    const international = !isAscii(envelope.from) || !isAscii(envelope.to);
    if (international && !this.#extensions.has("SMTPUTF8")) {
      return local("recipient", 553, "5.6.7", "The server takes no addresses beyond ASCII.");
    }
    const notifies = envelope.notifyAs !== undefined && this.#extensions.has("DSN");
    const parameters = [
      this.#extensions.has("SIZE") ? ` SIZE=${raw.length}` : "",
      this.#extensions.has("8BITMIME") ? " BODY=8BITMIME" : "",
      international ? " SMTPUTF8" : "",
      notifies ? ` RET=HDRS ENVID=${envelope.notifyAs}` : "",
    ].join("");
    const notify = notifies ? " NOTIFY=SUCCESS,FAILURE,DELAY" : "";
    this.messageWritten = false;
    try {
      // The server wrote without being asked: a farewell.
      if (this.#channel.hasUnaskedReply) {
        throw new ConnectionLost("The server closed the connection.");
      }
      const outcome = await this.#transact(
        [`MAIL FROM:<${envelope.from}>${parameters}`, `RCPT TO:<${envelope.to}>${notify}`, "DATA"],
        raw,
      );
      this.carried++;
      this.#channel.rest();
      return outcome;
    } catch (error) {
      this.close();
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: "lost", reason, written: this.messageWritten };
    }
  }

  async #transact(commands: string[], raw: Buffer): Promise<Outcome> {
    const pipelined = this.#extensions.has("PIPELINING");
    if (pipelined) this.#channel.write(`${commands.join("\r\n")}\r\n`);
    let refused: SmtpReply | null = null;
    let stage: RefusalStage = "message";
    for (const [index, command] of commands.entries()) {
      const isData = index === commands.length - 1;
      if (!pipelined) {
        if (refused) break;
        this.#channel.write(`${command}\r\n`);
      }
      const reply = await this.#channel.reply(isData ? seconds.data : seconds.command);
      if (isData && reply.code === 354 && refused) {
        // DATA was accepted although no recipient is left: an empty message ends it (RFC 2920, 3.1).
        await this.#command(".", seconds.finalDot);
      } else if (!refused && (isData ? reply.code !== 354 : reply.code >= 300)) {
        refused = reply;
        stage = stages[index] ?? "message";
      }
      // It ends the session: the commands sent along no longer get an answer (RFC 5321, 3.8).
      if (refused?.code === 421) break;
    }
    if (!refused) {
      this.messageWritten = true;
      this.#channel.writeTogether(dataBlock(raw));
      const reply = await this.#channel.reply(seconds.finalDot);
      if (reply.code === 421) this.close();
      return reply.code < 300
        ? { kind: "accepted", reply }
        : { kind: "refused", stage: "message", reply };
    }
    if (refused.code === 421) this.close();
    else if ((await this.#command("RSET")).code !== 250) this.close();
    if (stage === "sender" && authenticationCodes.has(refused.code)) {
      this.close();
      const reason = refusal("demands a login:", refused).message;
      return { kind: "unavailable", reason, loginRefused: refused.code >= 500 };
    }
    return { kind: "refused", stage, reply: refused };
  }

  /** Ends the session, politely if nothing is under way. */
  close(): void {
    this.#channel.close();
  }
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function wordsOf({ code, enhancedCode, text }: SmtpReply): string {
  return [code, enhancedCode, text].filter(Boolean).join(" ").slice(0, 500);
}

/** With many addresses, node lists each failure but sums up none. */
function messageOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

function noSession(what: string, reply: SmtpReply): Unavailable {
  return new Unavailable(refusal(what, reply).message, false, { reply });
}

function refusal(what: string, reply: SmtpReply): Error {
  return new Error(`The server ${what} ${wordsOf(reply)}`.slice(0, 500));
}

/** A socket on its way to the server. Throws GuardedFetchError. */
async function dial(server: SmtpServer): Promise<Socket> {
  const { host, port } = server;
  const lookup = server.guarded ? { lookup: await guardedLookup(host, server) } : {};
  const target = { host, port, ...lookup, autoSelectFamilyAttemptTimeout: attemptMilliseconds };
  return server.implicitTls ? connectTls({ ...target, ...tlsOptions(server) }) : connectTcp(target);
}

function tlsOptions(server: SmtpServer) {
  return {
    rejectUnauthorized: server.verifyCertificate,
    ...(isIP(server.host) ? {} : { servername: server.proof?.servername ?? server.host }),
  };
}
