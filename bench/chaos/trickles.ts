import { connect, type Socket } from "node:net";
import { httpAnswer } from "./answers";
import { sendingDomain, type Bomb, type Target, type Wave } from "./target";

/*
 * What arrives octet by octet, over as many sessions as the limits of a few networks allow. Each goes on until
 * the server ends it, and is opened again.
 */

const octetMilliseconds = 500;
const [uploads, bodies, messages, strangers] = [10, 130, 150, 300];
/** Loopback addresses that the sessions come from: limits count by network. */
const networks = [2, 3, 4];

/** What is said after each answer, from the greeting on; the last one goes on octet by octet. */
type Script = readonly string[];

/** One connection that says its lines and then trickles. Resolves to the last answer before it ended. */
function trickle(target: Target, port: number, nth: number, script: Script): Promise<string> {
  return new Promise((resolve) => {
    const localAddress = `127.0.0.${networks[nth % networks.length]}`;
    const socket = connect({ host: "127.0.0.1", port, localAddress });
    const left = [...script];
    let drip: NodeJS.Timeout | undefined;
    let [said, answer] = ["", "closed without a word"];
    const end = () => socket.destroy();
    target.signal.addEventListener("abort", end);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      said += chunk.toString("latin1");
      // The last line of a reply has no hyphen after its code.
      const code = /(?:^|\n)(\d{3}) [^\n]*\n$/.exec(said)?.[1];
      if (!code) return;
      [said, answer] = ["", code];
      if (code >= "400") return end();
      const line = left.shift();
      if (line !== undefined) socket.write(line);
      if (left.length === 0) drip ??= setInterval(() => socket.write("x"), octetMilliseconds);
    });
    socket.once("close", () => {
      clearInterval(drip);
      target.signal.removeEventListener("abort", end);
      resolve(target.signal.aborted ? "went on until the end" : answer);
    });
  });
}

/** The same over HTTP, where the client speaks first and one answer ends it. */
function trickleBody(target: Target, nth: number, head: string, every: number): Promise<string> {
  return new Promise((resolve) => {
    const localAddress = `127.0.0.${networks[nth % networks.length]}`;
    const port = Number(new URL(target.doors.web).port);
    const socket: Socket = connect({ host: "127.0.0.1", port, localAddress });
    let said = "";
    const end = () => socket.destroy();
    target.signal.addEventListener("abort", end);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => (said += chunk.toString("latin1")));
    socket.write(head);
    const drip = setInterval(() => socket.write("x"), every);
    socket.once("close", () => {
      clearInterval(drip);
      target.signal.removeEventListener("abort", end);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0);
      const retryAfter = /^retry-after: *(\S+)/im.exec(said)?.[1] ?? null;
      const answer = status === 0 ? "closed without a word" : httpAnswer(status, retryAfter);
      resolve(target.signal.aborted && !status ? "went on until the end" : answer);
    });
  });
}

function bodyBomb(
  target: Target,
  bomb: { name: string; path: string; key: string; type: string; length: number; every: number },
): Bomb {
  const head =
    `POST ${bomb.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${bomb.key}\r\n` +
    `connection: close\r\ncontent-type: ${bomb.type}\r\ncontent-length: ${bomb.length}\r\n\r\n`;
  let nth = 0;
  return { name: bomb.name, throw: () => trickleBody(target, nth++, head, bomb.every) };
}

export async function trickleBombs(target: Target): Promise<Wave[]> {
  const key = await target.key("Trickles");
  const { relayPort, inboundPort } = target.doors;
  const inboundDomain = `inbound.${sendingDomain}`;
  await target.domain(inboundDomain, { inbound: true });
  const login = Buffer.from(`\0apikey\0${key}`).toString("base64");
  const head = `From: Ada <ada@${sendingDomain}>\r\nSubject: Slow\r\n\r\n`;
  const scripts: [name: string, lanes: number, port: number, Script][] = [
    [
      "messages that trickle in at the relay",
      messages,
      relayPort,
      [
        "EHLO slow.example\r\n",
        `AUTH PLAIN ${login}\r\n`,
        "MAIL FROM:<a@slow.example>\r\n",
        "RCPT TO:<nobody@example.org>\r\n",
        "DATA\r\n",
        head,
      ],
    ],
    [
      "mail from others that trickles in",
      messages,
      inboundPort,
      [
        "EHLO slow.example\r\n",
        "MAIL FROM:<a@slow.example>\r\n",
        `RCPT TO:<support@${inboundDomain}>\r\n`,
        "DATA\r\n",
        head,
      ],
    ],
    ["commands that trickle in at the relay", strangers, relayPort, ["EHLO slow.example\r\n", "N"]],
  ];
  let nth = 0;
  return [
    {
      lanes: uploads,
      bombs: [
        bodyBomb(target, {
          name: "uploads that trickle in",
          path: "/v1/contacts/import",
          key,
          type: "text/csv",
          length: 1_000_000,
          every: 1_000,
        }),
      ],
    },
    {
      lanes: bodies,
      bombs: [
        bodyBomb(target, {
          name: "bodies that trickle in",
          path: "/v1/send",
          key,
          type: "application/json",
          length: 256_000,
          every: octetMilliseconds,
        }),
      ],
    },
    ...scripts.map(([name, lanes, port, script]) => ({
      lanes,
      bombs: [{ name, throw: () => trickle(target, port, nth++, script) }],
    })),
  ];
}
