import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, isIP } from "node:net";
import { decode, encode, type Packet, type RecordType } from "dns-packet";

const attempts = 2;
const attemptMilliseconds = 2_500;
const mostUnderWay = 200;
/** What passes through every network in one piece (DNS flag day 2020). */
const udpBytes = 1232;
const tcpBytes = 65_537;
/** RFC 1035, section 4.1.1; AD is of RFC 4035, and DO of RFC 3225. */
const flags = { recursionDesired: 0x0100, truncated: 0x0200, authentic: 0x0020, dnssecOk: 0x8000 };
const codes = ["", "EFORMERR", "ESERVFAIL", "", "ENOTIMP", "EREFUSED"];
/** RFC 1035, section 2.3.4: as it is written, without the last dot. */
const longest = { label: 63, name: 253 };

/** A name server's address, as settings write it. */
interface Server {
  address: string;
  port: number;
}

/** What a name server said of a name, or why nothing is known: EBADNAME if nothing can have that name. */
export type Reply =
  | { kind: "answer"; packet: Packet; secure: boolean }
  | { kind: "failed"; reason: string };

/** Reads `127.0.0.1`, `127.0.0.1:5353`, `::1` or `[::1]:53`. */
export function readServer(text: string): Server {
  if (isIP(text) !== 0) return { address: text, port: 53 };
  const colon = text.lastIndexOf(":");
  if (text.endsWith("]")) return { address: text.slice(1, -1), port: 53 };
  return {
    address: text.slice(0, colon).replace("[", "").replace("]", ""),
    port: Number(text.slice(colon + 1)),
  };
}

let underWay = 0;
const waiting: (() => void)[] = [];

/**
 * Asks one name server, over TCP where the answer does not fit into a datagram. `secure` is its word that it has
 * validated the answer. Never throws; ends within six times `patienceMilliseconds` of its turn.
 */
export async function exchange(
  server: Server,
  name: string,
  type: RecordType,
  patienceMilliseconds = attemptMilliseconds,
): Promise<Reply> {
  if (!canExist(name)) return { kind: "failed", reason: "EBADNAME" };
  if (underWay >= mostUnderWay) await new Promise<void>((resolve) => waiting.push(resolve));
  else underWay++;
  try {
    return await askTwice(server, name, type, patienceMilliseconds);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  }
}

/** dns-packet would write a label that is too long as something else. */
function canExist(name: string): boolean {
  if (name === ".") return true;
  const bytes = (text: string) => Buffer.byteLength(text);
  return (
    bytes(name) <= longest.name &&
    name.split(".").every((label) => label !== "" && bytes(label) <= longest.label)
  );
}

async function askTwice(
  server: Server,
  name: string,
  type: RecordType,
  patienceMilliseconds: number,
): Promise<Reply> {
  let reason = "ETIMEOUT";
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const question = questionOf(name, type);
      let packet = await overUdp(server, question, patienceMilliseconds);
      if ((packet.flags ?? 0) & flags.truncated) {
        packet = await overTcp(server, question, 2 * patienceMilliseconds);
      }
      return judged(packet);
    } catch (error) {
      const { code } = error as { code?: unknown };
      reason = typeof code === "string" ? code : "EBADRESP";
    }
  }
  return { kind: "failed", reason };
}

function judged(packet: Packet): Reply {
  const bits = packet.flags ?? 0;
  const opt = packet.additionals?.find(({ type }) => type === "OPT");
  const code = bits & 0xf;
  // NXDOMAIN (3) is an answer; what does not fit into four bits is none.
  const extended = opt?.type === "OPT" && opt.extendedRcode !== 0;
  if (extended || (code !== 0 && code !== 3)) {
    return { kind: "failed", reason: codes[code] || "EBADRESP" };
  }
  return { kind: "answer", packet, secure: (bits & flags.authentic) !== 0 };
}

interface Question {
  packet: Packet;
  name: string;
  type: RecordType;
}

function questionOf(name: string, type: RecordType): Question {
  const packet: Packet = {
    type: "query",
    id: randomInt(65_536),
    flags: flags.recursionDesired | flags.authentic,
    questions: [{ name, type, class: "IN" }],
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: udpBytes,
        flags: flags.dnssecOk,
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: true,
        options: [],
      },
    ],
  };
  return { packet, name, type };
}

/** null: it is no answer to this question. */
function answerTo({ packet, name, type }: Question, bytes: Buffer): Packet | null {
  let answer: Packet;
  try {
    answer = decode(bytes);
  } catch {
    return null;
  }
  const [asked] = answer.questions ?? [];
  const fits =
    answer.type === "response" &&
    answer.id === packet.id &&
    answer.questions?.length === 1 &&
    asked?.name.toLowerCase() === name.toLowerCase() &&
    asked.type === type;
  return fits ? answer : null;
}

class ExchangeError extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** One datagram from a port of its own; what does not answer it is passed over. */
function overUdp(
  { address, port }: Server,
  question: Question,
  milliseconds: number,
): Promise<Packet> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4");
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.removeAllListeners().on("error", () => {});
      socket.close();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(new ExchangeError("ETIMEOUT"))), milliseconds);
    socket.on("error", (error) => end(() => reject(error)));
    socket.on("message", (bytes) => {
      const answer = answerTo(question, bytes);
      if (answer) end(() => resolve(answer));
    });
    // A connected socket takes nothing from any other address or port.
    socket.connect(port, address, () => socket.send(encode(question.packet)));
  });
}

function overTcp(
  { address, port }: Server,
  question: Question,
  milliseconds: number,
): Promise<Packet> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const fail = (code: string) => end(() => reject(new ExchangeError(code)));
    const timer = setTimeout(() => fail("ETIMEOUT"), milliseconds);
    let received = Buffer.alloc(0);
    socket.on("error", (error) => end(() => reject(error)));
    socket.on("close", () => fail("ECONNRESET"));
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length > tcpBytes) return fail("EBADRESP");
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const answer = answerTo(question, received.subarray(2, 2 + received.readUInt16BE(0)));
      if (answer) end(() => resolve(answer));
      else fail("EBADRESP");
    });
    const query = encode(question.packet);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(query.length);
    socket.write(Buffer.concat([length, query]));
  });
}
