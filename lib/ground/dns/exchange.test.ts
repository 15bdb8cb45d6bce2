import { createSocket, type RemoteInfo } from "node:dgram";
import { createServer, type Socket as TcpSocket } from "node:net";
import { decode, encode, type Packet } from "dns-packet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listenOnBoth, startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { exchange, readServer } from "./exchange";

const authentic = 0x0020;
const truncated = 0x0200;
const name = "mx.example.com";
let dns: DnsServer;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(() => dns.stop());
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  dns.clear();
});

const ask = (patience?: number) => exchange(readServer(dns.address), name, "A", patience);

/** The true answer to a query, with the address 192.0.2.1. */
function answerTo(query: Packet): Packet {
  const answers = [{ name, type: "A", ttl: 60, data: "192.0.2.1" }] as const;
  return {
    type: "response",
    id: query.id ?? 0,
    flags: authentic,
    questions: query.questions ?? [],
    answers: [...answers],
  };
}

type OnData = (socket: TcpSocket, query: Buffer) => void;

/** A name server that sends what the test has it send; over TCP, it hangs up unless told otherwise. */
async function rawServer(
  answer: (query: Packet, send: (bytes: Buffer) => void) => void,
  onData: OnData = (socket) => socket.end(),
) {
  const sockets = new Set<TcpSocket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("data", (query: Buffer) => onData(socket, query));
  });
  const datagrams = await listenOnBoth(listener);
  const peers: RemoteInfo[] = [];
  datagrams.on("message", (bytes, peer) => {
    peers.push(peer);
    answer(decode(bytes), (reply) => datagrams.send(reply, peer.port, peer.address));
  });
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([
      new Promise((resolve) => listener.close(resolve)),
      new Promise<void>((resolve) => datagrams.close(() => resolve())),
    ]);
  });
  return { server: { address: "127.0.0.1", port: datagrams.address().port }, peers };
}

const found = {
  kind: "answer",
  secure: true,
  packet: { answers: [{ type: "A", data: "192.0.2.1" }] },
};

describe("a question to a name server", () => {
  it("is answered, and says whether the server has validated the answer", async () => {
    dns.addresses(name, "192.0.2.1");
    expect(await ask()).toMatchObject({ ...found, secure: false });
    dns.sign(name);
    expect(await ask()).toMatchObject(found);
  });

  it("is asked again over TCP where the answer does not fit into a datagram", async () => {
    dns.addresses(name, "192.0.2.1");
    dns.sign(name);
    dns.misbehave(name, "truncate");
    const before = dns.questions.length;
    expect(await ask()).toMatchObject(found);
    expect(dns.questions.slice(before)).toEqual([`A ${name}`, `A ${name} tcp`]);
    dns.misbehave(name, null);
  });

  it("takes a name that does not exist for an answer, and a server's failure for none", async () => {
    dns.sign(name);
    expect(await ask()).toMatchObject({ kind: "answer", secure: true });
    for (const [how, reason] of [
      ["SERVFAIL", "ESERVFAIL"],
      ["REFUSED", "EREFUSED"],
    ] as const) {
      dns.misbehave(name, how);
      expect(await ask()).toEqual({ kind: "failed", reason });
    }
    dns.misbehave(name, null);
  });

  const lies: [string, (truth: Packet) => Buffer][] = [
    ["garbage", () => Buffer.from("no message of DNS at all")],
    ["nothing", () => Buffer.alloc(0)],
    ["half an answer", (truth) => encode(truth).subarray(0, 20)],
    ["a foreign id", (truth) => encode({ ...truth, id: ((truth.id ?? 0) + 1) % 65_536 })],
    [
      "a foreign name",
      (truth) => encode({ ...truth, questions: [{ name: "evil.example", type: "A" }] }),
    ],
    ["a foreign type", (truth) => encode({ ...truth, questions: [{ name, type: "MX" }] })],
    ["no question", (truth) => encode({ ...truth, questions: [] })],
    [
      "two questions",
      ({ questions = [], ...truth }) =>
        encode({ ...truth, questions: [...questions, ...questions] }),
    ],
    ["a query", (truth) => encode({ ...truth, type: "query" })],
  ];
  const lieOf = (lie: (truth: Packet) => Buffer, query: Packet) =>
    lie({ ...answerTo(query), answers: [{ name, type: "A", ttl: 60, data: "203.0.113.66" }] });

  it.each(lies)("passes over %s, and takes the answer behind it", async (_, lie) => {
    const { server, peers } = await rawServer((query, send) => {
      send(lieOf(lie, query));
      send(encode(answerTo(query)));
    });
    expect(await exchange(server, name, "A")).toMatchObject(found);
    expect(peers).toHaveLength(1);
  });

  it.each(lies)("that gets only %s ends in time, without an answer", async (_, lie) => {
    const { server, peers } = await rawServer((query, send) => send(lieOf(lie, query)));
    expect(await exchange(server, name, "A", 50)).toEqual({ kind: "failed", reason: "ETIMEOUT" });
    expect(peers).toHaveLength(2);
  });

  it("passes over an answer from another port, and leaves from a port of its own each time", async () => {
    const stranger = createSocket("udp4");
    stops.push(() => new Promise<void>((resolve) => stranger.close(resolve)));
    const { server, peers } = await rawServer((query, send) => {
      const peer = peers.at(-1);
      const forged = lieOf(encode, query);
      stranger.send(forged, peer?.port, peer?.address, () => send(encode(answerTo(query))));
    });
    const replies = await Promise.all([1, 2, 3].map(() => exchange(server, name, "A")));
    for (const reply of replies) expect(reply).toMatchObject(found);
    expect(new Set(peers.map(({ port }) => port)).size).toBe(3);
  });

  it("to a server that is silent, or not there, ends in time", async () => {
    dns.misbehave(name, "silent");
    const started = performance.now();
    expect(await ask(100)).toEqual({ kind: "failed", reason: "ETIMEOUT" });
    expect(performance.now() - started).toBeLessThan(5_000);
    dns.misbehave(name, null);
    const gone = await startDnsServer();
    await gone.stop();
    expect(await exchange(readServer(gone.address), name, "A", 100)).toMatchObject({
      kind: "failed",
    });
  });

  it.each<[string, string, OnData]>([
    ["hangs up", "ECONNRESET", (socket) => socket.end()],
    ["is silent", "ETIMEOUT", () => {}],
    ["sends garbage", "EBADRESP", (socket) => socket.write(Buffer.from("\0\x04gone"))],
    [
      "promises more than it sends",
      "ETIMEOUT",
      (socket) => socket.write(Buffer.from("\xff\xffgone", "latin1")),
    ],
    [
      "answers another question",
      "EBADRESP",
      (socket, query) => {
        const answer = encode({ ...answerTo(decode(query.subarray(2))), id: 0 });
        socket.write(Buffer.concat([Buffer.from([0, answer.length]), answer]));
      },
    ],
  ])("to a server that %s over TCP ends in time (%s)", async (_, reason, onData) => {
    const { server } = await rawServer(
      (query, send) => send(encode({ ...answerTo(query), flags: truncated, answers: [] })),
      onData,
    );
    const started = performance.now();
    expect(await exchange(server, name, "A", 100)).toEqual({ kind: "failed", reason });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("is no question where no name can look like that, and reaches no server", async () => {
    const { server, peers } = await rawServer((query, send) => send(encode(answerTo(query))));
    const label = "a".repeat(63);
    const longest = `${label}.${label}.${label}.${"a".repeat(61)}`;
    const impossible = [
      `${label}a.example.com`,
      `${"ä".repeat(32)}.example.com`,
      `${longest}a`,
      `_25._tcp.${longest}`,
      "mx..example.com",
    ];
    for (const one of impossible) {
      expect(await exchange(server, one, "A")).toEqual({ kind: "failed", reason: "EBADNAME" });
    }
    expect(peers).toEqual([]);
    expect(longest).toHaveLength(253);
    for (const one of [longest, "."]) {
      expect(await exchange(server, one, "A")).toMatchObject({ kind: "answer" });
    }
  });

  it("waits its turn behind two hundred others", async () => {
    const held: (() => void)[] = [];
    let most = 0;
    const { server } = await rawServer((query, send) => {
      held.push(() => send(encode(answerTo(query))));
      most = Math.max(most, held.length);
      if (held.length === 200 || most === 200) for (const answer of held.splice(0)) answer();
    });
    const replies = await Promise.all(
      Array.from({ length: 300 }, () => exchange(server, name, "A")),
    );
    expect(replies.every(({ kind }) => kind === "answer")).toBe(true);
    expect(most).toBe(200);
  });
});
