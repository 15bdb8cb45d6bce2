import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import {
  createServer,
  isIP,
  type AddressInfo,
  type Server,
  type Socket as TcpSocket,
} from "node:net";
import { decode, encode, streamDecode, streamEncode } from "dns-packet";
import type { Answer, Packet } from "dns-packet";

/** Flags and response codes of RFC 1035, section 4.1.1. */
const authoritative = 0x0400;
const truncated = 0x0200;
const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

/** What the server does with questions about a name. */
type Misbehaviour = keyof typeof codes | "silent" | "truncate";

export interface DnsServer {
  /** For DNS_SERVERS: `127.0.0.1:port`. */
  address: string;
  /** Publishes TXT records; each is one string, or several that belong together. */
  txt(name: string, ...records: (string | string[])[]): void;
  mx(name: string, ...records: { priority: number; exchange: string }[]): void;
  /** Publishes an alias. */
  cname(name: string, target: string): void;
  /** Publishes A and AAAA records. */
  addresses(name: string, ...addresses: string[]): void;
  /** Removes all records of a name, or of all names. */
  clear(name?: string): void;
  /** Answers questions about a name badly from now on: `truncate` over UDP only. */
  misbehave(name: string, how: Misbehaviour | null): void;
  /** Names asked for so far, as `TXT example.com` and, over TCP, `TXT example.com tcp`. */
  readonly questions: string[];
  stop(): Promise<void>;
}

async function bindUdp(port: number): Promise<Socket | null> {
  const socket = createSocket("udp4");
  try {
    await once(socket.bind(port, "127.0.0.1"), "listening");
    return socket;
  } catch {
    socket.close();
    return null;
  }
}

/** A name server for tests, on a free loopback port, over UDP and TCP. Names have no case. */
export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, Answer[]>();
  const manners = new Map<string, Misbehaviour>();
  const questions: string[] = [];
  const sockets = new Set<TcpSocket>();
  const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");

  const publish = (name: string, type: "TXT" | "MX" | "CNAME" | "A" | "AAAA", added: Answer[]) => {
    const others = (records.get(plain(name)) ?? []).filter((answer) => answer.type !== type);
    records.set(plain(name), [...others, ...added]);
  };

  /** The answer to a query; null: none at all. */
  const reply = (query: Packet, overTcp: boolean): Packet | null => {
    const [question] = query.questions ?? [];
    if (!question) return null;
    questions.push(`${question.type} ${question.name}${overTcp ? " tcp" : ""}`);
    const name = plain(question.name);
    const how = manners.get(name);
    const base = { type: "response", id: query.id, questions: query.questions } as const;
    if (how === "silent") return null;
    if (how === "truncate" && !overTcp) return { ...base, flags: authoritative | truncated };
    if (how && how !== "truncate") return { ...base, flags: authoritative | codes[how] };
    const here = records.get(name);
    // A name with others below it exists, with no records of its own (RFC 8020).
    const exists = here ?? [...records.keys()].some((key) => key.endsWith(`.${name}`));
    if (!exists) return { ...base, flags: authoritative | codes.NXDOMAIN };
    const answers = (here ?? [])
      .filter((answer) => answer.type === question.type)
      // Resolvers that mix the case of their questions want it back as they wrote it.
      .map((answer) => ({ ...answer, name: question.name }));
    return { ...base, flags: authoritative, answers };
  };

  const tcp: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    let buffered = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk]);
      while (buffered.length >= 2 && buffered.length >= 2 + buffered.readUInt16BE(0)) {
        const end = 2 + buffered.readUInt16BE(0);
        const answer = reply(streamDecode(buffered.subarray(0, end)), true);
        buffered = buffered.subarray(end);
        if (answer) socket.write(streamEncode(answer));
      }
    });
  });

  let udp: Socket | null = null;
  // The same number has to be free for both.
  for (let attempt = 1; !udp; attempt++) {
    await once(tcp.listen(0, "127.0.0.1"), "listening");
    udp = await bindUdp((tcp.address() as AddressInfo).port);
    if (!udp) await new Promise((resolve) => tcp.close(resolve));
    if (attempt === 10) throw new Error("No port is free over both UDP and TCP.");
  }
  const datagrams = udp;
  datagrams.on("message", (message, peer) => {
    const answer = reply(decode(message), false);
    if (answer) datagrams.send(encode(answer), peer.port, peer.address);
  });

  return {
    address: `127.0.0.1:${(tcp.address() as AddressInfo).port}`,
    questions,
    txt: (name, ...values) =>
      publish(
        name,
        "TXT",
        values.map((data) => ({ name, type: "TXT", ttl: 0, data })),
      ),
    mx: (name, ...values) =>
      publish(
        name,
        "MX",
        values.map(({ priority, exchange }) => ({
          name,
          type: "MX",
          ttl: 0,
          data: { preference: priority, exchange },
        })),
      ),
    cname: (name, target) =>
      publish(name, "CNAME", [{ name, type: "CNAME", ttl: 0, data: target }]),
    addresses: (name, ...given) => {
      for (const [type, family] of [
        ["A", 4],
        ["AAAA", 6],
      ] as const) {
        const own = given.filter((address) => isIP(address) === family);
        publish(
          name,
          type,
          own.map((data) => ({ name, type, ttl: 0, data })),
        );
      }
    },
    clear: (name) => (name === undefined ? records.clear() : void records.delete(plain(name))),
    misbehave: (name, how) => {
      if (how) manners.set(plain(name), how);
      else manners.delete(plain(name));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise((resolve) => tcp.close(resolve)),
        new Promise<void>((resolve) => datagrams.close(() => resolve())),
      ]);
    },
  };
}
