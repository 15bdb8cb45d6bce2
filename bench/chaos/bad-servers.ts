import { createServer, type AddressInfo, type Socket } from "node:net";
import { createConnection } from "@/lib/domain/connections/connections";
import { decodeId } from "@/lib/ground/ids/ids";
import { noteAnswer } from "./answers";
import { sendingDomain, type Target, type Wave } from "./target";

/** How a mail server treats those who bring it mail. */
interface Manners {
  /** Further sessions are refused with 421. */
  mostSessions?: number;
  /** Until it greets; null: it goes on with lines that are not the last one, and never ends. */
  greetAfterSeconds?: number | null;
  /** To the end of a message; null: silence. */
  afterData?: string | null;
}

const lineMilliseconds = 500;
const badManners: Record<string, Manners> = {
  "five sessions only": { mostSessions: 5 },
  "451 after DATA": { afterData: "451 4.3.0 Not now" },
  "silence after the final dot": { afterData: null },
  "a greeting after 20 seconds": { greetAfterSeconds: 20 },
  "a greeting without end": { greetAfterSeconds: null },
};

/** As many as a connection may be given. */
const sessions = 50;
const recipients = 100;
const pauseMilliseconds = 2_000;

function greet(socket: Socket, after: number | null): void {
  if (after === 0) return void socket.write("220 mail.example ESMTP\r\n");
  if (after !== null) {
    const timer = setTimeout(() => socket.write("220 mail.example ESMTP\r\n"), after * 1_000);
    return void socket.once("close", () => clearTimeout(timer));
  }
  const timer = setInterval(() => socket.write("220-still here\r\n"), lineMilliseconds);
  socket.once("close", () => clearInterval(timer));
}

/** Speaks SMTP with whoever connects, as badly as it is told; `note` is told of what comes to an end. */
function serve(
  socket: Socket,
  { greetAfterSeconds = 0, afterData = "250 2.0.0 Taken" }: Manners,
  note: (what: string) => void,
): void {
  let [said, isData] = ["", false];
  socket.on("error", () => {});
  greet(socket, greetAfterSeconds);
  socket.on("data", (chunk: Buffer) => {
    said += chunk.toString("latin1");
    for (;;) {
      const end = isData ? "\r\n.\r\n" : "\r\n";
      const at = said.indexOf(end);
      // Of a message no more is kept than its end may need.
      if (at < 0) return void (isData && (said = said.slice(-end.length)));
      const command = said.slice(0, at).toUpperCase();
      said = said.slice(at + end.length);
      if (isData) {
        isData = false;
        note(afterData === null ? "left without an answer" : `answered ${afterData.slice(0, 3)}`);
        if (afterData !== null) socket.write(`${afterData}\r\n`);
      } else if (command === "DATA") {
        isData = true;
        // The dot of an empty message stands at the beginning of a line.
        said = `\r\n${said}`;
        socket.write("354 Go on\r\n");
      } else if (command === "QUIT") socket.end("221 Bye\r\n");
      else socket.write("250 OK\r\n");
    }
  });
}

/** A mail server of the project's own, for a domain of its own. */
async function connectServer(
  target: Target,
  { name, domain, manners }: { name: string; domain: string; manners: Manners },
): Promise<void> {
  const open = new Set<Socket>();
  const note = (what: string) =>
    noteAnswer(target.answers, `the server with ${name}, told of`, what);
  const server = createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    if (open.size <= (manners.mostSessions ?? Infinity)) return serve(socket, manners, note);
    note("refused sessions");
    socket.on("error", () => {}).end("421 4.7.0 Too many sessions\r\n");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  target.signal.addEventListener("abort", () => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const connection = await createConnection(target.ctx, {
    kind: "smtp",
    name,
    host: "127.0.0.1",
    port,
    tls: "off",
    sessions,
  });
  await target.domain(domain, { connectionId: decodeId("connection", connection.id) ?? "" });
}

/** A server that takes all mail of a domain. */
export function takeAll(target: Target, domain: string): Promise<void> {
  return connectServer(target, { name: "good manners", domain, manners: {} });
}

/** Mail to many people through the project's own mail servers, of which none behaves. */
export async function badServerBombs(target: Target): Promise<Wave[]> {
  const bombs = [];
  for (const [nth, [name, manners]] of Object.entries(badManners).entries()) {
    const domain = `server${nth}.${sendingDomain}`;
    await connectServer(target, { name, domain, manners });
    const key = await target.key(name);
    const body = JSON.stringify({
      to: Array.from({ length: recipients }, (_, n) => `served${n}@example.net`),
      from: `hello@${domain}`,
      subject: "Through a server of our own",
      body: "<p>Hello</p>",
    });
    bombs.push({
      name: `mail to a server with ${name}`,
      throw: () => target.ask("/v1/send", { key, body }),
    });
  }
  return [{ lanes: bombs.length, pauseMilliseconds, bombs }];
}
