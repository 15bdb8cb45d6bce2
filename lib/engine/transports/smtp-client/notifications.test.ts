import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { parseSmtpUrl } from "@/lib/mail/smtp-server-url";
import { SmtpTransport } from "./smtp-transport";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server with these extensions that takes everything; `commands` are the lines it got. */
async function serverWith(extensions: readonly string[]) {
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let inData = false;
    let rest = "";
    socket.write("220 mx.example.net ESMTP\r\n");
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (inData) {
          if (line !== ".") continue;
          inData = false;
          socket.write("250 2.0.0 queued\r\n");
          continue;
        }
        commands.push(line);
        if (line.startsWith("EHLO")) {
          const offered = ["mx.example.net", ...extensions];
          socket.write(
            offered
              .map((text, index) => `250${index < offered.length - 1 ? "-" : " "}${text}\r\n`)
              .join(""),
          );
        } else if (line === "DATA") {
          inData = true;
          socket.write("354 go on\r\n");
        } else socket.write("250 2.0.0 ok\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const transport = new SmtpTransport(parseSmtpUrl(`smtp://127.0.0.1:${port}`, "mail.example.com"));
  ends.push(() => {
    transport.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { commands, transport };
}

const id = "01890000-0000-7000-8000-000000000001";
const how = { lane: "transactional" as const, mayStart: () => Promise.resolve(true) };
const raw = Buffer.from("Subject: Hello\r\n\r\nHello\r\n");

test.each([
  {
    of: "a server that offers them, where we read them",
    extensions: ["DSN", "PIPELINING"],
    notifyAs: id,
    mail: `MAIL FROM:<b@example.com> RET=HDRS ENVID=${id}`,
    rcpt: "RCPT TO:<ada@example.org> NOTIFY=SUCCESS,FAILURE,DELAY",
  },
  {
    of: "no server that does not",
    extensions: ["PIPELINING"],
    notifyAs: id,
    mail: "MAIL FROM:<b@example.com>",
    rcpt: "RCPT TO:<ada@example.org>",
  },
  {
    of: "nobody where we do not read them",
    extensions: ["DSN"],
    notifyAs: undefined,
    mail: "MAIL FROM:<b@example.com>",
    rcpt: "RCPT TO:<ada@example.org>",
  },
])("success notifications are asked of $of", async ({ extensions, notifyAs, mail, rcpt }) => {
  const { commands, transport } = await serverWith(extensions);
  const envelope = {
    from: "b@example.com",
    to: "ada@example.org",
    ...(notifyAs === undefined ? {} : { notifyAs }),
  };
  const outcome = await transport.deliver(envelope, raw, how);
  expect(outcome.kind).toBe("accepted");
  expect(commands).toContain(mail);
  expect(commands).toContain(rcpt);
});
