import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { SMTPServer } from "smtp-server";

/*
 * A mail server on loopback that takes everything: `sink.ts PORT LOG`. Before it answers, one line of LOG
 * says what it took: return path, recipient, SHA-256 of the message, milliseconds since 1970. It takes its
 * time over each message, as real ones do, so that the server sets the campaign's pace and not this
 * machine.
 */

const answerAfterMilliseconds = 40;

const [port, log] = process.argv.slice(2);
if (!port || !log) throw new Error("sink.ts PORT LOG");

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  disableReverseLookup: true,
  logger: false,
  onData(stream, { envelope }, callback) {
    const hash = createHash("sha256");
    stream.on("data", (chunk: Buffer) => hash.update(chunk));
    stream.on("end", () => {
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      const to = envelope.rcptTo.map(({ address }) => address).join(",");
      appendFileSync(log, `${from} ${to} ${hash.digest("hex")} ${Date.now()}\n`);
      setTimeout(callback, answerAfterMilliseconds);
    });
  },
});
server.on("error", () => {});
server.listen(Number(port), "127.0.0.1", () => process.send?.("ready"));
process.once("disconnect", () => process.exit(0));
