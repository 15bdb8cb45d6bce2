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
import type { Answer, Packet, TlsaData } from "dns-packet";

/** Flags and response codes of RFC 1035, section 4.1.1. */
const authoritative = 0x0400;
const truncated = 0x0200;
const authentic = 0x0020;
const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

/** What the server does with questions about a name. */
type Misbehaviour = keyof typeof codes | "silent" | "truncate";

export interface DnsServer {
  /** For DNS_SERVERS: `host:port`. */
  address: string;
  /** Publishes TXT records; each is one string, or several that belong together. */
  txt(name: string, ...records: (string | string[])[]): void;
  mx(name: string, ...records: { priority: number; exchange: string }[]): void;
  /** Publishes an alias. */
  cname(name: string, target: string): void;
  /** Publishes A and AAAA records. */
  addresses(name: string, ...addresses: string[]): void;
  /** Publishes TLSA records. */
  tlsa(name: string, ...records: TlsaData[]): void;
  /** Answers about the name, and about names below it, are said to be validated, as by a validating resolver. */
  sign(name: string): void;
  /** Removes all records of a name, or of all names. */
  clear(name?: string): void;
  /** Answers questions about a name badly from now on: `truncate` over UDP only. */
  misbehave(name: string, how: Misbehaviour | null): void;
  /** Names asked for so far, as `TXT example.com` and, over TCP, `TXT example.com tcp`. */
  readonly questions: string[];
  stop(): Promise<void>;
}

interface Found {
  names: string[];
  /** Absent: the name has no records at all. */
  here: Answer[] | undefined;
}

async function bindUdp(port: number, host: string): Promise<Socket | null> {
  const socket = createSocket("udp4");
  try {
    await once(socket.bind(port, host), "listening");
    return socket;
  } catch {
    socket.close();
    return null;
  }
}

/** Has a server listen on a port of the host that is free over UDP, too, where the socket answers. */
export async function listenOnBoth(tcp: Server, host = "127.0.0.1"): Promise<Socket> {
  for (let attempt = 1; attempt <= 10; attempt++) {
    await once(tcp.listen(0, host), "listening");
    const udp = await bindUdp((tcp.address() as AddressInfo).port, host);
    if (udp) return udp;
    await new Promise((resolve) => tcp.close(resolve));
  }
  throw new Error("No port is free over both UDP and TCP.");
}

/** A name server for tests, on a free port of the host, over UDP and TCP. Names have no case. */
export async function startDnsServer(host = "127.0.0.1"): Promise<DnsServer> {
  const records = new Map<string, Answer[]>();
  const manners = new Map<string, Misbehaviour>();
  const questions: string[] = [];
  const sockets = new Set<TcpSocket>();
  const signed = new Set<string>();
  const plain = (name: string) => name.toLowerCase().replace(/\.$/, "");

  const publish = (
    name: string,
    type: "TXT" | "MX" | "CNAME" | "A" | "AAAA" | "TLSA",
    added: Answer[],
  ) => {
    const others = (records.get(plain(name)) ?? []).filter((answer) => answer.type !== type);
    records.set(plain(name), [...others, ...added]);
  };

  const isSigned = (name: string) =>
    [...signed].some((zone) => name === zone || name.endsWith(`.${zone}`));

  /** The records of a name, and of those that it is an alias for unless it has some of the type itself. */
  const followed = (name: string, type: string, names = [name]): Found => {
    const here = records.get(name);
    const alias = here?.find((answer) => answer.type === "CNAME");
    if (!here || alias?.type !== "CNAME" || here.some((answer) => answer.type === type)) {
      return { names, here: here?.filter((answer) => answer.type === type) };
    }
    const target = plain(alias.data);
    if (names.includes(target)) return { names, here: [alias] };
    const there = followed(target, type, [...names, target]);
    return { names: there.names, here: [alias, ...(there.here ?? [])] };
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
    const { names, here } = followed(name, question.type);
    // Only those who ask are told (RFC 6840, section 5.8), and of a chain of aliases only where all of it is signed.
    const asks = ((query.flags ?? 0) & authentic) !== 0;
    const flags = authoritative | (asks && names.every(isSigned) ? authentic : 0);
    // A name with others below it exists, with no records of its own (RFC 8020).
    const exists = here ?? [...records.keys()].some((key) => key.endsWith(`.${name}`));
    if (!exists) return { ...base, flags: flags | codes.NXDOMAIN };
    const answers = (here ?? [])
      .filter(({ type }) => type === question.type || type === "CNAME")
      // Resolvers that mix the case of their questions want it back as they wrote it.
      .map((answer) => (plain(answer.name) === name ? { ...answer, name: question.name } : answer));
    return { ...base, flags, answers };
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

  const datagrams = await listenOnBoth(tcp, host);
  datagrams.on("message", (message, peer) => {
    const answer = reply(decode(message), false);
    if (answer) datagrams.send(encode(answer), peer.port, peer.address);
  });

  return {
    address: `${host}:${(tcp.address() as AddressInfo).port}`,
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
    tlsa: (name, ...values) =>
      publish(
        name,
        "TLSA",
        values.map((data) => ({ name, type: "TLSA", ttl: 0, data })),
      ),
    sign: (name) => void signed.add(plain(name)),
    clear: (name) => {
      if (name !== undefined) return void records.delete(plain(name));
      records.clear();
      signed.clear();
    },
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
