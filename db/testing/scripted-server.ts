import { createServer, type AddressInfo, type Socket } from "node:net";

/** What a scripted server says differently from Postgres. */
interface Script {
  /** The word with which a COMMIT is answered. */
  commit?: "COMMIT" | "ROLLBACK";
  /** The process that answers; the one that greets is 42. */
  answeringPid?: number;
}

interface ScriptedServer {
  url: string;
  /** From each Parse message; empty: not kept. */
  statementNames: string[];
  stop(): Promise<void>;
}

const greetingPid = 42;

/** A row with one column. */
interface Answer {
  column: string;
  type: { oid: number; bytes: number };
  value: string;
}

const int4 = { oid: 23, bytes: 4 };
const bool = { oid: 16, bytes: 1 };

/** A server that speaks just enough of the Postgres protocol to be sent statements. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const statementNames: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true));
    socket.on("error", () => {});
    serve(socket, script, statementNames);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/somewhere`,
    statementNames,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function message(type: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const numbers = (...given: [value: number, bytes: 2 | 4][]) =>
  Buffer.concat(
    given.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeIntBE(value, 0, bytes);
      return buffer;
    }),
  );

const text = (value: string) => `${value}\0`;

function serve(socket: Socket, script: Script, statementNames: string[]): void {
  const statements = new Map<string, string>();
  let [unread, greeted, bound, inTransaction] = [Buffer.alloc(0), false, "", false];
  const ready = () => message("Z", inTransaction ? "T" : "I");

  const answerTo = (statement: string): Answer | null => {
    if (/pg_backend_pid\(\)/.test(statement)) {
      return { column: "pid", type: int4, value: String(script.answeringPid ?? greetingPid) };
    }
    return /pg_try_advisory_xact_lock\(/.test(statement)
      ? { column: "ours", type: bool, value: "t" }
      : null;
  };
  const describe = (statement: string) => {
    const answer = answerTo(statement);
    if (!answer) return message("n");
    const { oid, bytes } = answer.type;
    return message(
      "T",
      numbers([1, 2]),
      text(answer.column),
      numbers([0, 4], [0, 2], [oid, 4], [bytes, 2], [-1, 4], [0, 2]),
    );
  };
  const run = (statement: string) => {
    const answer = answerTo(statement);
    if (answer) {
      const { value } = answer;
      return [
        message("D", numbers([1, 2], [value.length, 4]), value),
        message("C", text("SELECT 1")),
      ];
    }
    const word = statement.trim().split(/\s/, 1)[0]?.toUpperCase() ?? "";
    if (word === "BEGIN") inTransaction = true;
    if (/^(commit|rollback)$/i.test(statement.trim())) inTransaction = false;
    return [message("C", text(word === "COMMIT" ? (script.commit ?? word) : word))];
  };
  const parameters = (statement: string) => {
    const count = new Set(statement.match(/\$\d+/g)).size;
    return message("t", numbers([count, 2], ...Array<[number, 4]>(count).fill([25, 4])));
  };

  const answers: Record<string, (body: Buffer) => Buffer[]> = {
    Q: (body) => {
      const statement = body.toString("utf8", 0, body.length - 1);
      return [...(answerTo(statement) ? [describe(statement)] : []), ...run(statement), ready()];
    },
    P: (body) => {
      const [name = "", statement = ""] = body.toString("utf8").split("\0");
      statementNames.push(name);
      statements.set(name, statement);
      return [message("1")];
    },
    B: (body) => {
      bound = statements.get(body.toString("utf8").split("\0")[1] ?? "") ?? "";
      return [message("2")];
    },
    D: (body) => {
      const statement = statements.get(body.toString("utf8", 1, body.length - 1)) ?? "";
      return [parameters(statement), describe(statement)];
    },
    E: () => run(bound),
    S: () => [ready()],
    H: () => [],
    X: () => {
      socket.end();
      return [];
    },
  };

  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const head = greeted ? 1 : 0;
      if (unread.length < head + 4) return;
      const length = unread.readInt32BE(head) + head;
      if (unread.length < length) return;
      const [type, body] = [unread.toString("utf8", 0, head), unread.subarray(head + 4, length)];
      unread = unread.subarray(length);
      if (!greeted) {
        greeted = true;
        socket.write(
          Buffer.concat([
            message("R", numbers([0, 4])),
            message("K", numbers([greetingPid, 4], [1, 4])),
            ready(),
          ]),
        );
        continue;
      }
      for (const answer of answers[type]?.(body) ?? []) socket.write(answer);
    }
  });
}
